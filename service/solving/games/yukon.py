"""Yukon: the foundations, then the columns in the order of their lowest cards.

One empty column stands for all, a whole column never moves to one, and what no card can need goes home at once. A card
moves with all that lies on it: a lower card that is next to go home may need a place in a column, to get away with
cards on it. So a card goes home at once only where the next lower ones of the other colour are home.
"""

from typing import Any

import numpy

from domain.games.yukon import SIZES, YUKON
from service.solving.engine import Bytes, Game, Numbers, Solver, compiled
from service.solving.games import columns as cards

_COLUMNS, _LYING, _WIDTH = len(SIZES), 4, 56


def _rules(state: Any) -> Numbers:
    return numpy.array([state.options.foundation_return], numpy.int64)


def _pack(state: Any, rules: Numbers) -> bytes:
    position, downs = numpy.zeros(_WIDTH, numpy.int8), numpy.array(state.face_down, numpy.int64)
    _write(position, *cards.list_columns(state.columns, 64), downs, numpy.array(state.foundations, numpy.int64))
    return position.tobytes()


@compiled
def _write(position: Bytes, columns: Numbers, heights: Numbers, downs: Numbers, home: Numbers) -> None:
    position[:_LYING] = home
    cards.write_columns(position, _LYING, columns, heights, downs, cards.order_by_cards(columns, heights))


@compiled
def _write_without(
    position: Bytes, columns: Numbers, heights: Numbers, downs: Numbers, home: Numbers, source: int, count: int
) -> None:
    """Writes the position after so many cards have left a column, and the card below them is turned up."""
    height, down = heights[source], downs[source]
    heights[source] -= count
    if heights[source] and down == heights[source]:
        downs[source] -= 1
    _write(position, columns, heights, downs, home)
    heights[source], downs[source] = height, down


@compiled
def _is_needless(home: Numbers, suit: int, returns: int) -> bool:
    """Whether no card can come to lie on the next one of this suit, or only such as come back and serve nothing."""
    count, other = home[suit], 1 if suit == 0 or suit == 3 else 0
    if home[other] < count or home[3 - other] < count:
        return False
    return bool(not returns or home[3 - suit] >= count - 1)


@compiled
def _fits(card: int, top: int) -> bool:
    """Whether the card goes on this top card, 0: in an empty column."""
    if top == 0:
        return bool(cards.rank_of(card) == 13)
    return bool(cards.rank_of(card) + 1 == cards.rank_of(top) and cards.is_red(card) != cards.is_red(top))


@compiled
def _expand(position: Bytes, rules: Numbers, children: Bytes) -> int:
    columns, heights = numpy.empty((_COLUMNS, 64), numpy.int64), numpy.empty(_COLUMNS, numpy.int64)
    downs, tops = numpy.empty(_COLUMNS, numpy.int64), numpy.zeros(_COLUMNS, numpy.int64)
    home = position[:_LYING].astype(numpy.int64)
    cards.read_columns(position, _LYING, columns, heights, downs)
    space, count = -1, 0
    for column in range(_COLUMNS - 1, -1, -1):
        if heights[column]:
            tops[column] = columns[column, heights[column] - 1]
        else:
            space = column
    if rules[0]:
        for suit in range(4):
            card = 13 * suit + home[suit]
            for target in range(_COLUMNS):
                if home[suit] and _fits(card, tops[target]) and (heights[target] or target == space):
                    columns[target, heights[target]] = card
                    heights[target] += 1
                    home[suit] -= 1
                    _write(children[count], columns, heights, downs, home)
                    home[suit] += 1
                    heights[target] -= 1
                    count += 1
    for source in range(_COLUMNS):
        for size in range(1, heights[source] - downs[source] + 1):
            card = columns[source, heights[source] - size]
            for target in range(_COLUMNS):
                if target == source or not _fits(card, tops[target]):
                    continue
                if heights[target] == 0 and (target != space or size == heights[source]):
                    continue
                for place in range(size):
                    columns[target, heights[target] + place] = columns[source, heights[source] - size + place]
                heights[target] += size
                _write_without(children[count], columns, heights, downs, home, source, size)
                heights[target] -= size
                count += 1
    for source in range(_COLUMNS):
        if tops[source]:
            suit = (tops[source] - 1) // 13
            if home[suit] + 1 == cards.rank_of(tops[source]):
                needless = _is_needless(home, suit, rules[0])
                if needless:
                    count = 0
                home[suit] += 1
                _write_without(children[count], columns, heights, downs, home, source, 1)
                home[suit] -= 1
                count += 1
                if needless:
                    return count
    return count


@compiled
def _weigh(position: Bytes, rules: Numbers) -> int:
    """Cards face down, cards that do not lie on their next, and cards that lie above a lower one of their suit."""
    cost, down, below, left = 0, 0, 0, 52 - position[:_LYING].sum()
    lowest = numpy.zeros(4, numpy.int64)
    if left == 0:
        return -1
    for signed in position[_LYING:]:
        if signed == 0:
            break
        card = abs(signed)
        if card > cards.BOTTOM:
            card -= cards.BOTTOM
            below = 0
            lowest[:] = 14
        suit, rank = (card - 1) // 13, cards.rank_of(card)
        if signed < 0:
            down += 1
        if lowest[suit] < rank:
            cost += 4
        lowest[suit] = min(lowest[suit], rank)
        if below and not _fits(card, below):
            cost += 3
        if below == 0 and rank < 13:
            cost += 1
        below = card
    return int(min(cost + 6 * down + left, 1023) + 1024 * down)


SOLVER = Solver(YUKON, Game("yukon", _WIDTH, _expand, _weigh, stages=22, costs=1024), 2_800_000, _pack, _rules)
