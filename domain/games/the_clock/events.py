"""What the player of The Clock says (imperative) and what happens (past tense)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.games.the_clock.state import ACTIVE, Active, Pile
from domain.view import Card


class Step(Struct, frozen=True, tag="the_clock/step", forbid_unknown_fields=True):
    """Turn up the next card and put it where it belongs."""


class RunToEnd(Struct, frozen=True, tag="the_clock/run_to_end", forbid_unknown_fields=True):
    """Turn up card after card to the end, or until a king is to be exchanged."""


class Exchange(Struct, frozen=True, tag="the_clock/exchange", forbid_unknown_fields=True):
    """With `watch`: lay the fourth king face down in the place of a pile's top card, which is played instead."""

    target: Annotated[Pile, Meta(description="The pile on which the king is laid.")]
    source: Annotated[Active, Meta(description="Where the king lies.")] = ACTIVE


class Dealt(Concealed, frozen=True, tag="the_clock/dealt"):
    """The 52 cards in dealing order, all face down."""

    cards: tuple[Card, ...]


class Turned(Struct, frozen=True, tag="the_clock/turned"):
    """A card was turned up."""

    source: Pile
    card: Card


class Placed(Struct, frozen=True, tag="the_clock/placed"):
    """The card turned up was put face up under the pile to which it belongs."""

    card: Card
    target: Pile


class Exchanged(Struct, frozen=True, tag="the_clock/exchanged"):
    """The king lies face down on a pile, and the card that was its top has been turned up."""

    king: Card
    target: Pile
    card: Card


Command = Step | RunToEnd | Exchange
Event = Dealt | Turned | Placed | Exchanged

COMMANDS: tuple[type[Command], ...] = (Step, RunToEnd, Exchange)
EVENTS: tuple[type[Event], ...] = (Dealt, Turned, Placed, Exchanged)
