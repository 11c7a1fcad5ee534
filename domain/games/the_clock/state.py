"""What a game of The Clock is made of: its options, its zones and its state."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cards import PACK, RANK
from domain.view import Card

Pile = Literal[
    "pile_0", "pile_1", "pile_2", "pile_3", "pile_4", "pile_5", "pile_6",
    "pile_7", "pile_8", "pile_9", "pile_10", "pile_11", "pile_12",
]  # fmt: skip
Active = Literal["active"]

PILES: Final[tuple[Pile, ...]] = get_args(Pile)
"""Pile 0 lies at 1 o'clock, pile 11 at 12 o'clock, pile 12 in the middle."""

SHOWN: Final = tuple(f"shown_{place}" for place in range(len(PILES)))
"""The face-up cards that lie under each pile."""

ACTIVE: Final[Active] = "active"
CENTRE: Final = 12

PLACE: dict[str, int] = {zone: place for place, zone in enumerate(PILES)}
"""The number of a pile, by zone."""

BELONGS: dict[Card, int] = {card: RANK[card] - 1 for card in PACK}
"""The number of the pile to which a card belongs: aces 0, jacks 10, queens 11, kings in the middle."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of The Clock is played."""

    take_from: Annotated[
        Literal["top", "bottom"], Meta(description="Which face-down card of a pile is turned up next.")
    ] = "top"
    pile_by_pile: Annotated[
        bool, Meta(description="Each pile is dealt whole, four cards in a row, and not in rounds of single cards.")
    ] = False
    watch: Annotated[
        bool,
        Meta(description="Once a game the fourth king, shown too early, changes places with a face-down card."),
    ] = False


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. `piles` are the face-down cards by pile, bottom to top; `shown` the face-up ones as they came.

    `following` is the pile from which the next card is turned up. `active` is a card that has been turned up and lies
    nowhere yet: between two commands only a fourth king that waits to be exchanged. `king_at` is the pile on which the
    exchanged king lies face down, or lay.
    """

    options: Options
    piles: tuple[tuple[Card, ...], ...]
    shown: tuple[tuple[Card, ...], ...]
    following: int = CENTRE
    active: Card | None = None
    king_at: int | None = None


class Facts(Struct, frozen=True, tag="the_clock/facts"):
    """What the piles do not say at once.

    `revealed` counts the cards that lie face up, `kings` the kings among them; `next_pile` gives the next card (null
    where the fourth king has been shown); `king_at` is the pile on which the exchanged king was laid, face down.
    """

    revealed: int
    kings: int
    next_pile: str | None
    king_at: str | None


def face_down(state: State) -> int:
    """How many cards lie face down."""
    return sum(map(len, state.piles))


def four_kings(state: State) -> bool:
    """Whether the four kings lie face up in the middle, which ends the game."""
    return len(state.shown[CENTRE]) == 4
