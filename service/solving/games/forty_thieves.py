"""Forty Thieves: the foundations, recycles left, the waste, the stock, then the columns in the order of their cards.

One empty column stands for all, a whole column never moves to one, and a card goes home at once where every card that
could lie on it is home and its twin could go. Of the two foundations of a suit the one with fewer cards comes first.
"""

from typing import Any

import numpy

from domain.games.forty_thieves import COLUMNS, FORTY_THIEVES
from domain.kit.talon import recycles_left
from service.solving.engine import Bytes, Game, Numbers, Solver, compiled
from service.solving.games import columns as cards

_RECYCLES, _LYING, _WIDTH, _UNLIMITED = 8, 9, 120, 127
_WASTE, _STOCK, _PILES = 0, 1, COLUMNS + 2
_ALTERNATING, _RUNS = range(2)


def _rules(state: Any) -> Numbers:
    return numpy.array([state.options.build == "alternating", state.options.runs], numpy.int64)


def _pack(state: Any, rules: Numbers) -> bytes:
    position, recycles = numpy.zeros(_WIDTH, numpy.int8), recycles_left(state)
    piles, heights = cards.list_columns((state.waste, state.stock, *state.columns), 104)
    home = numpy.array(state.foundations, numpy.int64)
    _write(position, piles, heights, home, _UNLIMITED if recycles is None else min(recycles, 100))
    return position.tobytes()


@compiled
def _write(position: Bytes, piles: Numbers, heights: Numbers, home: Numbers, recycles: int) -> None:
    for suit in range(4):
        first, second = home[2 * suit], home[2 * suit + 1]
        position[2 * suit], position[2 * suit + 1] = min(first, second), max(first, second)
    position[_RECYCLES] = recycles
    order = cards.order_by_cards(piles[2:], heights[2:])
    places = numpy.arange(2 + order.size)
    places[2:] = order + 2
    cards.write_columns(position, _LYING, piles, heights, numpy.zeros(_PILES, numpy.int64), places)


@compiled
def _lies_on(card: int, below: int, rules: Numbers) -> bool:
    if cards.rank_of(card) + 1 != cards.rank_of(below):
        return False
    return cards.is_red(card) != cards.is_red(below) if rules[_ALTERNATING] else card + 1 == below


@compiled
def _is_needless(home: Numbers, card: int, rules: Numbers) -> bool:
    """Whether every card that could lie on this one is home, and the other card of its kind could go home, too."""
    own = (card - 1) // 13
    for suit in range(4):
        fits = cards.is_red(13 * suit + 1) != cards.is_red(card) if rules[_ALTERNATING] else suit == own
        if (fits or suit == own) and min(home[2 * suit], home[2 * suit + 1]) < cards.rank_of(card) - 1:
            return False
    return True


@compiled
def _expand(position: Bytes, rules: Numbers, children: Bytes) -> int:
    piles, heights = numpy.empty((_PILES, 104), numpy.int64), numpy.empty(_PILES, numpy.int64)
    home, recycles, count, space = position[:_RECYCLES].astype(numpy.int64), position[_RECYCLES], 0, -1
    cards.read_columns(position, _LYING, piles, heights, numpy.empty(_PILES, numpy.int64))
    for pile in range(_PILES - 1, 1, -1):
        if heights[pile] == 0:
            space = pile
    waste, stock = heights[_WASTE], heights[_STOCK]
    # From the stock, or the waste turned over.
    if stock:
        piles[_WASTE, waste] = piles[_STOCK, stock - 1]
        heights[_WASTE], heights[_STOCK] = waste + 1, stock - 1
        _write(children[count], piles, heights, home, recycles)
        heights[_WASTE], heights[_STOCK] = waste, stock
        count += 1
    elif waste and recycles:
        heights[_WASTE], heights[_STOCK] = 0, waste
        piles[_STOCK, :waste] = piles[_WASTE, :waste][::-1]
        _write(children[count], piles, heights, home, recycles - (recycles != _UNLIMITED))
        heights[_WASTE], heights[_STOCK] = waste, 0
        count += 1
    # Onto columns.
    for source in range(_PILES):
        height, run = heights[source], 1
        if source == _STOCK or height == 0:
            continue
        while rules[_RUNS] and source and run < height:
            if not _lies_on(piles[source, height - run], piles[source, height - run - 1], rules):
                break
            run += 1
        for target in range(2, _PILES):
            into_space = heights[target] == 0
            if target == source or (into_space and target != space):
                continue
            for size in range(1, run + 1):
                card = piles[source, height - size]
                if into_space:
                    if source and size == height:
                        continue
                elif not _lies_on(card, piles[target, heights[target] - 1], rules):
                    continue
                cards.move_cards(piles, heights, source, target, size)
                _write(children[count], piles, heights, home, recycles)
                cards.move_cards(piles, heights, target, source, size)
                count += 1
    # Home, the only way if no card needs that one.
    for source in range(_PILES):
        if source == _STOCK or heights[source] == 0:
            continue
        card = piles[source, heights[source] - 1]
        for foundation in range(2 * ((card - 1) // 13), 2 * ((card - 1) // 13) + 2):
            if home[foundation] == cards.rank_of(card) - 1:
                needless = _is_needless(home, card, rules)
                if needless:
                    count = 0
                heights[source] -= 1
                home[foundation] += 1
                _write(children[count], piles, heights, home, recycles)
                home[foundation] -= 1
                heights[source] += 1
                count += 1
                if needless:
                    return count
                break
    return count


@compiled
def _weigh(position: Bytes, rules: Numbers) -> int:
    """Cards not home and in the waste, those that lie over a lower one of their suit, and on another than their next.

    Positions with about as many cards in the stock are of one stage.
    """
    left, pile, cost, below, stock = 104 - position[:_RECYCLES].sum(), -1, 0, 0, 0
    if left == 0:
        return -1
    lowest = numpy.empty(4, numpy.int64)
    for card in position[_LYING:]:
        if card == 0:
            break
        if card >= cards.BOTTOM:
            card -= cards.BOTTOM
            pile, below = pile + 1, 0
            lowest[:] = 14
        if card == 0:
            continue
        if pile == _STOCK:
            stock += 1
            continue
        suit, rank = (card - 1) // 13, cards.rank_of(card)
        if lowest[suit] < rank:
            cost += 9 if pile == _WASTE else 3
        lowest[suit] = min(lowest[suit], rank)
        if pile == _WASTE:
            cost += 12
        elif below and not _lies_on(card, below, rules):
            cost += 2
        below = card
    return int(cost + 4 * left + 2048 * (stock // 3))


SOLVER = Solver(
    FORTY_THIEVES,
    Game("forty_thieves", _WIDTH, _expand, _weigh, stages=35, costs=2048, fan=512),
    2_800_000,
    _pack,
    _rules,
)
