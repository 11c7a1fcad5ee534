"""Before the first move: options that fit together, the empty table and the deal."""

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.klondike.events import Dealt
from domain.games.klondike.state import Options, Options2, State, State2
from domain.kit.cards import PACK
from domain.view import Card

COLUMNS = 7
IN_COLUMNS = 28


def settle(options: Options, seats: int) -> Options:
    """The options as they are; raises Illegal for an ending on the last pass where no pass is the last."""
    if options.end_on_last_pass and options.passes is None:
        raise Illegal("last_pass_of_unlimited", "Without a limit of passes no pass is the last: set `passes` as well.")
    return options


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, face_down=(0,) * COLUMNS, foundations=(0,) * 4)


def initial_2(options: Options2, seats: int) -> State2:
    """The same for revision 2."""
    return State2(options=options, columns=((),) * COLUMNS, face_down=(0,) * COLUMNS, foundations=(0,) * 4)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffled(PACK).cards),)


def place_in_deal(column: int, row: int) -> int:
    """Where in the dealing order the card of this column and row is: row k covers columns k to 6."""
    return COLUMNS * row - row * (row - 1) // 2 + column - row


def column_dealt(cards: tuple[Card, ...], column: int) -> tuple[Card, ...]:
    """The cards of a column, bottom to top; the last lies face up."""
    return tuple(cards[place_in_deal(column, row)] for row in range(column + 1))


FACE_UP_IN_DEAL = frozenset(place_in_deal(column, column) for column in range(COLUMNS))
"""The places in the dealing order whose cards lie face up."""
