"""Before the first move: the empty table and the deal."""

from domain.chance import Chance
from domain.games.canfield.events import Dealt
from domain.games.canfield.state import COLUMNS, Options, Options2, State, State2
from domain.kit.cards import PACK

IN_RESERVE = 13
BASE_CARD = 13
FIRST_COLUMN = 14
FIRST_OF_STOCK = FIRST_COLUMN + COLUMNS
"""Places in the dealing order: the reserve, the base card, one card for each column, then the stock."""

FACE_UP_IN_DEAL = frozenset({0, *range(BASE_CARD, FIRST_OF_STOCK)})
"""The places in the dealing order whose cards are seen: the top of the reserve, the base card and the columns."""


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, foundations=(0,) * 4)


def initial_2(options: Options2, seats: int) -> State2:
    """The same for revision 2."""
    return State2(options=options, columns=((),) * COLUMNS, foundations=(0,) * 4)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffled(PACK).cards),)
