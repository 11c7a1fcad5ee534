"""What the player of Seahaven Towers says (imperative) and what happens (past tense)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.seahaven_towers.state import Tableau, Tower
from domain.kit.patience import Foundation
from domain.view import Card

Source = Tower | Tableau
Target = Tower | Foundation | Tableau


class Move(Struct, frozen=True, tag="seahaven_towers/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move a card, or the top `count` cards of a column, to a column, a tower or the card's own foundation."""

    source: Annotated[Source, Meta(description="The zone that the cards leave.")]
    target: Annotated[Target, Meta(description="The zone that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=13)] = 1


class Standard(Struct, frozen=True, tag="seahaven_towers/standard", forbid_unknown_fields=True):
    """A move in standard notation; it stands for the `seahaven_towers/move` that it spells."""

    move: Annotated[
        str,
        Meta(
            description=(
                "From, then to: columns `1` to `10`, towers `a` to `d`, `h` home. From column to column as many cards "
                "move as can, or those that a count after `v` says (hexadecimal): `26`, `a10`, `5h`, `26v3`."
            ),
            examples=["26"],
            pattern=r"^((10|[1-9])(10|[1-9a-dh])|[a-d](10|[1-9h]))(v[1-9a-d])?$",
            max_length=6,
        ),
    ]


class Dealt(Struct, frozen=True, tag="seahaven_towers/dealt"):
    """The 52 cards in dealing order: row by row over the ten columns, then the second and the third tower."""

    cards: tuple[Card, ...]


class Moved(Struct, frozen=True, tag="seahaven_towers/moved"):
    """Cards, bottom to top, went from one zone to another; `standard` is the move in standard notation."""

    cards: tuple[Card, ...]
    source: Source
    target: Target
    standard: str


Command = Move | Standard
Event = Dealt | Moved

COMMANDS: tuple[type[Command], ...] = (Move, Standard)
EVENTS: tuple[type[Event], ...] = (Dealt, Moved)
