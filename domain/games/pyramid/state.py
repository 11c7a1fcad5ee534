"""What a game of Pyramid is made of: its options, its zones, its deal, its state, and which card lies on which."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cards import PACK, RANK
from domain.kit.patience import Passes
from domain.kit.talon import Waste
from domain.view import Card

Place = Literal[
    "pyramid_0_0",
    "pyramid_1_0", "pyramid_1_1",
    "pyramid_2_0", "pyramid_2_1", "pyramid_2_2",
    "pyramid_3_0", "pyramid_3_1", "pyramid_3_2", "pyramid_3_3",
    "pyramid_4_0", "pyramid_4_1", "pyramid_4_2", "pyramid_4_3", "pyramid_4_4",
    "pyramid_5_0", "pyramid_5_1", "pyramid_5_2", "pyramid_5_3", "pyramid_5_4", "pyramid_5_5",
    "pyramid_6_0", "pyramid_6_1", "pyramid_6_2", "pyramid_6_3", "pyramid_6_4", "pyramid_6_5", "pyramid_6_6",
]  # fmt: skip
Stock = Literal["stock"]
Discard = Literal["discard"]
Source = Place | Stock | Waste

PLACES: Final[tuple[Place, ...]] = get_args(Place)
STOCK: Final = "stock"
DISCARD: Final = "discard"

IN_PYRAMID = len(PLACES)

PLACE: dict[str, int] = {zone: place for place, zone in enumerate(PLACES)}
"""The number of a place in the pyramid, from the top, left to right, by zone."""

ROWS = 7
ROW_AND_CARD: tuple[tuple[int, int], ...] = tuple((row, card) for row in range(ROWS) for card in range(row + 1))
"""Row and place in the row, by the number of the place."""

COVERING: tuple[tuple[int, ...], ...] = tuple(
    (place + row + 1, place + row + 2) if row < ROWS - 1 else () for place, (row, _) in enumerate(ROW_AND_CARD)
)
"""The places whose cards lie on the card of this place."""

COVERED = tuple((place, *covering) for place, covering in enumerate(COVERING) if covering)
"""Each place that others cover, with them."""

LAST_ROW = tuple(place for place, covering in enumerate(COVERING) if not covering)
"""The places that no other covers."""

THIRTEEN = 13

PARTNERS: dict[Card, frozenset[Card]] = {
    card: frozenset(other for other in PACK if RANK[card] + RANK[other] == THIRTEEN) for card in PACK
}
"""The cards that make thirteen with a card: ace 1, jack 11, queen 12; with a king none."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Pyramid is played."""

    passes: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None,
        Meta(description="Times that the stock may be gone through; null: any number."),
    ] = None
    clear_all: Annotated[
        bool, Meta(description="Won only when stock and waste are gone as well, not with the pyramid alone.")
    ] = False
    draw_only_when_stuck: Annotated[
        bool,
        Meta(description="No drawing and no turning over while the pyramid alone offers a pair or a king."),
    ] = False
    waste_pairs: Annotated[
        bool, Meta(description="A card that has just been drawn may pair with the waste card that it covers.")
    ] = False
    tuts_tomb_pairing: Annotated[
        bool, Meta(description="A card that is covered by its partner alone may be removed together with it.")
    ] = False
    draw: Annotated[Literal[1, 3], Meta(description="Cards turned from the stock at a time.")] = 1
    stock_top: Annotated[
        bool,
        Meta(
            description="The top card of the stock lies face up and can be removed, with a card of the pyramid or the "
            "top of the waste; the Microsoft rules are this and three passes."
        ),
    ] = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. `pyramid` holds the 28 places from the top, left to right, empty ones as NO_CARD.

    Stock, waste and discard run bottom to top: the last card of the stock is drawn next. `stock_up` says that it lies
    face up, `just_drawn` that the last thing done was to draw, `recycles` how often the waste has been turned over.
    """

    options: Options
    pyramid: tuple[Card, ...]
    stock: tuple[Card, ...] = ()
    waste: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    recycles: int = 0
    stock_up: bool = False
    just_drawn: bool = False


class Options2(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Revision 2: up to a hundred passes."""

    passes: Passes = None


class State2(State, frozen=True, omit_defaults=True):
    """A position of revision 2."""

    options: Options2


class Facts(Struct, frozen=True, tag="pyramid/facts"):
    """Which pass this is, from 1, how many recycles are left (null: any number), and the score if the game ended now.

    The score is the number of cards that still have to go: the fewer the better.
    """

    draw: int
    pass_number: int
    recycles_left: int | None
    score: int


def available(pyramid: Sequence[Card]) -> list[int]:
    """The places whose card is there and has nothing on it, from the top, left to right."""
    free = [place for place, left, right in COVERED if not (pyramid[left] or pyramid[right]) and pyramid[place]]
    return free + [place for place in LAST_ROW if pyramid[place]]


def covered_by(pyramid: Sequence[Card], place: int) -> list[int]:
    """The places whose cards lie on this one's."""
    return [other for other in COVERING[place] if pyramid[other]]


def covered_by_partner(pyramid: Sequence[Card], place: int, other: int) -> bool:
    """Whether only `other` lies on `place` and nothing on it: the pair that Microsoft's Tut's Tomb allows."""
    return covered_by(pyramid, place) == [other] and not covered_by(pyramid, other)


def is_won(state: State) -> bool:
    """Whether all has gone that must: the pyramid, whose top goes last, or the whole pack."""
    if state.options.clear_all:
        return len(state.discard) == len(PACK)
    return not state.pyramid[0] and bool(state.discard)


def is_dealt(state: State) -> bool:
    """Whether cards are on the table: before the deal nothing is won or lost."""
    return bool(state.pyramid[0] or state.discard)
