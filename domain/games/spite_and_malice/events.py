"""Spite & Malice: what a player says, and what happens."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from domain.chance import Chance
from domain.game_type import Concealed
from domain.view import Card, NamedCard, Seat

Reason = Literal["two_idle_turns", "three_idle_redeals"]

# Any well-formed zone can be named, so that a card sent to the wrong place is refused by the rule it breaks.
ZoneId = Annotated[
    str,
    Meta(
        description="The id of a zone, such as `hand_0`, `stock_0`, `discard_0_2` or `play_3`",
        pattern=r"^[a-z]{4,7}(_[0-9]){0,2}$",
        max_length=11,
        examples=["hand_0"],
    ),
]


class Play(Struct, frozen=True, tag="spite_and_malice/play", forbid_unknown_fields=True, omit_defaults=True):
    """Play a card of one's own hand, discard tops or stock top to a play deck.

    `card` is named for a play from the hand. Without `target` the card goes to the lowest-numbered play deck that
    takes it; a wild card always needs a target.
    """

    source: ZoneId
    card: NamedCard | None = None
    target: ZoneId | None = None


class Discard(Struct, frozen=True, tag="spite_and_malice/discard", forbid_unknown_fields=True, omit_defaults=True):
    """Lay a hand card on any discard pile of one's own, which ends the turn; `source` can only be one's own hand."""

    card: NamedCard
    target: ZoneId
    source: ZoneId | None = None


class EndTurn(Struct, frozen=True, tag="spite_and_malice/end_turn", forbid_unknown_fields=True):
    """End the turn without a discard: only with an empty hand that could not be filled."""


Command = Play | Discard | EndTurn
COMMANDS: tuple[type[Command], ...] = get_args(Command)


class Dealt(Concealed, frozen=True, tag="spite_and_malice/dealt", omit_defaults=True):
    """Both stocks (bottom to top, the top card turned up) and the draw deck (next card first).

    Where the tops are equal another deal of all the cards follows.
    """

    stocks: tuple[tuple[Card, ...], tuple[Card, ...]]
    draw: tuple[Card, ...]
    chance: Chance | None = None


class TurnStarted(Struct, frozen=True, tag="spite_and_malice/turn_started"):
    seat: Seat


class Reshuffled(Concealed, frozen=True, tag="spite_and_malice/reshuffled", omit_defaults=True):
    """The removed heap, or with `any_draw` the draw deck itself, shuffled: the new draw deck, next card first."""

    draw: tuple[Card, ...]
    chance: Chance | None = None


class Drawn(Concealed, frozen=True, tag="spite_and_malice/drawn"):
    """Cards from the draw deck to the hand of a seat, in the order drawn."""

    seat: Seat
    cards: tuple[Card, ...]


class Played(Struct, frozen=True, tag="spite_and_malice/played"):
    """A card from the hand, the stock or a discard pile of a seat to a play deck."""

    seat: Seat
    source: str
    card: Card
    target: str


class DeckRemoved(Concealed, frozen=True, tag="spite_and_malice/deck_removed", omit_defaults=True):
    """A finished play deck leaves the table; `draw` is the draw deck as shuffled with it (`deck_removed` only)."""

    deck: str
    cards: tuple[Card, ...]
    draw: tuple[Card, ...] | None = None
    chance: Chance | None = None


class StockTurned(Struct, frozen=True, tag="spite_and_malice/stock_turned"):
    """The next card of a stock is turned up."""

    seat: Seat
    card: Card


class Discarded(Struct, frozen=True, tag="spite_and_malice/discarded"):
    seat: Seat
    card: Card
    target: str


class TurnEnded(Struct, frozen=True, tag="spite_and_malice/turn_ended"):
    """The turn ends without a discard, on an empty hand."""

    seat: Seat


class Redealt(Concealed, frozen=True, tag="spite_and_malice/redealt", omit_defaults=True):
    """Every card outside the stocks shuffled into a new draw deck, next card first."""

    draw: tuple[Card, ...]
    chance: Chance | None = None


class Exhausted(Struct, frozen=True, tag="spite_and_malice/exhausted"):
    """The seat cannot complete its draw, and the game ends."""

    seat: Seat


class Deadlocked(Struct, frozen=True, tag="spite_and_malice/deadlocked"):
    """Nothing moves on any more, and the game ends."""

    reason: Reason


Event = (
    Dealt | TurnStarted | Reshuffled | Drawn | Played | DeckRemoved | StockTurned | Discarded | TurnEnded | Redealt
    | Exhausted | Deadlocked
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = get_args(Event)
