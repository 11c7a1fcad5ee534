"""When a card may go home at once because no card can still need to lie on it."""

from collections.abc import Sequence


def safe_home(foundations: Sequence[int], suit: int) -> bool:
    """Whether the next card of this suit is needed by none, where columns are built down in alternating colours.

    The two cards that could lie on it are home or next to go home, and so is the one of its colour that could lie on
    those (the rule is known from FreeCell programs, after K. Horne). Suits are numbered as in domain.kit.cards.SUITS.
    """
    count = foundations[suit]
    others = (1, 2) if suit in (0, 3) else (0, 3)
    return all(foundations[other] >= count - 1 for other in others) and foundations[3 - suit] >= count - 2
