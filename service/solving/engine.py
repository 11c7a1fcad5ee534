"""The one search: exact packed positions, each seen once, from the one that seems nearest to won; depth first among
equals."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy
from numpy.typing import NDArray

from service.solving.compiled import compiled_with

Bytes: TypeAlias = NDArray[numpy.int8]
Numbers: TypeAlias = NDArray[numpy.int64]

WON, IMPOSSIBLE, OPEN = 0, 1, 2


class Game(NamedTuple):
    """A game as the engine sees it. Compiled functions work on packed positions of `width` bytes, a multiple of 8.

    expand  position, rules, children -> how many ways lead on; writes the packed positions there, the best last
    weigh   position, rules -> stage * costs + cost, the smaller cost the nearer to won; negative: won

    Two positions that are packed alike must be the same in all that matters, and ways may leave out only what cannot
    matter: otherwise `impossible` would be a lie. Positions of different stages take turns, so that one promising
    corner does not use up the bound (type-based exploration: F. Xie and others, AAAI 2014).
    """

    key: str
    width: int
    expand: Callable[..., int]
    weigh: Callable[..., int]
    stages: int = 1
    costs: int = 1
    fan: int = 256
    """The most ways that lead on from a position."""


class Path(NamedTuple):
    """What the search found: WON, IMPOSSIBLE or OPEN, the packed positions from the start to the win, how many seen."""

    outcome: int
    positions: tuple[bytes, ...]
    seen: int


def bytes_each(game: Game) -> int:
    """The memory that a position takes: itself, the one before, the next in its queue, and three slots of the table."""
    return game.width + 20


def search(game: Game, start: bytes, rules: Numbers, bound: int) -> Path:
    """The path to a won position, or that there is none, or that more than `bound` positions would have to be seen.

    The table of positions is exact: its slots name positions that are compared whole.
    """
    words = game.width // 8
    nodes = numpy.empty((bound, words), numpy.uint64)
    parents, following = numpy.empty(bound, numpy.int32), numpy.empty(bound, numpy.int32)
    table = numpy.zeros(1 << max(4, (3 * bound // 2).bit_length()), numpy.uint32)
    heads = numpy.full((game.stages, game.costs), -1, numpy.int32)
    children = numpy.zeros((game.fan, game.width), numpy.int8)
    children[0] = numpy.frombuffer(start, numpy.int8)
    outcome, seen, node = _searcher(game)(rules, bound, nodes, parents, following, table, heads, children)
    path = []
    while node >= 0:
        path.append(nodes[node].tobytes())
        node = parents[node]
    return Path(int(outcome), tuple(reversed(path)), int(seen))


_SEARCHERS: dict[str, Callable[..., Any]] = {}


def _searcher(game: Game) -> Callable[..., Any]:
    if game.key not in _SEARCHERS:
        _SEARCHERS[game.key] = compiled_with(_search, f"search_{game.key}", expand=game.expand, weigh=game.weigh)
    return _SEARCHERS[game.key]


if TYPE_CHECKING:  # those of the game that is searched, which `_searcher` puts in place of these names

    def expand(position: Bytes, rules: Numbers, children: Bytes) -> int: ...
    def weigh(position: Bytes, rules: Numbers) -> int: ...


def _search(
    rules: Numbers, bound: int, nodes: Any, parents: Any, following: Any, table: Any, heads: Any, children: Bytes
) -> tuple[int, int, int]:
    stages, costs = heads.shape
    words, width, mask = children.view(numpy.uint64), nodes.shape[1], numpy.uint64(table.size - 1)
    position = numpy.empty(8 * width, numpy.int8)
    whole = position.view(numpy.uint64)
    lowest = numpy.full(stages, costs, numpy.int64)
    seen, node, stage, waiting, count = 0, -1, 0, 0, 1
    while True:
        for child in range(count):
            mixed = numpy.uint64(0x9E3779B97F4A7C15)
            for word in range(width):
                mixed = (mixed ^ words[child, word]) * numpy.uint64(0xD6E8FEB86659FD93)
                mixed ^= mixed >> numpy.uint64(32)
            slot = mixed & mask
            known = False
            while table[slot] != 0:
                other, known = table[slot] - 1, True
                for word in range(width):
                    if nodes[other, word] != words[child, word]:
                        known = False
                        break
                if known:
                    break
                slot = (slot + numpy.uint64(1)) & mask
            if known:
                continue
            if seen == bound:
                return OPEN, seen, -1
            for word in range(width):
                nodes[seen, word] = words[child, word]
            parents[seen] = node
            table[slot] = seen + 1
            weight = weigh(children[child], rules)
            if weight < 0:
                return WON, seen + 1, seen
            queue, cost = weight // costs, weight % costs
            following[seen] = heads[queue, cost]
            heads[queue, cost] = seen
            lowest[queue] = min(lowest[queue], cost)
            seen += 1
            waiting += 1
        if waiting == 0:
            return IMPOSSIBLE, seen, -1
        stage = (stage + 1) % stages
        while lowest[stage] == costs:
            stage = (stage + 1) % stages
        node = heads[stage, lowest[stage]]
        heads[stage, lowest[stage]] = following[node]
        while lowest[stage] < costs and heads[stage, lowest[stage]] < 0:
            lowest[stage] += 1
        waiting -= 1
        for word in range(width):
            whole[word] = nodes[node, word]
        count = expand(position, rules, children)
