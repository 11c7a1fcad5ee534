"""Cards as a terminal shows them: two characters each, suits as letters or as symbols, red ones coloured if wished."""

import re
from collections.abc import Callable, Mapping

from domain.capabilities import Face
from domain.view import FACE_DOWN, Card

Marking = Callable[[Card], str]
Faces = Mapping[Card, Face]
BACK = "##"
EMPTY = "--"
CARD = re.compile(r"(?<![A-Za-z0-9*])(?:[A2-9TJQK][SHDC]|\*[1-4])(?!\w)")
"""A card's code among words."""
_SYMBOLS = str.maketrans("SHDC", "♠♥♦♣")
_RED_CARD = re.compile(r"(?<![A-Za-z0-9*])[A2-9TJQK][HD♥♦](?![A-Za-z0-9])")
_RED, _PLAIN = "\x1b[31m", "\x1b[39m"


def marking(faces: Faces, *, suit_symbols: bool) -> Marking:
    """How cards are written in a game whose cards stand for these faces (none: they are playing cards)."""
    plain = symbols if suit_symbols else letters

    def mark(card: Card) -> str:
        face = faces.get(card)
        return plain(card) if face is None else face.mark or face.name

    return mark


def letters(card: Card) -> str:
    """`QH`, `*1`, `##` face down."""
    return BACK if card == FACE_DOWN else card


def symbols(card: Card) -> str:
    """`Q♥`, `*1`, `##` face down."""
    return letters(card)[0] + letters(card)[1:].translate(_SYMBOLS)


def coloured(text: str) -> str:
    """The text with its red cards in red, for a terminal that understands ANSI colours."""
    return _RED_CARD.sub(lambda card: f"{_RED}{card[0]}{_PLAIN}", text)
