"""What the player of Deck the Yard says."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.games.deck_the_yard.pack import BUBBLE
from domain.games.deck_the_yard.state import CLAIMS, DISCARD, HAND, LINEUP, Claims, Discards, FaceUp, Hand, Lineup
from domain.view import NamedCard

_From = Annotated[Hand, Meta(description="The zone that the card leaves.")]
_ToLineup = Annotated[Lineup, Meta(description="The zone that it goes to.")]


class PlayColour(Struct, frozen=True, tag="deck_the_yard/play_colour", forbid_unknown_fields=True):
    """Play a colour bulb as the next of the line-up."""

    card: Annotated[
        NamedCard, Meta(description="AH red, 2H green, 3H yellow, 4H blue, 5H purple or 6H pink.", examples=["AH"])
    ]
    source: _From = HAND
    target: _ToLineup = LINEUP


class PlayBubble(Struct, frozen=True, tag="deck_the_yard/play_bubble", forbid_unknown_fields=True):
    """Play a bubble bulb: the last bulb of the pattern, whatever its colour."""

    card: Annotated[Literal["*1"], Meta(description="The bubble bulb.")] = BUBBLE
    source: _From = HAND
    target: _ToLineup = LINEUP


class Discard(Struct, frozen=True, tag="deck_the_yard/discard", forbid_unknown_fields=True):
    """Discard any card of the hand."""

    card: Annotated[NamedCard, Meta(description="The card.", examples=["*2"])]
    source: _From = HAND
    target: Annotated[Discards, Meta(description="The zone that it goes to.")] = DISCARD


class UsePlug(Struct, frozen=True, tag="deck_the_yard/use_plug", forbid_unknown_fields=True):
    """Say whether a plug of the hand is discarded for the card that has been drawn."""

    use: Annotated[bool, Meta(description="Whether the plug is discarded.")]


class ClaimPattern(Struct, frozen=True, tag="deck_the_yard/claim_pattern", forbid_unknown_fields=True):
    """Choose the pattern to be claimed where the line-up completes both."""

    source: Annotated[FaceUp, Meta(description="Where the pattern lies.")]
    target: Annotated[Claims, Meta(description="The zone that it goes to.")] = CLAIMS


class EndGame(Struct, frozen=True, tag="deck_the_yard/end_game", forbid_unknown_fields=True):
    """With an empty stock: play no more of the hand, and count the claimed cards."""


Command = PlayColour | PlayBubble | Discard | UsePlug | ClaimPattern | EndGame

COMMANDS: tuple[type[Command], ...] = (PlayColour, PlayBubble, Discard, UsePlug, ClaimPattern, EndGame)
