"""The toy's options, commands, events, state and facts."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.chance import Chance
from domain.game_type import Concealed
from domain.kit.boards import Places
from domain.kit.cards import PACK, RANK
from domain.view import Card

DECK = tuple(card for card in PACK if RANK[card] <= 6)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    hand: Annotated[int, Meta(description="Cards dealt to each seat.", ge=1, le=5)] = 3
    undo: Annotated[bool, Meta(description="Whether a step can be taken back; for one seat.")] = False
    hands: Annotated[Literal["closed", "open"], Meta(description="Who sees the hands.")] = "closed"


class Draw(Struct, frozen=True, tag="toy/draw", forbid_unknown_fields=True):
    """Take the top of the stock."""


class Lay(Struct, frozen=True, tag="toy/lay", forbid_unknown_fields=True, omit_defaults=True):
    """Lay one card, or two of equal rank in any order, with a flourish if wished."""

    source: Annotated[str, Meta(pattern="^hand_[01]$", max_length=6)]
    target: Literal["heap"]
    cards: tuple[Card, ...]
    flourish: bool | None = None


class Dealt(Concealed, frozen=True, tag="toy/dealt", omit_defaults=True):
    hands: tuple[tuple[Card, ...], ...]
    heap: tuple[Card, ...]
    stock: tuple[Card, ...]
    chance: Chance | None = None


class Drew(Concealed, frozen=True, tag="toy/drew"):
    seat: int
    card: Card


class Laid(Struct, frozen=True, tag="toy/laid"):
    seat: int
    cards: tuple[Card, ...]


class Reshuffled(Concealed, frozen=True, tag="toy/reshuffled", omit_defaults=True):
    """The heap but for its top is the stock again."""

    stock: tuple[Card, ...]
    chance: Chance | None = None


class Blocked(Struct, frozen=True, tag="toy/blocked"):
    seat: int


class State(Concealed, frozen=True, omit_defaults=True):
    options: Options
    hands: tuple[tuple[Card, ...], ...]
    heap: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()
    turn: int = 0
    draws: int = 0
    blocked: bool = False
    chance: Chance | None = None


class Facts(Struct, frozen=True, tag="toy/facts"):
    draws: int


class Material(Struct, frozen=True, tag="toy/material"):
    """What lies on the table."""

    places: Places
    pack: Annotated[tuple[Card, ...], Meta(description="The cards.")]
