"""Spider: rows left, runs removed, then the columns; by how far they are in order.

While rows are left the columns keep their places, for rows are dealt by place; after that they stand in the order of
their cards. That one empty column stands for all, and that no whole column moves to one, holds only without rows: with
rows to come an exhausted search is not sure.
"""

from typing import Any

import numpy

from domain.games.spider import COLUMNS, SPIDER
from service.solving.engine import Bytes, Game, Numbers, Solver, compiled
from service.solving.games import columns as cards

_ROWS, _FINISHED, _LYING, _WIDTH = 0, 1, 8, 128
_MANUAL, _WITH_SPACES, _STOCK = range(3)


def _rules(state: Any) -> Numbers:
    options = state.options
    return numpy.array(
        [options.manual_removal, options.deal_with_spaces, *[cards.NUMBER[card] for card in state.stock]], numpy.int64
    )


def _pack(state: Any, rules: Numbers) -> bytes:
    position = numpy.zeros(_WIDTH, numpy.int8)
    columns, heights = cards.list_columns(state.columns, 112)
    downs = numpy.array(state.face_down, numpy.int64)
    _write(position, columns, heights, downs, len(state.stock) // COLUMNS, len(state.finished))
    return position.tobytes()


@compiled
def _write(position: Bytes, columns: Numbers, heights: Numbers, downs: Numbers, rows: int, finished: int) -> None:
    order = numpy.arange(COLUMNS) if rows else cards.order_by_cards(columns, heights)
    position[:_LYING] = 0
    position[_ROWS], position[_FINISHED] = rows, finished
    cards.write_columns(position, _LYING, columns, heights, downs, order)


@compiled
def _run(columns: Numbers, heights: Numbers, downs: Numbers, place: int) -> int:
    """How many cards of a column move as one."""
    height, run = heights[place], 1
    if height == 0:
        return 0
    while run < height - downs[place]:
        card = columns[place, height - run]
        if card + 1 != columns[place, height - run - 1] or card % 13 == 0:
            break
        run += 1
    return run


@compiled
def _take(heights: Numbers, downs: Numbers, place: int, count: int) -> None:
    heights[place] -= count
    if heights[place] and downs[place] == heights[place]:
        downs[place] -= 1


@compiled
def _remove(columns: Numbers, heights: Numbers, downs: Numbers, place: int) -> int:
    """Removes the finished run of a column, if it ends in one."""
    if _run(columns, heights, downs, place) < 13 or cards.rank_of(columns[place, heights[place] - 1]) != 1:
        return 0
    _take(heights, downs, place, 13)
    return 1


@compiled
def _expand(position: Bytes, rules: Numbers, children: Bytes) -> int:
    columns, heights = numpy.empty((COLUMNS, 112), numpy.int64), numpy.empty(COLUMNS, numpy.int64)
    downs, heights_after = numpy.empty(COLUMNS, numpy.int64), numpy.empty(COLUMNS, numpy.int64)
    downs_after = numpy.empty(COLUMNS, numpy.int64)
    cards.read_columns(position, _LYING, columns, heights, downs)
    rows, finished, count, space = position[_ROWS], position[_FINISHED], 0, -1
    for column in range(COLUMNS - 1, -1, -1):
        if heights[column] == 0:
            space = column
    if rows and (space < 0 or rules[_WITH_SPACES]):
        heights_after[:], downs_after[:] = heights, downs
        for column in range(COLUMNS):
            columns[column, heights[column]] = rules[_STOCK + COLUMNS * rows - 1 - column]
            heights_after[column] += 1
        gone = 0
        if not rules[_MANUAL]:
            for column in range(COLUMNS):
                gone += _remove(columns, heights_after, downs_after, column)
        _write(children[0], columns, heights_after, downs_after, rows - 1, finished + gone)
        count = 1
    for source in range(COLUMNS):
        run = _run(columns, heights, downs, source)
        if run == 0:
            continue
        heights_after[:], downs_after[:] = heights, downs
        if rules[_MANUAL] and _remove(columns, heights_after, downs_after, source):
            _write(children[count], columns, heights_after, downs_after, rows, finished + 1)
            count += 1
        for target in range(COLUMNS):
            into_space = heights[target] == 0
            if target == source or (into_space and target != space):
                continue
            for size in range(1, run + 1):
                if into_space:
                    if size == heights[source]:
                        continue
                elif cards.rank_of(columns[source, heights[source] - size]) + 1 != cards.rank_of(
                    columns[target, heights[target] - 1]
                ):
                    continue
                for card in range(size):
                    columns[target, heights[target] + card] = columns[source, heights[source] - size + card]
                heights_after[:], downs_after[:] = heights, downs
                heights_after[target] += size
                _take(heights_after, downs_after, source, size)
                gone = 0 if rules[_MANUAL] else _remove(columns, heights_after, downs_after, target)
                _write(children[count], columns, heights_after, downs_after, rows, finished + gone)
                count += 1
    return count


@compiled
def _weigh(position: Bytes, rules: Numbers) -> int:
    """Cards that do not lie on the next of their suit; face down or out of order they weigh more; spaces help."""
    rows, finished = position[_ROWS], position[_FINISHED]
    if finished == 8:
        return -1
    cost, below = 70 * rows + 40, 0
    for signed in position[_LYING:]:
        if signed == 0:
            break
        card = abs(signed)
        if card > cards.BOTTOM:
            cost += 12 if signed < 0 else 8
            below = card - cards.BOTTOM if signed > 0 else 0
        elif card == cards.BOTTOM:
            continue
        elif signed < 0:
            cost += 6
            below = 0
        else:
            if below == 0 or cards.rank_of(below) != cards.rank_of(card) + 1:
                cost += 6
            elif below != card + 1:
                cost += 5
            below = card
    return int(min(cost, 2047) + 2048 * (9 * rows + finished))


SOLVER = Solver(
    SPIDER,
    Game("spider", _WIDTH, _expand, _weigh, stages=54, costs=2048, fan=512),
    2_800_000,
    _pack,
    _rules,
    sure=lambda state: not state.stock,
)
