"""The one search: exact packed positions, each seen once, from the one that seems nearest to won; depth first among
equals. The functions of a game become machine code, by numba, which is kept in a cache.

Only the modules of service.solving.games import this, and the first question of a game imports them: a process that
asks nothing loads no numba.
"""

import os
import tempfile
from collections.abc import Callable, Iterable
from getpass import getuser
from hashlib import sha256
from pathlib import Path as File
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

import numba
import numpy
from numpy.typing import NDArray

from domain.games import AnyGameType
from service.solving import Finding, Verdict, Way, single_ways

F = TypeVar("F", bound=Callable[..., Any])
Bytes: TypeAlias = NDArray[numpy.int8]
Numbers: TypeAlias = NDArray[numpy.int64]


def _cache_folder() -> str:
    """A folder of the user's for these very sources; empty where no folder can be written.

    numba looks only at the source of the function that it compiles, not of those that it calls, so all name the folder.
    """
    folder = File(__file__).parent
    sources = b"".join(path.read_bytes() for path in sorted(folder.rglob("*.py")))
    name = f"solving-{sha256(sources).hexdigest()[:16]}"
    home = File(os.environ.get("XDG_CACHE_HOME") or File.home() / ".cache") / "kibitz"
    return next(filter(None, (_own(home / name), _own(File(tempfile.gettempdir(), f"kibitz-{getuser()}", name)))), "")


def _own(folder: File) -> str:
    """The folder, if it can be made and other users cannot write there: the code in it will be run."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        safe = folder.owner() == getuser() and not any(
            place.stat().st_mode & 0o022 for place in (folder, folder.parent)
        )
        return str(folder) if safe and os.access(folder, os.W_OK) else ""
    except (OSError, KeyError):
        return ""


_FOLDER = os.environ.get("NUMBA_CACHE_DIR") or _cache_folder()
numba.config.CACHE_DIR = _FOLDER  # type: ignore[attr-defined]


def compiled(function: F) -> F:
    """The function as machine code, compiled when it is first called."""
    return cast(F, numba.njit(cache=bool(_FOLDER), error_model="numpy")(function))


WON, IMPOSSIBLE, OPEN = 0, 1, 2


class Game(NamedTuple):
    """A game as the engine sees it. Compiled functions work on packed positions of `width` bytes, a multiple of 8.

    expand  position, rules, children -> how many ways lead on; writes the packed positions there, the best last
    weigh   position, rules -> stage * costs + cost, the smaller cost the nearer to won; negative: won

    Two positions that are packed alike must be the same in all that matters, and only ways that cannot matter may be
    left out: otherwise `impossible` would be wrong. Positions of different stages take turns, so that one promising
    corner does not use up the bound (type-based exploration: F. Xie and others, AAAI 2014).
    """

    key: str
    width: int
    expand: Callable[..., int]
    weigh: Callable[..., int]
    stages: int = 1
    costs: int = 1
    fan: int = 256
    """The greatest number of ways that lead on from a position."""

    @property
    def memory(self) -> int:
        """Bytes of a position: itself, the one before, the next in its queue, and three slots of the table."""
        return self.width + 20


class Path(NamedTuple):
    """WON, IMPOSSIBLE or OPEN; the packed positions from the start to the win; the number of positions seen."""

    outcome: int
    positions: tuple[bytes, ...]
    seen: int


def search(game: Game, start: bytes, rules: Numbers, bound: int) -> Path:
    """The path to a won position, or that there is none, or that more than `bound` positions would have to be seen.

    The table of positions is exact: its slots name positions, which are compared in full.
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
    """The compiled search of this game: a copy of `_search` with the game's functions, under a name of its own."""
    if game.key not in _SEARCHERS:
        called = {"expand": game.expand, "weigh": game.weigh}
        copy = FunctionType(_search.__code__, {**_search.__globals__, **called}, f"search_{game.key}")
        copy.__qualname__, copy.__module__ = copy.__name__, _search.__module__
        _SEARCHERS[game.key] = compiled(copy)
    return _SEARCHERS[game.key]


if TYPE_CHECKING:  # `_searcher` puts the game's functions in place of these names

    def expand(position: Bytes, rules: Numbers, children: Bytes) -> int: ...
    def weigh(position: Bytes, rules: Numbers) -> int: ...


def _search(
    rules: Numbers, bound: int, nodes: Any, parents: Any, following: Any, table: Any, heads: Any, children: Bytes
) -> tuple[int, int, int]:
    stages, costs = heads.shape
    words, width, mask = children.view(numpy.uint64), nodes.shape[1], numpy.uint64(table.size - 1)
    position = numpy.empty(8 * width, numpy.int8)
    words_of_position = position.view(numpy.uint64)
    lowest = numpy.full(stages, costs, numpy.int64)
    seen, node, stage, waiting, count = 0, -1, 0, 0, 1
    while True:
        for child in range(count):
            mixed = numpy.uint64(0x9E3779B97F4A7C15)
            for word in range(width):
                mixed = (mixed ^ words[child, word]) * numpy.uint64(0xD6E8FEB86659FD93)
                mixed ^= mixed >> numpy.uint64(32)
            slot = mixed & mask
            is_seen = False
            while table[slot] != 0:
                other, is_seen = table[slot] - 1, True
                for word in range(width):
                    if nodes[other, word] != words[child, word]:
                        is_seen = False
                        break
                if is_seen:
                    break
                slot = (slot + numpy.uint64(1)) & mask
            if is_seen:
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
            words_of_position[word] = nodes[node, word]
        count = expand(position, rules, children)


_VERDICTS: dict[int, Verdict] = {WON: "won", IMPOSSIBLE: "impossible", OPEN: "open"}


class Solver(NamedTuple):
    """How deals of a game type are solved: its description for the engine, and the default bound in positions.

    `rules`: the first state -> the numbers that the compiled functions need; `pack`: a state and these -> the position;
    `ways`: a state -> the ways that a step of a path may stand for; `sure`: whether an exhausted search from this state
    has left nothing out.
    """

    game_type: AnyGameType
    game: Game
    bound: int
    pack: Callable[[Any, Numbers], bytes]
    rules: Callable[[Any], Numbers]
    ways: Callable[[AnyGameType, Any], Iterable[Way]] = single_ways
    sure: Callable[[Any], bool] = lambda state: True

    def find(self, state: Any, bound: int | None, memory: int) -> Finding:
        """The finding within `bound` positions, None: the default, that fit into so many bytes."""
        most = min(self.bound if bound is None else bound, memory // self.game.memory)
        rules = self.rules(state)
        path = search(self.game, self.pack(state, rules), rules, most)
        outcome = OPEN if path.outcome == IMPOSSIBLE and not self.sure(state) else path.outcome
        commands: list[Any] = []
        for position in path.positions[1:]:
            way = next(way for way in self.ways(self.game_type, state) if self.pack(way.state, rules) == position)
            commands += way.commands
            state = way.state
        return Finding(_VERDICTS[outcome], tuple(commands), path.seen)

    def mark(self, before: Any, after: Any) -> bytes:
        """A position on from `before`, packed."""
        return self.pack(after, self.rules(before))
