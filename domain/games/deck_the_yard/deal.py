"""The empty table, the deal and the opening hand."""

from typing import NamedTuple

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.deck_the_yard.events import Dealt
from domain.games.deck_the_yard.pack import KEPT, PATTERNS, STOCK, Cards
from domain.games.deck_the_yard.state import HAND_SIZE, Options, State


class Hand(NamedTuple):
    """Cards as drawn until the hand was full or the stock was used up: kept, set aside, and left in the stock."""

    kept: Cards
    aside: Cards
    left: Cards


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """The patterns shuffled, and then the stock. A given deal names all 88 cards; each pile keeps its own order."""
    patterns = _with(chance, chance.given, patterns=True).shuffled(tuple(PATTERNS))
    stock = _with(patterns.chance, chance.given, patterns=False).shuffled(STOCK)
    return (Dealt(patterns.cards, stock.cards, stock.chance),)


def _with(chance: Chance, given: Cards | None, patterns: bool) -> Chance:
    """The chance with that part of a given deal, if there is one, which is patterns, or which is not."""
    if given is None:
        return chance
    return replace(chance, given=tuple(card for card in given if (card in PATTERNS) is patterns))


def hand_from(stock: Cards) -> Hand:
    """A hand drawn from a stock, whose last card is next: what no hand may hold is set aside and replaced."""
    kept: list[str] = []
    drawn = 0
    while len(kept) < HAND_SIZE and drawn < len(stock):
        drawn += 1
        if stock[-drawn] in KEPT:
            kept.append(stock[-drawn])
    left, met = stock[: len(stock) - drawn], stock[len(stock) - drawn :][::-1]
    return Hand(tuple(kept), tuple(card for card in met if card not in KEPT), left)
