"""What the player of Deck the Yard says, and what happens in a game of it."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from domain.chance import Chance
from domain.game_type import Concealed
from domain.games.deck_the_yard import state as yard
from domain.games.deck_the_yard.state import Cards, FaceUp
from domain.view import Card, NamedCard

_From = Annotated[yard.Hand, Meta(description="The zone that the card leaves.")]
_ToLineup = Annotated[yard.Lineup, Meta(description="The zone that it goes to.")]


class PlayColour(Struct, frozen=True, tag="deck_the_yard/play_colour", forbid_unknown_fields=True):
    """Play a colour bulb as the next of the line-up."""

    card: Annotated[
        NamedCard, Meta(description="AH red, 2H green, 3H yellow, 4H blue, 5H purple or 6H pink.", examples=["AH"])
    ]
    source: _From = yard.HAND
    target: _ToLineup = yard.LINEUP


class PlayBubble(Struct, frozen=True, tag="deck_the_yard/play_bubble", forbid_unknown_fields=True):
    """Play a bubble bulb: the last bulb of the pattern, whatever its colour."""

    card: Annotated[Literal["*1"], Meta(description="The bubble bulb.")] = yard.BUBBLE
    source: _From = yard.HAND
    target: _ToLineup = yard.LINEUP


class Discard(Struct, frozen=True, tag="deck_the_yard/discard", forbid_unknown_fields=True):
    """Discard any card of the hand."""

    card: Annotated[NamedCard, Meta(description="The card.", examples=["*2"])]
    source: _From = yard.HAND
    target: Annotated[yard.Discards, Meta(description="The zone that it goes to.")] = yard.DISCARD


class UsePlug(Struct, frozen=True, tag="deck_the_yard/use_plug", forbid_unknown_fields=True):
    """Say whether a plug of the hand is discarded for the card that has been drawn."""

    use: Annotated[bool, Meta(description="Whether the plug is discarded.")]


class ClaimPattern(Struct, frozen=True, tag="deck_the_yard/claim_pattern", forbid_unknown_fields=True):
    """Choose the pattern to be claimed where the line-up completes both."""

    source: Annotated[FaceUp, Meta(description="Where the pattern lies.")]
    target: Annotated[yard.Claims, Meta(description="The zone that it goes to.")] = yard.CLAIMS


class EndGame(Struct, frozen=True, tag="deck_the_yard/end_game", forbid_unknown_fields=True):
    """With an empty stock: play no more of the hand, and count the claimed cards."""


Command = PlayColour | PlayBubble | Discard | UsePlug | ClaimPattern | EndGame
COMMANDS: tuple[type[Command], ...] = get_args(Command)


class Dealt(Concealed, frozen=True, tag="deck_the_yard/dealt", omit_defaults=True):
    """The 18 patterns and the 70 other cards in dealing order.

    The first two patterns lie face up. The first five cards that a hand may hold are the opening hand; the others met
    on the way are set aside and go back under the stock, which is shuffled before the next card is drawn.
    """

    patterns: Cards
    cards: Cards
    chance: Chance | None = None


class StockShuffled(Concealed, frozen=True, tag="deck_the_yard/stock_shuffled", omit_defaults=True):
    """The stock was shuffled with the cards that had been set aside: its new order, bottom to top."""

    stock: Cards
    chance: Chance | None = None


class ColourPlayed(Struct, frozen=True, tag="deck_the_yard/colour_played"):
    """A colour bulb went to the line-up as its next bulb."""

    card: Card


class BubblePlayed(Struct, frozen=True, tag="deck_the_yard/bubble_played"):
    """A bubble bulb went to the far right of the line-up."""

    card: Card


class Discarded(Struct, frozen=True, tag="deck_the_yard/discarded"):
    """A card of the hand was discarded."""

    card: Card


class PatternClaimed(Struct, frozen=True, tag="deck_the_yard/pattern_claimed"):
    """The line-up completed a pattern, which was claimed; the five bulbs were discarded."""

    source: FaceUp
    pattern: Card
    lineup: Cards


class PatternRevealed(Struct, frozen=True, tag="deck_the_yard/pattern_revealed"):
    """The next pattern was turned up."""

    target: FaceUp
    pattern: Card


class Drawn(Struct, frozen=True, tag="deck_the_yard/drawn"):
    """A card was drawn: bulbs and plugs go to the hand, any other is resolved next."""

    card: Card


class EventCardResolved(Struct, frozen=True, tag="deck_the_yard/event_card_resolved", omit_defaults=True):
    """An event card was discarded, with a plug; or without one, the power went out and the whole hand went too."""

    card: Card
    power_outage: bool
    plug: Card | None = None
    hand: Cards = ()


class HandRedrawn(Struct, frozen=True, tag="deck_the_yard/hand_redrawn"):
    """After a power outage, in drawing order: bulbs and plugs are the new hand, the others go back to the stock."""

    cards: Cards


class CharacterResolved(Struct, frozen=True, tag="deck_the_yard/character_resolved", omit_defaults=True):
    """A character was claimed with a plug, or discarded without."""

    card: Card
    claimed: bool
    plug: Card | None = None


class BrokenBulbResolved(Struct, frozen=True, tag="deck_the_yard/broken_bulb_resolved", omit_defaults=True):
    """A broken bulb was discarded, with a plug or, without one, with the whole line-up."""

    card: Card
    plug: Card | None = None
    lineup: Cards = ()


class PlayEnded(Struct, frozen=True, tag="deck_the_yard/play_ended"):
    """The claims are counted."""

    reason: yard.Over


Event = (
    Dealt | StockShuffled | ColourPlayed | BubblePlayed | Discarded | PatternClaimed | PatternRevealed | Drawn
    | EventCardResolved | HandRedrawn | CharacterResolved | BrokenBulbResolved | PlayEnded
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = get_args(Event)
