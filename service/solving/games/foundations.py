"""Cards as numbers, 1 to 52 in the order of PACK, and which of them none needs."""

from service.solving.compiled import compiled
from service.solving.engine import Numbers


@compiled
def rank_of(card: int) -> int:
    """Ace 1 to king 13."""
    return (card - 1) % 13 + 1


@compiled
def is_red(card: int) -> bool:
    """Hearts and diamonds are the suits 1 and 2."""
    return 14 <= card <= 39


@compiled
def no_card_needs(home: Numbers, suit: int) -> bool:
    """Whether none needs the next card of this suit, where columns are built in alternating colours.

    The two cards that could lie on it are home or next to go home, and so is the one of its colour that could lie on
    those (the rule is known from FreeCell programs, after K. Horne).
    """
    count = home[suit]
    other = 1 if suit == 0 or suit == 3 else 0
    return bool(home[other] >= count - 1 and home[3 - other] >= count - 1 and home[3 - suit] >= count - 2)
