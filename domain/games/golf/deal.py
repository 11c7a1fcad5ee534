"""Before the first move: options that fit together, the empty table and the deal."""

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.golf.events import Dealt
from domain.games.golf.state import TABLEAU, Options, State
from domain.kit.cards import PACK
from domain.view import Card

COLUMNS = len(TABLEAU)
IN_COLUMNS = 35


def settle(options: Options, seats: int) -> Options:
    """The options; where ace and king are next to each other, queens go on kings as well."""
    return replace(options, queens_on_kings=options.queens_on_kings or options.wrap)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffled(PACK).cards),)


def column_dealt(cards: tuple[Card, ...], column: int) -> tuple[Card, ...]:
    """The cards of a column, bottom to top."""
    return cards[column:IN_COLUMNS:COLUMNS]


FACE_UP_IN_DEAL = range(IN_COLUMNS + 1)
"""The places in the dealing order whose cards lie face up: the columns and the first discard."""
