"""Screaming Yoda: what a player says, and what happens."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from domain.chance import Chance
from domain.game_type import Concealed
from domain.view import Card, NamedCard, Seat

Clearing = Literal["ten", "four_of_a_kind"]

# Any well-formed zone can be named, so that a card sent to the wrong place is refused by the rule it breaks.
ZoneId = Annotated[
    str,
    Meta(
        description="The id of a zone: `pile`, `draw`, `removed`, `hand_0` or `column_0_2`",
        pattern=r"^[a-z]{4,7}(_[0-9]){0,2}$",
        max_length=11,
        examples=["pile"],
    ),
]
NamedCards = Annotated[
    tuple[NamedCard, ...], Meta(description="One to four cards of one rank, in any order", min_length=1, max_length=4)
]
Shouting = Annotated[bool, Meta(description="Shout Yoda with it; has an effect only if one card is then left")]
TableSeat = Annotated[int, Meta(description="A seat at the table", ge=0, le=4)]


class Play(Struct, frozen=True, tag="screaming_yoda/play", forbid_unknown_fields=True, omit_defaults=True):
    """Play cards of one rank to the pile: from the hand, from the face-up cards, or the last of the hand with such.

    `source` may be left out; otherwise it is the zone of one of the cards.
    """

    cards: NamedCards
    source: ZoneId | None = None
    target: ZoneId | None = None
    shout: Shouting = False


class Flip(Struct, frozen=True, tag="screaming_yoda/flip", forbid_unknown_fields=True, omit_defaults=True):
    """Turn a face-down card of one's own onto the pile; if it may not be played it is taken with the whole pile."""

    source: ZoneId
    target: ZoneId | None = None
    shout: Shouting = False


class PickUp(Struct, frozen=True, tag="screaming_yoda/pick_up", forbid_unknown_fields=True):
    """Take the whole pile to the hand, which ends the turn."""


class Shout(Struct, frozen=True, tag="screaming_yoda/shout", forbid_unknown_fields=True):
    """Shout Yoda: one card is left and nobody has called yet. At any time, on turn or not."""


class Call(Struct, frozen=True, tag="screaming_yoda/call", forbid_unknown_fields=True):
    """Say it first: another seat has one card left and has not shouted. At any time, on turn or not."""

    seat: TableSeat


class Swap(Struct, frozen=True, tag="screaming_yoda/swap", forbid_unknown_fields=True, omit_defaults=True):
    """Exchange a hand card for the face-up card of a column of one's own, before play."""

    card: NamedCard
    target: ZoneId
    source: ZoneId | None = None


class Ready(Struct, frozen=True, tag="screaming_yoda/ready", forbid_unknown_fields=True):
    """Exchange no more; play begins when every seat is ready."""


Command = Play | Flip | PickUp | Shout | Call | Swap | Ready
COMMANDS: tuple[type[Command], ...] = get_args(Command)


class Dealt(Concealed, frozen=True, tag="screaming_yoda/dealt", omit_defaults=True):
    """Hands and columns by seat, and the draw pile (next card first); `first` was dealt to first and leads."""

    first: Seat
    face_down: tuple[tuple[Card, ...], ...]
    face_up: tuple[tuple[Card, ...], ...]
    hands: tuple[tuple[Card, ...], ...]
    draw: tuple[Card, ...]
    chance: Chance | None = None


class TurnedUp(Struct, frozen=True, tag="screaming_yoda/turned_up"):
    """The next card of the draw pile starts the pile."""

    card: Card


class Swapped(Struct, frozen=True, tag="screaming_yoda/swapped"):
    """A hand card lies face up on a column now; `taken` lay there and is in the hand."""

    seat: Seat
    card: Card
    column: int
    taken: Card


class BecameReady(Struct, frozen=True, tag="screaming_yoda/became_ready"):
    """The seat exchanges no more."""

    seat: Seat


class TurnStarted(Struct, frozen=True, tag="screaming_yoda/turn_started", omit_defaults=True):
    """The seat is on turn; `again` after it has cleared the pile."""

    seat: Seat
    again: bool = False


class Played(Struct, frozen=True, tag="screaming_yoda/played", omit_defaults=True):
    """Cards went to the pile, in this order: those of the hand, then the face-up cards of `columns`."""

    seat: Seat
    cards: tuple[Card, ...]
    columns: tuple[int, ...] = ()


class Flipped(Struct, frozen=True, tag="screaming_yoda/flipped"):
    """A face-down card was turned up on the pile; if it may not be played `picked_up` follows."""

    seat: Seat
    column: int
    card: Card


class PickedUp(Struct, frozen=True, tag="screaming_yoda/picked_up"):
    """The whole pile, bottom to top, went to a hand."""

    seat: Seat
    cards: tuple[Card, ...]


class Cleared(Struct, frozen=True, tag="screaming_yoda/cleared"):
    """The whole pile, bottom to top, was removed from play."""

    reason: Clearing
    cards: tuple[Card, ...]


class Drawn(Concealed, frozen=True, tag="screaming_yoda/drawn"):
    """Cards came from the draw pile to a hand, in this order."""

    seat: Seat
    cards: tuple[Card, ...]


class WentOut(Struct, frozen=True, tag="screaming_yoda/went_out"):
    """The seat has played its last card."""

    seat: Seat


class OneLeft(Struct, frozen=True, tag="screaming_yoda/one_left"):
    """The seat has one card left and has not shouted: it can be called."""

    seat: Seat


class Shouted(Struct, frozen=True, tag="screaming_yoda/shouted"):
    """The seat has shouted Yoda and cannot be called."""

    seat: Seat


class Caught(Struct, frozen=True, tag="screaming_yoda/caught"):
    """Seat `by` said it first: `seat` draws cards and loses a turn."""

    seat: Seat
    by: Seat


class FalselyCalled(Struct, frozen=True, tag="screaming_yoda/falsely_called"):
    """Seat `by` called `seat` without cause."""

    seat: Seat
    by: Seat


class Penalised(Concealed, frozen=True, tag="screaming_yoda/penalised", omit_defaults=True):
    """Cards to a hand: `drawn` from the shuffled removed cards, `from_pile` openly from the pile.

    `removed` are the removed cards that remain, in their new order; None if none was drawn from them.
    """

    seat: Seat
    drawn: tuple[Card, ...] = ()
    from_pile: tuple[Card, ...] = ()
    removed: tuple[Card, ...] | None = None
    chance: Chance | None = None


class Skipped(Struct, frozen=True, tag="screaming_yoda/skipped"):
    """The seat loses this turn."""

    seat: Seat


class Withdrawn(Struct, frozen=True, tag="screaming_yoda/withdrawn"):
    """The seat has resigned: its cards stay where they lie, out of play."""

    seat: Seat


Event = (
    Dealt | TurnedUp | Swapped | BecameReady | TurnStarted | Played | Flipped | PickedUp | Cleared | Drawn | WentOut
    | OneLeft | Shouted | Caught | FalselyCalled | Penalised | Skipped | Withdrawn
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = get_args(Event)
