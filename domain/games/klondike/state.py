"""What a game of Klondike is made of: its options, its zones, its state, and which card may lie on which."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Card, Concealed
from domain.kit.cards import PACK, RANK, SUITS, is_red

Foundation = Literal["foundation_spades", "foundation_hearts", "foundation_diamonds", "foundation_clubs"]
Tableau = Literal["tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6"]
Waste = Literal["waste"]

FOUNDATIONS: Final[tuple[Foundation, ...]] = get_args(Foundation)
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)
WASTE: Final = "waste"

SUIT_PLACE: dict[str, int] = {zone: place for place, zone in enumerate(FOUNDATIONS)}
"""The place of a foundation's suit in SUITS, by zone."""

COLUMN: dict[str, int] = {zone: place for place, zone in enumerate(TABLEAU)}
"""The number of a column, by zone."""

HOME: dict[Card, tuple[int, int]] = {card: (SUITS.index(card[1]), RANK[card] - 1) for card in PACK}
"""The foundation a card belongs on and how many cards must lie there first."""

NO_CARD: Card = ""
"""What lies on top of an empty column."""

ACCEPTS: dict[Card, frozenset[Card]] = {
    top: frozenset(card for card in PACK if RANK[card] == RANK[top] - 1 and is_red(card) != is_red(top)) for top in PACK
} | {NO_CARD: frozenset(card for card in PACK if RANK[card] == 13)}
"""The cards that may be put on a column, by its top card: one lower in the other colour; a king on an empty one."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Klondike is played."""

    draw: Annotated[Literal[1, 3], Meta(description="Cards turned from the stock at a time.")] = 1
    passes: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        Meta(description="Times that the stock may be gone through; null: any number."),
    ] = None
    end_on_last_pass: Annotated[
        bool,
        Meta(description="Lost once the last pass is through and the waste is empty or its top has no place."),
    ] = False
    whole_run_only: Annotated[
        bool, Meta(description="From column to column only all face-up cards of a column move, never a part of them.")
    ] = False
    foundation_return: Annotated[
        bool, Meta(description="The top card of a foundation may be moved back to a column.")
    ] = True
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is drawn next.

    `face_down[c]` is how many cards of column c, from the bottom, lie face down. `foundations` are the numbers of cards
    at home, by suit as in SUITS. `recycles` is how often the waste has been turned over.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    face_down: tuple[int, ...]
    foundations: tuple[int, ...]
    stock: tuple[Card, ...] = ()
    waste: tuple[Card, ...] = ()
    recycles: int = 0


class Facts(Struct, frozen=True, tag="klondike/facts"):
    """What the piles do not show: which pass this is, from 1, and how many recycles are left (null: any number)."""

    draw: int
    pass_number: int
    recycles_left: int | None


def top_of(column: tuple[Card, ...]) -> Card:
    """The top card of a column, NO_CARD if it is empty."""
    return column[-1] if column else NO_CARD
