"""What the player of Forty Thieves says (imperative) and what happens (past tense)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.games.forty_thieves.state import Foundation, Tableau
from domain.kit.talon import Waste
from domain.view import Card

Source = Waste | Tableau
Target = Foundation | Tableau


class Draw(Struct, frozen=True, tag="forty_thieves/draw", forbid_unknown_fields=True):
    """Turn the next card of the stock onto the waste."""


class Recycle(Struct, frozen=True, tag="forty_thieves/recycle", forbid_unknown_fields=True):
    """Turn the waste over: it is the stock again, in unchanged order. Only where there is more than one pass."""


class Move(Struct, frozen=True, tag="forty_thieves/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move the top card, or with the option `runs` the top `count` cards of a column, onto a column or home."""

    source: Annotated[Source, Meta(description="The zone that the cards leave.")]
    target: Annotated[Target, Meta(description="The zone that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=13)] = 1


class Dealt(Concealed, frozen=True, tag="forty_thieves/dealt"):
    """The 104 cards in dealing order: four rows over the ten columns, then the stock, its next card first."""

    cards: tuple[Card, ...]


class Drawn(Struct, frozen=True, tag="forty_thieves/drawn"):
    """A card, the only one of these, came from the stock to the waste."""

    cards: tuple[Card, ...]


class Recycled(Struct, frozen=True, tag="forty_thieves/recycled"):
    """The waste was turned over and is the stock."""


class Moved(Struct, frozen=True, tag="forty_thieves/moved"):
    """Cards, bottom to top, went from one zone onto another."""

    cards: tuple[Card, ...]
    source: Source
    target: Target


Command = Draw | Recycle | Move
Event = Dealt | Drawn | Recycled | Moved

COMMANDS: tuple[type[Command], ...] = (Draw, Recycle, Move)
EVENTS: tuple[type[Event], ...] = (Dealt, Drawn, Recycled, Moved)
