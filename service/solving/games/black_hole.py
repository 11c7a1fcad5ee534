"""Black Hole: heights of piles and the rank on top; the deepest piles first.

Two piles with the same ranks left in the same order are alike. A card can only follow one of the next rank up
or down, so a position is lost where a rank is left more often than its neighbours can lead to it.
"""

from itertools import combinations

import numpy

from domain.games.black_hole import BLACK_HOLE, State
from domain.kit.cards import RANK
from service.solving.engine import Bytes, Game, Numbers, Solver, compiled

_PILES, _ALIKE = 17, 51


def _pack(state: State, rules: Numbers) -> bytes:
    position = numpy.zeros(8, numpy.int8)
    top = RANK[state.foundation[-1]] if state.foundation else 0
    _write(position, numpy.array([len(pile) for pile in state.piles], numpy.int64), top, rules)
    return position.tobytes()


def _rules(state: State) -> Numbers:
    """The ranks of the piles, three numbers each; then pairs of piles that begin alike, and with how many cards."""
    piles = [[RANK[card] for card in pile] for pile in state.piles]
    ranks = [rank for pile in piles for rank in [*pile, 0, 0, 0][:3]]
    alike = [
        (first, second, max(count for count in (1, 2, 3) if piles[first][:count] == piles[second][:count]))
        for first, second in combinations(range(_PILES), 2)
        if piles[first][:1] == piles[second][:1] != []
    ]
    return numpy.array([*ranks, *[number for pair in alike for number in pair]], numpy.int64)


@compiled
def _write(position: Bytes, heights: Numbers, top: int, rules: Numbers) -> None:
    """Of piles that have the same ranks left the first is the higher one."""
    for pair in range(_ALIKE, rules.size, 3):
        first, second, count = rules[pair], rules[pair + 1], rules[pair + 2]
        if heights[first] < heights[second] <= count:
            heights[first], heights[second] = heights[second], heights[first]
    packed = top
    for pile in range(_PILES):
        packed = packed * 4 + heights[pile]
    position.view(numpy.int64)[0] = packed


@compiled
def _expand(position: Bytes, rules: Numbers, children: Bytes) -> int:
    packed = position.view(numpy.int64)[0]
    heights, changed = numpy.empty(_PILES, numpy.int64), numpy.empty(_PILES, numpy.int64)
    left = numpy.zeros(15, numpy.int64)
    for pile in range(_PILES - 1, -1, -1):
        heights[pile] = packed & 3
        packed >>= 2
        for depth in range(heights[pile]):
            left[rules[3 * pile + depth]] += 1
    top, count = packed, 0
    left[0], left[14] = left[13], left[1]
    for rank in range(1, 14):
        is_next = abs(rank - top) == 1 or abs(rank - top) == 12
        if left[rank] > left[rank - 1] + left[rank + 1] + is_next:
            return 0
    for height in range(1, 4):
        for pile in range(_PILES):
            if heights[pile] == height:
                rank = rules[3 * pile + height - 1]
                if abs(rank - top) == 1 or abs(rank - top) == 12:
                    changed[:] = heights
                    changed[pile] -= 1
                    _write(children[count], changed, rank, rules)
                    count += 1
    return count


@compiled
def _weigh(position: Bytes, rules: Numbers) -> int:
    return -1 if position.view(numpy.int64)[0] & ((1 << 2 * _PILES) - 1) == 0 else 0


SOLVER = Solver(BLACK_HOLE, Game("black_hole", 8, _expand, _weigh, fan=_PILES), 10_000_000, _pack, _rules)
