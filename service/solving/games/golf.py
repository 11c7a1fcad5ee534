"""Golf: heights of columns and stock, and the rank on top; kings and aces first, then the longest columns."""

import numpy

from domain.games.golf import GOLF, State
from domain.kit.cards import RANK
from service.solving.engine import Bytes, Game, Numbers, Solver, compiled

_COLUMNS, _DEPTH, _STOCK, _TOP = 7, 8, 7, 8


def _pack(state: State, rules: Numbers) -> bytes:
    heights = [len(column) for column in state.columns]
    top = RANK[state.discard[-1]] if state.discard and not state.resigned else 0
    return bytes([*heights, len(state.stock), top, *[0] * 7])


def _rules(state: State) -> Numbers:
    """The ranks of the columns, then of the stock, then the options."""
    options = state.options
    wide = [[RANK[card] for card in column] + [0] * (_DEPTH - len(column)) for column in state.columns]
    ranks = [rank for column in wide for rank in column]
    stock = [RANK[card] for card in state.stock] + [0] * (52 - len(state.stock))
    kings = options.queens_on_kings or options.wrap
    return numpy.array([*ranks, *stock, kings, options.wrap, options.draw_only_when_stuck], numpy.int64)


@compiled
def _fits(rank: int, top: int, rules: Numbers) -> bool:
    if top == 0 or (top == 13 and not rules[108]):
        return False
    apart = abs(rank - top)
    return apart == 1 or (apart == 12 and rules[109] != 0)


@compiled
def _expand(position: Bytes, rules: Numbers, children: Bytes) -> int:
    top, count = position[_TOP], 0
    merits = numpy.zeros(_COLUMNS, numpy.int64)
    playable = 0
    for column in range(_COLUMNS):
        height = position[column]
        if height:
            rank = rules[_DEPTH * column + height - 1]
            if _fits(rank, top, rules):
                merits[column] = height + (16 if rank == 1 or rank == 13 else 0)
                playable += 1
    if top and position[_STOCK] and not (rules[110] and playable):
        children[count] = position
        children[count, _STOCK] -= 1
        children[count, _TOP] = rules[_DEPTH * _COLUMNS + position[_STOCK] - 1]
        count += 1
    for _ in range(playable):
        least = -1
        for column in range(_COLUMNS):
            if merits[column] and (least < 0 or merits[column] <= merits[least]):
                least = column
        merits[least] = 0
        children[count] = position
        children[count, least] -= 1
        children[count, _TOP] = rules[_DEPTH * least + position[least] - 1]
        count += 1
    return count


@compiled
def _weigh(position: Bytes, rules: Numbers) -> int:
    for column in range(_COLUMNS):
        if position[column]:
            return 0
    return -1


SOLVER = Solver(GOLF, Game("golf", 16, _expand, _weigh, fan=8), 5_000_000, _pack, _rules)
