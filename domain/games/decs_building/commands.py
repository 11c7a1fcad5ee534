"""Decs Building: what a player says."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.decs_building.board import Alternative, SpaceId, StackId
from domain.view import NamedCard

_CELLS = "The cells of the feature as row and column from 1, row 1 on top, in any order"
Coordinate = Annotated[int, Meta(ge=1, le=8)]
NamedCells = Annotated[tuple[tuple[Coordinate, Coordinate], ...], Meta(description=_CELLS, min_length=1, max_length=11)]
Payment = Annotated[
    tuple[NamedCard, ...], Meta(description="Hand cards in the order they are spent", min_length=1, max_length=3)
]


class TakeStartCard(
    Struct, frozen=True, tag="decs_building/take_start_card", forbid_unknown_fields=True, omit_defaults=True
):
    """Take the top card of a stack to the hand before the turns: compulsory."""

    source: StackId


class TakeAction(Struct, frozen=True, tag="decs_building/take_action", forbid_unknown_fields=True, omit_defaults=True):
    """Use a space of the board and pay for it.

    `source` is the suit stack of `gain_card`, `alternative` the choice of `gain_jack_queen`; no other space has one.
    `cells` says where a feature is drawn; left out, `place` follows. The payment is spent in the order of `order`, or
    else of `payment`: what is listed names the cards of each payment once, sorted, and leaves order and cells open.
    """

    space: SpaceId
    payment: Payment
    alternative: Alternative | None = None
    source: StackId | None = None
    cells: NamedCells | None = None
    order: Payment | None = None


class Place(Struct, frozen=True, tag="decs_building/place", forbid_unknown_fields=True, omit_defaults=True):
    """Draw the feature that was paid for."""

    cells: NamedCells


class Discard(Struct, frozen=True, tag="decs_building/discard", forbid_unknown_fields=True, omit_defaults=True):
    """Put a hand card, and then `more` in their order, on one's own played pile: a whole turn."""

    card: NamedCard
    more: Annotated[tuple[NamedCard, ...], Meta(description="Further hand cards", max_length=60)] | None = None


class DeclineExtra(Struct, frozen=True, tag="decs_building/decline_extra", forbid_unknown_fields=True):
    """Do without the extra action."""


class Pass(Struct, frozen=True, tag="decs_building/pass", forbid_unknown_fields=True):
    """Do nothing more in this round; what is left in the hand is kept."""


Command = TakeStartCard | TakeAction | Place | Discard | DeclineExtra | Pass
COMMANDS: tuple[type[Command], ...] = (TakeStartCard, TakeAction, Place, Discard, DeclineExtra, Pass)
