"""What the player of FreeCell says (imperative) and what happens (past tense)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.freecell.state import Cell, Tableau
from domain.kit.patience import Foundation
from domain.view import Card

Source = Cell | Foundation | Tableau
Target = Cell | Foundation | Tableau


class Move(Struct, frozen=True, tag="freecell/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move a card, or the top `count` cards of a column, to a column, a free cell or the card's own foundation."""

    source: Annotated[Source, Meta(description="The zone that the cards leave.")]
    target: Annotated[Target, Meta(description="The zone that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=13)] = 1


class Standard(Struct, frozen=True, tag="freecell/standard", forbid_unknown_fields=True):
    """A move in standard FreeCell notation; it stands for the `freecell/move` that it spells."""

    move: Annotated[
        str,
        Meta(
            description=(
                "From, then to: columns `1` to `8`, free cells `a` to `d`, `h` home. From column to column as many "
                "cards move as can, or those that a count after `v` says (hexadecimal): `26`, `a3`, `5h`, `26v3`."
            ),
            examples=["26"],
            pattern=r"^([1-8][1-8a-dh]|[a-d][1-8h])(v[1-9a-d])?$",
            max_length=4,
        ),
    ]


class Dealt(Struct, frozen=True, tag="freecell/dealt"):
    """The 52 cards in dealing order: row by row over the eight columns."""

    cards: tuple[Card, ...]


class Moved(Struct, frozen=True, tag="freecell/moved", omit_defaults=True):
    """Cards, bottom to top, went from one zone to another.

    `standard` is the move in standard notation; it has none for a card that comes back from a foundation.
    """

    cards: tuple[Card, ...]
    source: Source
    target: Target
    standard: str | None = None


Command = Move | Standard
Event = Dealt | Moved

COMMANDS: tuple[type[Command], ...] = (Move, Standard)
EVENTS: tuple[type[Event], ...] = (Dealt, Moved)
