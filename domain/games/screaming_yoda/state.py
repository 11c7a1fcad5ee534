"""Screaming Yoda: what can be chosen, the places for cards, the state of a game and what can be read from it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.chance import Chance
from domain.game_type import Concealed
from domain.view import Card, Seat

Cards = tuple[Card, ...]
Columns = tuple[Card | None, ...]
PenaltySource = Literal["removed", "pile"]

_FIRST = "The seat that is dealt to first and leads; if none is given it is drawn by lot, and is 0 in a given deal"
_SOURCE = (
    "Where a caught player draws three cards: `removed`, those removed from play, shuffled, then the pile from its"
    " bottom without its top card; or `pile`, the pile from its top"
)
_PLACES = "The game goes on after the first player is out, until one is left; scores are the opponents left behind"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """What can be chosen when a game is opened."""

    first_seat: Annotated[Annotated[int, Meta(ge=0, le=4)] | None, Meta(description=_FIRST)] = None
    swap_phase: Annotated[
        bool, Meta(description="Before play each player may exchange hand cards for cards face up before them")
    ] = False
    combo_only_single: Annotated[
        bool, Meta(description="Face-up cards join the last of the hand only if that is a single card")
    ] = False
    yoda_penalty_source: Annotated[PenaltySource, Meta(description=_SOURCE)] = "removed"
    false_call_penalty: Annotated[
        int,
        Meta(description="Cards drawn by who calls a player without cause; at 0 such a call is refused", ge=0, le=5),
    ] = 0
    play_for_places: Annotated[bool, Meta(description=_PLACES)] = False
    allow_two: Annotated[bool, Meta(description="Two may play (our ruling): 22 cards are dealt, 30 are left")] = False


class Options2(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Revision 2: the last card of the hand is joined by one face-up card, unless more is chosen."""

    combo_only_single: Annotated[
        bool, Meta(description="Face-up cards join the last of the hand only if that is a single card")
    ] = True
    combo_one_face_up: Annotated[
        bool, Meta(description="One face-up card joins the last of the hand, not several of its rank")
    ] = True


MOST_SEATS, MOST_COLUMNS = 5, 4

DRAW, PILE, REMOVED = "draw", "pile", "removed"
HAND = tuple(f"hand_{seat}" for seat in range(MOST_SEATS))
COLUMN = tuple(tuple(f"column_{seat}_{column}" for column in range(MOST_COLUMNS)) for seat in range(MOST_SEATS))

COLUMN_PLACE: dict[str, tuple[Seat, int]] = {
    zone: (seat, column) for seat, zones in enumerate(COLUMN) for column, zone in enumerate(zones)
}

VALUE: dict[str, int] = {rank: value for value, rank in enumerate("23456789TJQKA")}
"""Two low, ace high."""

ON_ANYTHING, RESETTING, CLEARING = "2T", "2", "T"
"""The ranks that go on any card, that take any card, and that clear the pile."""

ALIKE_CLEAR = 4
"""So many cards of one rank in the pile clear it."""

FULL_HAND = 3


class State(Concealed, frozen=True, omit_defaults=True):
    """Everything on and under the table; piles run bottom to top, the draw pile has its next card first.

    By seat: hands, and for each column its face-up and its face-down card or None. Seats: `first` leads, `swapping`
    are not ready to begin, `exposed` can be called, `skips` lose their next turn, `resigned` and `out` in their order.
    """

    options: Options = Options()
    draw: Cards = ()
    pile: Cards = ()
    removed: Cards = ()
    hands: tuple[Cards, ...] = ()
    face_up: tuple[Columns, ...] = ()
    face_down: tuple[Columns, ...] = ()
    first: Seat = 0
    turn: Seat | None = None
    swapping: tuple[Seat, ...] = ()
    exposed: tuple[Seat, ...] = ()
    skips: tuple[Seat, ...] = ()
    resigned: tuple[Seat, ...] = ()
    out: tuple[Seat, ...] = ()
    chance: Chance | None = None


class State2(State, frozen=True, omit_defaults=True):
    """A table of revision 2."""

    options: Options2 = Options2()


class Facts(Struct, frozen=True, tag="screaming_yoda/facts"):
    """What the piles do not show.

    `to_beat` is the rank to match or beat (None: any card goes); `cards_left` counts by seat all that each has.
    Seats: `turn` plays, `exposed` have one card and can be called, `skips` lose their next turn, `swapping` still
    exchange cards, `out` have played their last card and `resigned` have given up, in that order.
    """

    turn: Seat | None
    to_beat: str | None
    cards_left: tuple[int, ...]
    exposed: tuple[Seat, ...]
    skips: tuple[Seat, ...]
    swapping: tuple[Seat, ...]
    out: tuple[Seat, ...]
    resigned: tuple[Seat, ...]


def columns(seats: int) -> int:
    """How many columns each seat has: three for five players, else four."""
    return 3 if seats == 5 else 4


def total(state: State, seat: Seat) -> int:
    """How many cards a seat has, in hand, face up and face down together."""
    laid = (*state.face_up[seat], *state.face_down[seat])
    return len(state.hands[seat]) + sum(card is not None for card in laid)


def playing(state: State) -> tuple[Seat, ...]:
    """The seats that are neither out nor resigned."""
    gone = (*state.out, *state.resigned)
    return tuple(seat for seat in range(len(state.hands)) if seat not in gone)
