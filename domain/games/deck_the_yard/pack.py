"""The cards of Deck the Yard, each written as a card of two characters, and their names.

How they are written is ours: bulbs are hearts by colour, characters clubs, patterns spades and then diamonds; of the
jokers 1 is the bubble bulb, 2 the plug, 3 the broken bulb and 4 the draw-event card. Like cards read the same. The
numbers are those of the source: 42 + 6 + 8 + 5 + 3 + 6 = 70 cards in the stock, and 18 patterns.
"""

from collections.abc import Sequence
from typing import Final

from domain.games.deck_the_yard import reconstructed
from domain.kit.cards import RANKS
from domain.view import Card

Cards = tuple[Card, ...]


def _written(suit: str, count: int, ranks: str = RANKS) -> Cards:
    return tuple(rank + suit for rank in ranks[:count])


BUBBLE: Final = "*1"
PLUG: Final = "*2"
BROKEN: Final = "*3"
EVENT: Final = "*4"

COLOUR: dict[Card, str] = dict(zip(_written("H", 6), reconstructed.COLOURS, strict=True))
"""The colour of a bulb: AH red, 2H green, 3H yellow, 4H blue, 5H purple, 6H pink."""

CHARACTER: dict[Card, str] = dict(zip(_written("C", 6, RANKS[::-1]), reconstructed.CHARACTERS, strict=True))
"""The name of a character: KC Santa to 8C the second elf."""

_BULB = {colour: card for card, colour in COLOUR.items()}
_PATTERN_CARDS = _written("S", 13) + _written("D", len(reconstructed.PATTERNS) - 13)

PATTERNS: dict[Card, Cards] = {
    card: tuple(_BULB[colour] for colour in colours)
    for card, colours in zip(_PATTERN_CARDS, reconstructed.PATTERNS, strict=True)
}
"""The five bulbs of a pattern, left to right: AS is P01, KS P13, AD P14, 5D P18."""

NUMBER: dict[Card, str] = {card: f"P{number:02}" for number, card in enumerate(PATTERNS, start=1)}
"""A pattern's number, `P01` to `P18`."""

KEPT: frozenset[Card] = frozenset((*COLOUR, BUBBLE, PLUG))
"""What may be in a hand; events, characters and broken bulbs may not."""

STOCK: Cards = (*(tuple(COLOUR) * 7), *(BUBBLE,) * 6, *(PLUG,) * 8, *(BROKEN,) * 5, *(EVENT,) * 3, *CHARACTER)
"""The 70 cards of the stock."""

_OTHERS = {BUBBLE: "bubble bulb", PLUG: "plug", BROKEN: "broken bulb", EVENT: "draw-event card"}


def called(card: Card) -> str:
    """A card without an article: `red bulb`, `plug`, `Santa`, `pattern P01`."""
    if card in COLOUR:
        return f"{COLOUR[card]} bulb"
    return _OTHERS.get(card) or CHARACTER.get(card) or f"pattern {NUMBER[card]}"


def colours(bulbs: Sequence[Card]) -> str:
    """Bulbs by their colours: `red, green, pink`."""
    return ", ".join(COLOUR[bulb] for bulb in bulbs)
