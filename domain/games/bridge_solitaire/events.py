"""What the player of Bridge Solitaire can say, and what happens then."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from domain.chance import Chance
from domain.game_type import Concealed
from domain.games.bridge_solitaire.state import Contract, Entry, Side, Strain
from domain.view import Card, NamedCard

Turn = Literal["skipped", "answers", "last_card"]
Reason = Literal["high_card", "trump", "joker", "no_answer"]
Finish = Literal["played_out", "stock_out", "conceded"]


class Select(Struct, frozen=True, tag="bridge_solitaire/select", forbid_unknown_fields=True, omit_defaults=True):
    """Keep six of the thirteen, in any order; `discard_top` is the discard left in sight (else the last dealt)."""

    cards: Annotated[
        tuple[NamedCard, ...], Meta(description="Six of `offered`, jokers among them.", min_length=6, max_length=6)
    ]
    discard_top: Annotated[NamedCard | None, Meta(description="The discard to lie on top.")] = None


class Bid(Struct, frozen=True, tag="bridge_solitaire/bid", forbid_unknown_fields=True):
    """Undertake 6 + `level` tricks, with a suit as trumps or without trumps."""

    level: Annotated[int, Meta(ge=1, le=7)]
    strain: Strain


class Pass(Struct, frozen=True, tag="bridge_solitaire/pass", forbid_unknown_fields=True):
    """Defend against the house's bid."""


class Play(Struct, frozen=True, tag="bridge_solitaire/play", forbid_unknown_fields=True):
    """Play a card from `hand_0` to `trick`."""

    card: Annotated[NamedCard, Meta(description="A card of `hand_0`.")]


class NextHand(Struct, frozen=True, tag="bridge_solitaire/next_hand", forbid_unknown_fields=True):
    """Shuffle all 54 cards and deal the rubber's next hand."""


class CloseRubber(Struct, frozen=True, tag="bridge_solitaire/close_rubber", forbid_unknown_fields=True):
    """Stop the rubber between two hands and enter the premiums of an unfinished one."""


class Dealt(Concealed, frozen=True, tag="bridge_solitaire/dealt", omit_defaults=True):
    """All 54 cards in dealing order: seven hidden, thirteen offered, 34 of stock; and the chance that remains."""

    hand: int
    cards: tuple[Card, ...]
    chance: Chance | None = None


class Selected(Struct, frozen=True, tag="bridge_solitaire/selected"):
    """The six cards kept and the seven discarded, bottom to top."""

    cards: tuple[Card, ...]
    discarded: tuple[Card, ...]


class HandShown(Struct, frozen=True, tag="bridge_solitaire/hand_shown"):
    """The seven hidden cards are turned up and join the hand."""

    cards: tuple[Card, ...]


class HouseCalled(Struct, frozen=True, tag="bridge_solitaire/house_called", omit_defaults=True):
    """The house's call; level 0 without a strain is a pass."""

    level: int = 0
    strain: Strain | None = None


class BidMade(Struct, frozen=True, tag="bridge_solitaire/bid_made"):
    level: int
    strain: Strain


class Passed(Struct, frozen=True, tag="bridge_solitaire/passed"):
    """The player lets the house play its bid."""


class ContractMade(Struct, frozen=True, tag="bridge_solitaire/contract_made"):
    """The auction is over; `vulnerable` are the sides with a game when bidding began."""

    contract: Contract
    vulnerable: tuple[Side, ...] = ()


class HouseLed(Struct, frozen=True, tag="bridge_solitaire/house_led"):
    """The top card of the stock is the house's lead."""

    card: Card


class CardPlayed(Struct, frozen=True, tag="bridge_solitaire/card_played"):
    """A card of the player's, led or in answer to the house's lead."""

    card: Card


class CardTurned(Struct, frozen=True, tag="bridge_solitaire/card_turned"):
    """One stock card turned for the player's lead: skipped, the answer, or the answer as the last of the stock."""

    card: Card
    turn: Turn


class TrickWon(Struct, frozen=True, tag="bridge_solitaire/trick_won"):
    """The trick goes to a side: by rank, by a trump, by a joker, or because the house had no answer."""

    side: Side
    reason: Reason


class RemainingWon(Struct, frozen=True, tag="bridge_solitaire/remaining_won"):
    """The stock is out: each card left in the player's hand is a trick for the player."""

    cards: tuple[Card, ...]


class HandScored(Struct, frozen=True, tag="bridge_solitaire/hand_scored"):
    """All that the score sheet needs of one hand.

    `cards` are the player's thirteen; `vulnerable` the sides with a game when bidding began; `finish` says whether
    the hand was played out, ended with the stock, or was given up (every unfinished trick to the house).
    """

    hand: int
    cards: tuple[Card, ...]
    contract: Contract
    tricks_me: int
    tricks_it: int
    vulnerable: tuple[Side, ...]
    finish: Finish
    entries: tuple[Entry, ...]


class RubberScored(Struct, frozen=True, tag="bridge_solitaire/rubber_scored"):
    """A side has two games: the rubber premium."""

    entries: tuple[Entry, ...]


class RubberClosed(Struct, frozen=True, tag="bridge_solitaire/rubber_closed"):
    """The player stops early: the premiums that are due then, if any."""

    reason: Literal["closed", "resigned"]
    entries: tuple[Entry, ...] = ()


class HandsVoided(Struct, frozen=True, tag="bridge_solitaire/hands_voided"):
    """This hand and all later ones do not count; the rubber stands as before it. No player's command makes it."""

    from_hand: Annotated[int, Meta(ge=1)]


Command = Select | Bid | Pass | Play | NextHand | CloseRubber

Event = (
    Dealt | Selected | HandShown | HouseCalled | BidMade | Passed | ContractMade | HouseLed | CardPlayed | CardTurned
    | TrickWon | RemainingWon | HandScored | RubberScored | RubberClosed | HandsVoided
)  # fmt: skip

COMMANDS: tuple[type[Command], ...] = get_args(Command)
EVENTS: tuple[type[Event], ...] = get_args(Event)
