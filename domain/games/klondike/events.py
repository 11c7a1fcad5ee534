"""What the player of Klondike says (imperative) and what happens (past tense)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.games.klondike.state import Tableau
from domain.kit.patience import Foundation
from domain.kit.talon import Waste
from domain.view import Card

Source = Waste | Foundation | Tableau
Target = Foundation | Tableau


class Draw(Struct, frozen=True, tag="klondike/draw", forbid_unknown_fields=True):
    """Turn the next card of the stock, or the next three, onto the waste."""


class Recycle(Struct, frozen=True, tag="klondike/recycle", forbid_unknown_fields=True):
    """Turn the waste over: it is the stock again, in unchanged order."""


class Move(Struct, frozen=True, tag="klondike/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move the top card, or the top `count` cards of a column, onto a column or the cards' own foundation."""

    source: Annotated[Source, Meta(description="The zone that the cards leave.")]
    target: Annotated[Target, Meta(description="The zone that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=13)] = 1


class Dealt(Concealed, frozen=True, tag="klondike/dealt"):
    """The 52 cards in dealing order: rows over the seven columns first, then the stock, its next card first."""

    cards: tuple[Card, ...]


class Drawn(Struct, frozen=True, tag="klondike/drawn"):
    """Cards came from the stock to the waste, in this order: the last is the top."""

    cards: tuple[Card, ...]


class Recycled(Struct, frozen=True, tag="klondike/recycled"):
    """The waste was turned over and is the stock."""


class Moved(Struct, frozen=True, tag="klondike/moved"):
    """Cards, bottom to top, went from one zone onto another."""

    cards: tuple[Card, ...]
    source: Source
    target: Target


class Turned(Struct, frozen=True, tag="klondike/turned"):
    """A face-down card was uncovered and turned up."""

    source: Tableau
    card: Card


Command = Draw | Recycle | Move
Event = Dealt | Drawn | Recycled | Moved | Turned

COMMANDS: tuple[type[Command], ...] = (Draw, Recycle, Move)
EVENTS: tuple[type[Event], ...] = (Dealt, Drawn, Recycled, Moved, Turned)
