"""What a game of FreeCell is made of: its options, its zones and its state."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cards import PACK
from domain.kit.patience import ALTERNATING, NO_CARD
from domain.view import Card

Cell = Literal["cell_0", "cell_1", "cell_2", "cell_3"]
Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6", "tableau_7"
]

CELLS: Final[tuple[Cell, ...]] = get_args(Cell)
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)

CELL: dict[str, int] = {zone: place for place, zone in enumerate(CELLS)}
"""The number of a free cell, by zone."""

COLUMN: dict[str, int] = {zone: place for place, zone in enumerate(TABLEAU)}
"""The number of a column, by zone."""

ACCEPTS: dict[Card, frozenset[Card]] = ALTERNATING | {NO_CARD: frozenset(PACK)}
"""The cards that may be put on a column, by its top card; any on an empty one."""


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
