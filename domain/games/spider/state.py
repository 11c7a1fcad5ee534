"""What a game of Spider is made of: its options, its zones, its deal and its state."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cards import PACK, RANKS, SUITS
from domain.view import Card

Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4",
    "tableau_5", "tableau_6", "tableau_7", "tableau_8", "tableau_9",
]  # fmt: skip
Foundation = Literal[
    "foundation_0", "foundation_1", "foundation_2", "foundation_3",
    "foundation_4", "foundation_5", "foundation_6", "foundation_7",
]  # fmt: skip

TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)
FOUNDATIONS: Final[tuple[Foundation, ...]] = get_args(Foundation)

COLUMN: dict[str, int] = {zone: place for place, zone in enumerate(TABLEAU)}
"""The number of a column, by zone."""

COLUMNS: Final = 10
RUNS: Final = 8
"""Runs from king to ace in two packs."""

RUN: dict[str, tuple[Card, ...]] = {suit: tuple(rank + suit for rank in reversed(RANKS)) for suit in SUITS}
"""The finished run of a suit as it lies in a column, king to ace."""

PACKS: dict[int, tuple[Card, ...]] = {1: PACK[:13] * 8, 2: PACK[:26] * 4, 4: PACK * 2}
"""The 104 cards by the number of suits: spades; spades and hearts; all four. Copies of a card read the same."""

IN_ROWS = 40
IN_COLUMNS = 54
"""Cards dealt to the columns: four rows of ten, four extra cards, and ten face up."""

FACE_UP_IN_DEAL = range(IN_COLUMNS - COLUMNS, IN_COLUMNS)
"""The places in the dealing order whose cards lie face up."""

EXTRA: dict[str, tuple[int, ...]] = {"first_4": (0, 1, 2, 3), "1_4_7_10": (0, 3, 6, 9)}
"""The columns that get a fifth face-down card. Denexa Games: the first four; PySolFC: every third."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Spider is played."""

    suits: Annotated[
        Literal[1, 2, 4],
        Meta(description="Suits in the 104 cards: 1 (spades), 2 (spades and hearts) or 4 (two ordinary packs)."),
    ] = 4
    extra_columns: Annotated[
        Literal["first_4", "1_4_7_10"],
        Meta(description="The columns with a card more: the first four, or the first, fourth, seventh and tenth."),
    ] = "first_4"
    manual_removal: Annotated[
        bool,
        Meta(description="A finished run stays until the player removes it, and may be built on or taken apart."),
    ] = False
    deal_with_spaces: Annotated[
        bool, Meta(description="A row may be dealt although a column is empty; the empty column gets its card too.")
    ] = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is dealt next.

    `face_down[c]` is how many cards of column c, from the bottom, lie face down. `finished` are the suits of the runs
    that have been removed, in the order of their going.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    face_down: tuple[int, ...]
    stock: tuple[Card, ...] = ()
    finished: tuple[str, ...] = ()


class Facts(Struct, frozen=True, tag="spider/facts"):
    """What the piles do not show: the suits in play, how often a row can still be dealt, and the runs removed."""

    suits: int
    deals_left: int
    runs_removed: int


def over(state: State) -> bool:
    """Whether the eight runs have been removed."""
    return len(state.finished) == RUNS
