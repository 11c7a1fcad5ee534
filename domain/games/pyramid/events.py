"""What the player of Pyramid says (imperative) and what happens (past tense)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.games.pyramid.state import Discard, Source
from domain.view import Card


class Draw(Struct, frozen=True, tag="pyramid/draw", forbid_unknown_fields=True):
    """Turn the next card of the stock, or the next three, onto the waste."""


class Recycle(Struct, frozen=True, tag="pyramid/recycle", forbid_unknown_fields=True):
    """Turn the waste over: it is the stock again, in unchanged order."""


class Remove(Struct, frozen=True, tag="pyramid/remove", forbid_unknown_fields=True):
    """Discard a pair that makes thirteen, or a king alone.

    A pair is named by its two zones, in either order (`pyramid_6_0` and `waste`), a king by its zone and `discard`. The
    waste twice is its top card with the one beneath.
    """

    source: Annotated[Source, Meta(description="The zone of the king, or of one card of the pair.")]
    target: Annotated[Source | Discard, Meta(description="`discard` for a king, else the zone of the other card.")]


class Dealt(Concealed, frozen=True, tag="pyramid/dealt"):
    """The 52 cards in dealing order: the pyramid from the top, row by row, then the stock, its next card first."""

    cards: tuple[Card, ...]


class Drawn(Struct, frozen=True, tag="pyramid/drawn"):
    """Cards came from the stock to the waste, in this order: the last is the top."""

    cards: tuple[Card, ...]


class Recycled(Struct, frozen=True, tag="pyramid/recycled"):
    """The waste was turned over and is the stock."""


class Removed(Struct, frozen=True, tag="pyramid/removed"):
    """A king or a pair was discarded, each card from the zone at its place in `sources`."""

    cards: tuple[Card, ...]
    sources: tuple[Source, ...]


class Turned(Struct, frozen=True, tag="pyramid/turned"):
    """The top card of the stock was turned face up, where it lies."""

    card: Card


Command = Draw | Recycle | Remove
Event = Dealt | Drawn | Recycled | Removed | Turned

COMMANDS: tuple[type[Command], ...] = (Draw, Recycle, Remove)
EVENTS: tuple[type[Event], ...] = (Dealt, Drawn, Recycled, Removed, Turned)
