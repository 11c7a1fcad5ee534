"""Decs Building: which cards pay which cost.

A card counts by its kind alone: `*` wild, the suit of a number, or a picture's rank, small where it is black.
"""

from functools import cache
from itertools import permutations

from domain.games.decs_building.state.board import SPACES, Alternative, SpaceId
from domain.kit.cards import JOKERS, PACK, is_joker, is_red
from domain.view import Card

ANY, WILD, SUITED = "?", "*", "SHDC"
_RED = "HDJQK"

Choice = tuple[SpaceId, Alternative | None]
"""What is paid for: a space, and the alternative where it has two."""


def kinds(cards: tuple[Card, ...]) -> str:
    """The kinds of these cards, sorted."""
    return "".join(sorted(KIND[card] for card in cards))


@cache
def offers(paid: str, eased: bool) -> tuple[Choice, ...]:
    """The spaces, with their alternatives, that cards of these kinds pay for.

    `eased`: any number pays any suit symbol, and the `?` need not share a colour (after Everyone Pitch In).
    """
    ways = [(space, way) for space, entry in SPACES.items() for way in entry.ways]
    return tuple(dict.fromkeys((space, way.alternative) for space, way in ways if pays(paid, way.cost, eased)))


def payers(symbol: str, eased: bool) -> tuple[Card, ...]:
    """The cards that pay this symbol of a cost."""
    return tuple(card for card, kind in KIND.items() if _pays_symbol(kind, symbol, eased))


def pays(paid: str, cost: str, eased: bool) -> bool:
    """Whether these kinds can be matched to the symbols of the cost, one each."""
    if len(paid) != len(cost):
        return False
    return any(_matches(order, cost, eased) for order in set(permutations(paid)))


def _matches(order: tuple[str, ...], cost: str, eased: bool) -> bool:
    pairs = list(zip(order, cost, strict=True))
    if not all(_pays_symbol(kind, symbol, eased) for kind, symbol in pairs):
        return False
    return eased or len({kind in _RED for kind, symbol in pairs if symbol == ANY and kind != WILD}) < 2


def _pays_symbol(kind: str, symbol: str, eased: bool) -> bool:
    """Wild cards pay anything but a king; pictures pay their own letter, never a suit (the latter our ruling)."""
    if symbol == ANY:
        return True
    if kind == WILD:
        return symbol != "K"
    if symbol in SUITED:
        return kind in SUITED if eased else kind == symbol
    return kind.upper() == symbol


def _find_kind(card: Card) -> str:
    if is_joker(card) or card[0] == "A":
        return WILD
    if card[0] in "JQK":
        return card[0] if is_red(card) else card[0].lower()
    return card[1]


KIND: dict[Card, str] = {card: _find_kind(card) for card in (*PACK, *JOKERS)}
