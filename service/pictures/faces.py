"""Cards as a terminal shows them: two characters each, suits as letters or as symbols, red ones coloured if wished."""

import re
from collections.abc import Callable

from domain.game_type import FACE_DOWN, Card

Face = Callable[[Card], str]
BACK = "##"
EMPTY = "--"
_SYMBOLS = str.maketrans("SHDC", "♠♥♦♣")
_RED_CARD = re.compile(r"(?<![A-Za-z0-9*])[A2-9TJQK][HD♥♦](?![A-Za-z0-9])")
_RED, _PLAIN = "\x1b[31m", "\x1b[39m"


def letters(card: Card) -> str:
    """`QH`, `*1`, `##` face down."""
    return BACK if card == FACE_DOWN else card


def symbols(card: Card) -> str:
    """`Q♥`, `*1`, `##` face down."""
    return letters(card)[0] + letters(card)[1:].translate(_SYMBOLS)


def coloured(text: str) -> str:
    """The text with its red cards in red, for a terminal that understands ANSI colours."""
    return _RED_CARD.sub(lambda card: f"{_RED}{card[0]}{_PLAIN}", text)
