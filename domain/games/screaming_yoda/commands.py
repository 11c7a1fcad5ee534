"""Screaming Yoda: what a player says."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.view import NamedCard

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
Cards = Annotated[
    tuple[NamedCard, ...], Meta(description="One to four cards of one rank, in any order", min_length=1, max_length=4)
]
Shouting = Annotated[bool, Meta(description="Shout Yoda with it; has an effect only if one card is then left")]
TableSeat = Annotated[int, Meta(description="A seat at the table", ge=0, le=4)]


class Play(Struct, frozen=True, tag="screaming_yoda/play", forbid_unknown_fields=True, omit_defaults=True):
    """Play cards of one rank to the pile: from the hand, from the face-up cards, or the last of the hand with such.

    `source` may be left out; otherwise it is the zone of one of the cards.
    """

    cards: Cards
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
COMMANDS: tuple[type[Command], ...] = (Play, Flip, PickUp, Shout, Call, Swap, Ready)
