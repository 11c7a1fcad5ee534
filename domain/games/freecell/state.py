"""What a game of FreeCell is made of: its options, its zones and its state."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cells import CellGame
from domain.kit.patience import ALTERNATING, ON_ALTERNATING
from domain.view import Card

Cell = Literal["cell_0", "cell_1", "cell_2", "cell_3"]
Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6", "tableau_7"
]

CELLS: Final[tuple[Cell, ...]] = get_args(Cell)
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)

GAME: CellGame[Cell, Tableau] = CellGame(
    cells=CELLS,
    tableau=TABLEAU,
    accepts=ALTERNATING,
    on=ON_ALTERNATING,
    order="sequence and alternating colours",
    word="cell",
    spoken="free cell",
    one_card="Only its top card can be taken from there.",
)
COLUMN = GAME.column
"""The number of a column, by zone."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of FreeCell is played."""

    strict_single: Annotated[
        bool, Meta(description="Cards move one at a time; the player carries a run through the cells card by card.")
    ] = False
    foundation_return: Annotated[
        bool, Meta(description="The top card of a foundation may be moved back to a column.")
    ] = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. Columns run bottom to top; a free cell holds a card or None.

    `foundations` are the numbers of cards at home, by suit as in domain.kit.cards.SUITS.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    cells: tuple[Card | None, ...]
    foundations: tuple[int, ...]


class Facts(Struct, frozen=True, tag="freecell/facts"):
    """How many cards of a run can move at once: onto a column with cards, and into an empty column."""

    run_limit: int
    run_limit_into_space: int


def run_limit(state: State, into_space: bool) -> int:
    """The most cards that free cells and empty columns carry: (cells + 1) x 2 per empty column (KPatience handbook).

    An empty column that the run goes into cannot be used on the way.
    """
    if state.options.strict_single:
        return 1
    spaces = state.columns.count(()) - into_space
    return (state.cells.count(None) + 1) << max(spaces, 0)
