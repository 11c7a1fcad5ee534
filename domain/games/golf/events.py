"""What the player of Golf says (imperative) and what happens (past tense)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.games.golf.state import Discard, Tableau
from domain.view import Card


class Draw(Struct, frozen=True, tag="golf/draw", forbid_unknown_fields=True):
    """Turn the next card of the stock onto the discard pile."""


class Move(Struct, frozen=True, tag="golf/move", forbid_unknown_fields=True):
    """Play the top card of a column onto the discard pile."""

    source: Annotated[Tableau, Meta(description="The column that the card leaves.")]
    target: Annotated[Discard, Meta(description="Where it goes: the discard pile, in every case.")]


class Dealt(Concealed, frozen=True, tag="golf/dealt"):
    """The 52 cards in dealing order: five rows over the seven columns, the first discard, then the stock."""

    cards: tuple[Card, ...]


class Drawn(Struct, frozen=True, tag="golf/drawn"):
    """A card came from the stock to the discard pile."""

    card: Card


class Moved(Struct, frozen=True, tag="golf/moved"):
    """A card was played from a column onto the discard pile."""

    card: Card
    source: Tableau
    target: Discard


class Counted(Struct, frozen=True, tag="golf/counted"):
    """The player gave up: what is left in the columns is counted."""


Command = Draw | Move
Event = Dealt | Drawn | Moved | Counted

COMMANDS: tuple[type[Command], ...] = (Draw, Move)
EVENTS: tuple[type[Event], ...] = (Dealt, Drawn, Moved, Counted)
