"""Best-first search, each position once: stage by stage in turn, from the position that seems nearest to won.

Taking turns keeps one promising corner from using up the bound (in the manner of type-based exploration: F. Xie and
others, Type-Based Exploration with Multiple Search Queues, AAAI 2014). Of equal positions the newest comes first.
"""

from heapq import heappop, heappush
from typing import Any, NamedTuple

from .finding import AnyGameType, Finding, Puzzle, Way
from .steps import is_won


class _Reached(NamedTuple):
    """How a position was reached."""

    way: Way
    before: "_Reached | None"


_Waiting = dict[int, list[tuple[float, int, _Reached]]]


def best_first(game_type: AnyGameType, puzzle: Puzzle, state: Any, bound: int) -> Finding:
    """A winning line, the verdict that there is none, or an open verdict after `bound` positions."""
    seen = {puzzle.same(state)}
    waiting: _Waiting = {puzzle.stage(state): [(0.0, 0, _Reached(Way((), state), None))]}
    while waiting and len(seen) < bound:
        for stage in sorted(waiting):
            reached = heappop(waiting[stage])[2]
            if is_won(game_type, reached.way.state):
                return Finding("won", _line(reached), len(seen))
            _add_successors(puzzle, reached, seen, waiting)
        waiting = {stage: queue for stage, queue in waiting.items() if queue}
    return Finding("open" if waiting else "impossible", (), len(seen))


def _add_successors(puzzle: Puzzle, reached: _Reached, seen: set[Any], waiting: _Waiting) -> None:
    for way in puzzle.ways(reached.way.state):
        if (position := puzzle.same(way.state)) not in seen:
            seen.add(position)
            entry = (puzzle.distance(way.state), -len(seen), _Reached(way, reached))
            heappush(waiting.setdefault(puzzle.stage(way.state), []), entry)


def _line(reached: _Reached) -> tuple[Any, ...]:
    ways = []
    while reached.before is not None:
        ways.append(reached.way.commands)
        reached = reached.before
    return tuple(command for commands in reversed(ways) for command in commands)
