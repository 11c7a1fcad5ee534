"""What a game of Canfield is made of: options, zones, state, facts; which card may lie on which, and what is dealt."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cards import PACK, RANK, is_red
from domain.kit.patience import NO_CARD, Passes
from domain.view import Card

Reserve = Literal["reserve"]
Tableau = Literal["tableau_0", "tableau_1", "tableau_2", "tableau_3"]

RESERVE: Final = "reserve"
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)

COLUMNS: Final = 4

IN_RESERVE: Final = 13
BASE_CARD: Final = 13
FIRST_COLUMN: Final = 14
FIRST_OF_STOCK: Final = FIRST_COLUMN + COLUMNS
"""Places in the dealing order: the reserve, the base card, one card for each column, then the stock."""

FACE_UP_IN_DEAL = frozenset({0, *range(BASE_CARD, FIRST_OF_STOCK)})
"""The places in the dealing order whose cards are seen: the top of the reserve, the base card and the columns."""

RESERVED: Card = "-"
"""What stands on top of an empty column that the reserve is about to fill: no card may go there."""


def lower(rank: int) -> int:
    """The rank that lies below this one: a king below an ace."""
    return (rank - 2) % 13 + 1


ACCEPTS: dict[Card, frozenset[Card]] = {
    top: frozenset(card for card in PACK if RANK[card] == lower(RANK[top]) and is_red(card) != is_red(top))
    for top in PACK
} | {NO_CARD: frozenset(PACK), RESERVED: frozenset()}
"""The cards that may be put on a column, by its top card: one lower in the other colour; any on an empty one."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Canfield is played."""

    draw: Annotated[Literal[1, 3], Meta(description="Cards turned from the stock at a time.")] = 1
    passes: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        Meta(description="Times that the stock may be gone through; null: any number."),
    ] = None
    whole_column_only: Annotated[
        bool, Meta(description="From column to column only all cards of a column move, never a part of them.")
    ] = False
    foundation_return: Annotated[
        bool, Meta(description="The top card of a foundation may be moved back to a column.")
    ] = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is drawn next.

    `base` is the rank on which every foundation begins, ace 1 to king 13, 0 before the deal. `foundations` are the
    numbers of cards at home, by suit as in SUITS. `covered` is how many cards of the reserve, from the bottom, cannot
    be seen. `recycles` is how often the waste has been turned over.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    foundations: tuple[int, ...]
    base: int = 0
    reserve: tuple[Card, ...] = ()
    covered: int = 0
    stock: tuple[Card, ...] = ()
    waste: tuple[Card, ...] = ()
    recycles: int = 0


class Options2(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Revision 2: up to a hundred passes."""

    passes: Passes = None


class State2(State, frozen=True, omit_defaults=True):
    """A position of revision 2."""

    options: Options2


class Facts(Struct, frozen=True, tag="canfield/facts"):
    """What the piles do not show: the rank that begins a foundation (one character), the pass and what is left of them.

    Passes count from 1; `recycles_left` is null where any number is allowed.
    """

    base: str | None
    draw: int
    pass_number: int
    recycles_left: int | None


def tops(state: State) -> tuple[Card, ...]:
    """The top card of every column; an empty one takes any card, but while the reserve has cards it takes none."""
    space = RESERVED if state.reserve else NO_CARD
    return tuple([column[-1] if column else space for column in state.columns])


def reserve_top(state: State) -> Card | None:
    """The card of the reserve that can be seen and played."""
    return state.reserve[-1] if len(state.reserve) > state.covered else None
