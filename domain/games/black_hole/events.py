"""What the player of Black Hole says (imperative) and what happens (past tense)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.black_hole.state import Foundation, Tableau
from domain.view import Card


class Move(Struct, frozen=True, tag="black_hole/move", forbid_unknown_fields=True):
    """Move the top card of a pile onto the foundation."""

    source: Annotated[Tableau, Meta(description="The pile that the card leaves.")]
    target: Annotated[Foundation, Meta(description="Where it goes: the foundation, in every case.")]


class Dealt(Struct, frozen=True, tag="black_hole/dealt"):
    """The start card, and the other 51 in dealing order: three to each pile, pile after pile, the last on top."""

    start: Card
    cards: tuple[Card, ...]


class Moved(Struct, frozen=True, tag="black_hole/moved"):
    """A card went from a pile onto the foundation."""

    card: Card
    source: Tableau
    target: Foundation


Command = Move
Event = Dealt | Moved

COMMANDS: tuple[type[Command], ...] = (Move,)
EVENTS: tuple[type[Event], ...] = (Dealt, Moved)
