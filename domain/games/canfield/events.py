"""What the player of Canfield says (imperative) and what happens (past tense)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.games.canfield.state import Reserve, Tableau
from domain.kit.patience import Foundation
from domain.kit.talon import Waste
from domain.view import Card

Source = Reserve | Waste | Foundation | Tableau
Target = Foundation | Tableau


class Draw(Struct, frozen=True, tag="canfield/draw", forbid_unknown_fields=True):
    """Turn the next card of the stock, or the next three, onto the waste."""


class Recycle(Struct, frozen=True, tag="canfield/recycle", forbid_unknown_fields=True):
    """Turn the waste over: it is the stock again, in unchanged order."""


class Move(Struct, frozen=True, tag="canfield/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move the top card, or the top `count` cards of a column, onto a column or the card's own foundation."""

    source: Annotated[Source, Meta(description="The zone that the cards leave.")]
    target: Annotated[Target, Meta(description="The zone that they go to.")]
    count: Annotated[
        int, Meta(description="How many cards, from the top; columns go on from ace to king.", ge=1, le=52)
    ] = 1


class Dealt(Concealed, frozen=True, tag="canfield/dealt"):
    """The 52 cards in dealing order: 13 of the reserve, the base card, four columns, the stock.

    The first card is the top of the reserve, for the packet is turned over; the stock's next card comes first.
    """

    cards: tuple[Card, ...]


class Drawn(Struct, frozen=True, tag="canfield/drawn"):
    """Cards came from the stock to the waste, in this order: the last is the top."""

    cards: tuple[Card, ...]


class Recycled(Struct, frozen=True, tag="canfield/recycled"):
    """The waste was turned over and is the stock."""


class Moved(Struct, frozen=True, tag="canfield/moved"):
    """Cards, bottom to top, went from one zone onto another."""

    cards: tuple[Card, ...]
    source: Source
    target: Target


class Filled(Struct, frozen=True, tag="canfield/filled"):
    """The top card of the reserve went into an empty column, as it must."""

    card: Card
    target: Tableau


class Uncovered(Struct, frozen=True, tag="canfield/uncovered"):
    """The next card of the reserve came to its top and is seen."""

    card: Card


Command = Draw | Recycle | Move
Event = Dealt | Drawn | Recycled | Moved | Filled | Uncovered

COMMANDS: tuple[type[Command], ...] = (Draw, Recycle, Move)
EVENTS: tuple[type[Event], ...] = (Dealt, Drawn, Recycled, Moved, Filled, Uncovered)
