"""What a game of Deck the Yard is made of: its cards, options, zones, state and facts, and how a line-up stands.

Cards are written as cards of two characters, and how is ours: bulbs are hearts by colour, characters clubs, patterns
spades and then diamonds; of the jokers 1 is the bubble bulb, 2 the plug, 3 the broken bulb and 4 the draw-event card.
Like cards read the same. The numbers are those of the source: 42 + 6 + 8 + 5 + 3 + 6 = 70 cards in the stock, and 18
patterns.

What is printed on the pattern and character cards is partly ours (`_STRANDS`, `CHARACTER`), and only here, so that the
originals can replace it. Reconstructed: all eighteen patterns and two characters, for want of public pictures of the
cards. Four characters are named by the publisher's campaign (crowdox.com, 2019). That a strand has five bulbs in a set
order, no colour twice, is known from descriptions of the game.
"""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, NamedTuple, get_args

from msgspec import Meta, Struct

from domain.chance import Chance
from domain.game_type import Concealed
from domain.kit.cards import RANKS
from domain.view import Card

Cards = tuple[Card, ...]

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
Phase = Literal["deal", "action", "use_plug", "claim_pattern", "finished"]

BUBBLE: Final = "*1"
PLUG: Final = "*2"
BROKEN: Final = "*3"
EVENT: Final = "*4"
_OTHERS = {BUBBLE: "bubble bulb", PLUG: "plug", BROKEN: "broken bulb", EVENT: "draw-event card"}

COLOUR: dict[Card, str] = {"AH": "red", "2H": "green", "3H": "yellow", "4H": "blue", "5H": "purple", "6H": "pink"}
"""The colour of a bulb (Christmas Lights rules on gamerules.com); the colours are not ours."""

CHARACTER: dict[Card, str] = {
    "KC": "Santa", "QC": "Mrs Claus", "JC": "Frosty", "TC": "Rudolph", "9C": "the first elf", "8C": "the second elf",
}  # fmt: skip
"""The name of a character; the last two are reconstructed."""

_STRANDS = (
    "red green pink yellow purple",
    "green yellow red blue pink",
    "yellow blue green purple red",
    "blue purple yellow pink green",
    "purple pink blue red yellow",
    "pink red purple green blue",
    "red yellow purple green pink",
    "yellow green red blue purple",
    "green blue yellow pink red",
    "blue pink green purple yellow",
    "pink purple blue red green",
    "purple red pink yellow blue",
    "red purple yellow green blue",
    "purple green red pink yellow",
    "green pink purple blue red",
    "pink blue green yellow purple",
    "blue yellow pink red green",
    "yellow red blue purple pink",
)
"""P01 to P18, left to right. Reconstructed: three Latin squares of order 6 without their last column.

So every colour is missing from three patterns and stands three times in each place; and the first two bulbs of a
line-up always leave one pattern at most.
"""

_BULB = {colour: card for card, colour in COLOUR.items()}
_PATTERN_CARDS = [rank + suit for suit in "SD" for rank in RANKS][: len(_STRANDS)]

PATTERNS: dict[Card, Cards] = {
    card: tuple(_BULB[colour] for colour in strand.split())
    for card, strand in zip(_PATTERN_CARDS, _STRANDS, strict=True)
}
"""The five bulbs of a pattern, left to right: AS is P01, KS P13, AD P14, 5D P18."""

NUMBER: dict[Card, str] = {card: f"P{number:02}" for number, card in enumerate(PATTERNS, start=1)}
"""A pattern's number, `P01` to `P18`."""

KEPT: frozenset[Card] = frozenset((*COLOUR, BUBBLE, PLUG))
"""What may be in a hand; events, characters and broken bulbs may not."""

STOCK: Cards = (*(tuple(COLOUR) * 7), *(BUBBLE,) * 6, *(PLUG,) * 8, *(BROKEN,) * 5, *(EVENT,) * 3, *CHARACTER)
"""The 70 cards of the stock."""


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


def call_card(card: Card) -> str:
    """A card without an article: `red bulb`, `plug`, `Santa`, `pattern P01`."""
    if card in COLOUR:
        return f"{COLOUR[card]} bulb"
    return _OTHERS.get(card) or CHARACTER.get(card) or f"pattern {NUMBER[card]}"


def colours(bulbs: Sequence[Card]) -> str:
    """Bulbs by their colours: `red, green, pink`."""
    return ", ".join(COLOUR[bulb] for bulb in bulbs)


def lineup(state: State) -> Cards:
    """The cards of the line-up from the left; a bubble bulb is the last."""
    return state.bulbs if state.bubble is None else (*state.bulbs, state.bubble)


def fits(state: State, pattern: Card | None) -> bool:
    """Whether the line-up is the beginning of this pattern. Our ruling: any face-up pattern may be the one in hand."""
    return pattern is not None and PATTERNS[pattern][: len(state.bulbs)] == state.bulbs


def next_bulbs(state: State) -> Cards:
    """The colour bulbs that could be played now, in the order of the colours.

    Our ruling: the first bulb too must begin a pattern that lies face up, unless `free_first_bulb` says otherwise. The
    last place is not for a colour bulb where a bubble bulb has it.
    """
    if state.options.free_first_bulb and not state.bulbs:
        return tuple(COLOUR)
    if len(lineup(state)) == STRAND:
        return ()
    playable = {PATTERNS[card][len(state.bulbs)] for card in state.face_up if card is not None and fits(state, card)}
    return tuple(bulb for bulb in COLOUR if bulb in playable)


def takes_bubble(state: State) -> bool:
    """Whether a bubble bulb may be played: one in a pattern, at any time, first and last included (our ruling).

    After a free first bulb that begins no pattern there is no pattern whose end it could be (our ruling).
    """
    return state.bubble is None and len(state.bulbs) < STRAND and any(fits(state, card) for card in state.face_up)


def completed_places(state: State) -> list[int]:
    """The places of the face-up patterns that the line-up completes: with the shipped patterns one at most."""
    if len(lineup(state)) < STRAND:
        return []
    return [place for place, card in enumerate(state.face_up) if fits(state, card)]


def phase(state: State) -> Phase:
    """What the player is to say next."""
    if state.over is not None:
        return "finished"
    if state.drawn is not None:
        return "use_plug"
    if len(completed_places(state)) > 1:
        return "claim_pattern"
    return "action" if state.hand else "deal"


class DrawnHand(NamedTuple):
    """Cards as drawn until the hand was full or the stock was used up: kept, set aside, and left in the stock."""

    kept: Cards
    aside: Cards
    left: Cards


def hand_from(stock: Cards) -> DrawnHand:
    """A hand drawn from a stock, whose last card is next: what no hand may hold is set aside and replaced."""
    hand: list[Card] = []
    aside: list[Card] = []
    for card in reversed(stock):
        if len(hand) == HAND_SIZE:
            break
        (hand if card in KEPT else aside).append(card)
    return DrawnHand(tuple(hand), tuple(aside), stock[: len(stock) - len(hand) - len(aside)])
