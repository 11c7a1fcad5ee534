"""What a game of Seahaven Towers is made of: its options, its zones and its state."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cells import CellGame
from domain.kit.patience import IN_SUIT, ON_IN_SUIT
from domain.view import Card

Tower = Literal["tower_0", "tower_1", "tower_2", "tower_3"]
Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4",
    "tableau_5", "tableau_6", "tableau_7", "tableau_8", "tableau_9",
]  # fmt: skip

TOWERS: Final[tuple[Tower, ...]] = get_args(Tower)
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)

GAME: CellGame[Tower, Tableau] = CellGame(
    cells=TOWERS,
    tableau=TABLEAU,
    accepts=IN_SUIT,
    on=ON_IN_SUIT,
    order="sequence and suit",
    word="tower",
    spoken="tower",
    one_card="A tower holds one card.",
)
COLUMN = GAME.column
"""The number of a column, by zone."""

IN_COLUMNS = 50
"""So many cards are dealt to columns, the other two to towers."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Seahaven Towers is played."""

    strict_single: Annotated[
        bool, Meta(description="Cards move one at a time; the player carries a run through the towers card by card.")
    ] = False
    any_card: Annotated[
        bool, Meta(description="An empty column takes any card, not only a king; runs then also go by way of it.")
    ] = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. Columns run bottom to top; a tower holds a card or None.

    `foundations` are the numbers of cards at home, by suit as in domain.kit.cards.SUITS.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    towers: tuple[Card | None, ...]
    foundations: tuple[int, ...]

    @property
    def cells(self) -> tuple[Card | None, ...]:
        """The towers, as domain.kit.cells calls them."""
        return self.towers


class Facts(Struct, frozen=True, tag="seahaven_towers/facts"):
    """How many cards of a run can move at once: onto a column with cards, and into an empty column."""

    run_limit: int
    run_limit_into_space: int


def run_limit(state: State, into_space: bool) -> int:
    """The most cards that the towers carry: free towers + 1 (AisleRiot).

    Empty columns do not help, for they take only kings; with `any_card` each of them doubles the number, but for one
    that the run goes into (KPatience handbook, for FreeCell).
    """
    if state.options.strict_single:
        return 1
    spaces = state.columns.count(()) - into_space if state.options.any_card else 0
    return (state.towers.count(None) + 1) << max(spaces, 0)
