"""Spite & Malice: what a player says."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.view import NamedCard

# Any well-formed zone can be named, so that a card sent to the wrong place is refused by the rule it breaks.
ZoneId = Annotated[
    str,
    Meta(
        description="The id of a zone, such as `hand_0`, `stock_0`, `discard_0_2` or `play_3`",
        pattern=r"^[a-z]{4,7}(_[0-9]){0,2}$",
        max_length=11,
        examples=["hand_0"],
    ),
]


class Play(Struct, frozen=True, tag="spite_and_malice/play", forbid_unknown_fields=True, omit_defaults=True):
    """Play a card of one's own hand, discard tops or stock top to a play deck.

    `card` is named for a play from the hand. Without `target` the card goes to the lowest-numbered play deck that
    takes it; a wild card always needs a target.
    """

    source: ZoneId
    card: NamedCard | None = None
    target: ZoneId | None = None


class Discard(Struct, frozen=True, tag="spite_and_malice/discard", forbid_unknown_fields=True, omit_defaults=True):
    """Lay a hand card on any discard pile of one's own, which ends the turn; `source` can only be one's own hand."""

    card: NamedCard
    target: ZoneId
    source: ZoneId | None = None


class EndTurn(Struct, frozen=True, tag="spite_and_malice/end_turn", forbid_unknown_fields=True):
    """End the turn without a discard: only with an empty hand that could not be filled."""


Command = Play | Discard | EndTurn
COMMANDS: tuple[type[Command], ...] = (Play, Discard, EndTurn)
