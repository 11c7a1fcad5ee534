"""Before the first move: the empty table, the deal, and where each card of it lies."""

from domain.chance import Chance
from domain.games.spider.events import Dealt
from domain.games.spider.state import COLUMNS, PACKS, Options, State
from domain.view import Card

IN_ROWS = 40
IN_COLUMNS = 54
"""Cards dealt to the columns: four rows of ten, four extra cards, and ten face up."""

FACE_UP_IN_DEAL = range(IN_COLUMNS - COLUMNS, IN_COLUMNS)
"""The places in the dealing order whose cards lie face up."""

EXTRA: dict[str, tuple[int, ...]] = {"first_4": (0, 1, 2, 3), "1_4_7_10": (0, 3, 6, 9)}
"""The columns that get a fifth face-down card. Denexa Games: the first four; PySolFC: every third."""


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, face_down=(0,) * COLUMNS)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """Two packs shuffled together, or as many cards in fewer suits."""
    return (Dealt(chance.shuffled(PACKS[options.suits]).cards),)


def column_dealt(cards: tuple[Card, ...], column: int, options: Options) -> tuple[Card, ...]:
    """The cards of a column, bottom to top; the last lies face up."""
    extra = EXTRA[options.extra_columns]
    fifth = cards[IN_ROWS + extra.index(column) : IN_ROWS + extra.index(column) + 1] if column in extra else ()
    return (*cards[column:IN_ROWS:COLUMNS], *fifth, cards[FACE_UP_IN_DEAL[column]])
