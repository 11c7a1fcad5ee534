"""What a game of Deck the Yard is made of: its options, its zones and its state."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.chance import Chance
from domain.game_type import Concealed
from domain.games.deck_the_yard.pack import Cards
from domain.view import Card

Hand = Literal["hand_0"]
Lineup = Literal["lineup"]
Discards = Literal["discard"]
Claims = Literal["claims"]
FaceUp = Literal["pattern_0", "pattern_1"]

HAND: Final[Hand] = "hand_0"
LINEUP: Final[Lineup] = "lineup"
DISCARD: Final[Discards] = "discard"
CLAIMS: Final[Claims] = "claims"
FACE_UP: Final[tuple[FaceUp, ...]] = get_args(FaceUp)

PLACE: dict[str, int] = {zone: place for place, zone in enumerate(FACE_UP)}
"""The number of a face-up pattern's place, by zone."""

HAND_SIZE: Final = 5
STRAND: Final = 5
"""Bulbs in a pattern."""
TO_WIN: Final = 8
"""Claimed cards that win."""

Over = Literal["eight_claims", "hand_empty", "ended_by_player"]


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Deck the Yard is played."""

    free_first_bulb: Annotated[
        bool, Meta(description="The first bulb of a line-up may have any colour, even one that begins no pattern.")
    ] = False
    play_on: Annotated[
        bool, Meta(description="The game goes on after the eighth claim, for a higher number of claimed cards.")
    ] = False


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. Piles run bottom to top: the last card of `stock` and of `pattern_stock` is next.

    `bulbs` is the line-up from the left without its bubble bulb. `drawn` is a card that has been drawn and lies
    nowhere yet: between two commands, one for which a plug may be used. With `unshuffled` the stock is to be shuffled
    before a card is drawn: cards that were set aside lie at its bottom.
    """

    options: Options
    stock: Cards = ()
    hand: Cards = ()
    bulbs: Cards = ()
    bubble: Card | None = None
    face_up: tuple[Card | None, Card | None] = (None, None)
    pattern_stock: Cards = ()
    claims: Cards = ()
    discard: Cards = ()
    drawn: Card | None = None
    unshuffled: bool = False
    over: Over | None = None
    chance: Chance | None = None


class Pattern(Struct, frozen=True):
    """A face-up pattern: its card, its number, its colours left to right, whether the line-up still fits it."""

    card: Card
    number: str
    colours: tuple[str, ...]
    fits: bool


class Facts(Struct, frozen=True, tag="deck_the_yard/facts"):
    """The table in words, and what the piles do not say.

    `next_colours` are those that could be played now if they were in the hand; `drawn` is the card for which a plug may
    be used.
    """

    patterns: tuple[Pattern, ...]
    lineup: tuple[str, ...]
    hand: tuple[str, ...]
    next_colours: tuple[str, ...]
    drawn: str | None
    claims: tuple[str, ...]
    claimed: int


def lineup(state: State) -> Cards:
    """The cards of the line-up from the left; a bubble bulb is the last."""
    return state.bulbs if state.bubble is None else (*state.bulbs, state.bubble)
