"""What a game of Canfield is made of: its options, its zones, its state, and which card may lie on which."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cards import PACK, RANK, is_red
from domain.kit.patience import NO_CARD, Passes
from domain.view import Card

Reserve = Literal["reserve"]
Waste = Literal["waste"]
Tableau = Literal["tableau_0", "tableau_1", "tableau_2", "tableau_3"]

RESERVE: Final = "reserve"
WASTE: Final = "waste"
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)

COLUMN: dict[str, int] = {zone: place for place, zone in enumerate(TABLEAU)}
"""The number of a column, by zone."""

COLUMNS: Final = 4

RESERVED: Card = "-"
"""What stands on top of an empty column that the reserve is about to fill: no card may go there."""


def lower(rank: int) -> int:
    """The rank that lies below this one: a king below an ace."""
    return (rank - 2) % 13 + 1


def needed(card: Card, base: int) -> int:
    """How many cards must lie on the foundation of its suit before this one; 0 for a card of the base rank."""
    return (RANK[card] - base) % 13


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


_ROUND = tuple(PACK[13 * suit : 13 * suit + 13] * 2 for suit in range(4))
"""Each suit twice around, so that a foundation is a piece of it."""


def home_cards(state: State, suit: int) -> tuple[Card, ...]:
    """The cards on the foundation of this suit, the base card at the bottom."""
    return _ROUND[suit][state.base - 1 : state.base - 1 + state.foundations[suit]] if state.base else ()


def next_home(state: State, suit: int) -> Card | None:
    """The card that the foundation of this suit waits for; None if it is complete."""
    count = state.foundations[suit]
    return _ROUND[suit][state.base - 1 + count] if count < 13 else None


def tops(state: State) -> tuple[Card, ...]:
    """The top card of every column; an empty one takes any card, but while the reserve has cards it takes none."""
    space = RESERVED if state.reserve else NO_CARD
    return tuple([column[-1] if column else space for column in state.columns])


def reserve_top(state: State) -> Card | None:
    """The card of the reserve that can be seen and played."""
    return state.reserve[-1] if len(state.reserve) > state.covered else None
