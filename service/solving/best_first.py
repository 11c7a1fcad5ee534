"""Best-first search through a game's own commands: the cheapest position next, each position once."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

from .depth_first import AnyGameType, Finding, Verdict


class Hunt(NamedTuple):
    """A game type, what makes two positions the same, the commands worth trying, and how far a position is from won."""

    game_type: AnyGameType
    same: Callable[[Any], Hashable]
    tried: Callable[[Any, Sequence[Any]], Sequence[Any]]
    distance: Callable[[Any], int]


class _Way(NamedTuple):
    """How a position was reached."""

    state: Any
    command: Any
    before: "_Way | None"


def hunt(what: Hunt, state: Any, limit: int) -> Finding:
    """A won line, or that there is none, or an open verdict after `limit` positions."""
    seen, number, start = {what.same(state)}, count(), _Way(state, None, None)
    waiting = [(0, next(number), start)]
    while waiting and len(seen) < limit:
        for way in _ways(what, heappop(waiting)[2]):
            if (position := what.same(way.state)) not in seen:
                seen.add(position)
                if what.distance(way.state) == 0:
                    return Finding(Verdict.WON, tuple(_line(way)), len(seen))
                heappush(waiting, (what.distance(way.state), next(number), way))
    return Finding(Verdict.OPEN if waiting else Verdict.IMPOSSIBLE, (), len(seen))


def _ways(what: Hunt, way: _Way) -> Iterator[_Way]:
    game_type = what.game_type
    for command in what.tried(way.state, game_type.legal_commands(way.state, 0)):
        after = way.state
        for event in game_type.decide(after, 0, command):
            after = game_type.evolve(after, event)
        yield _Way(after, command, way)


def _line(way: _Way) -> list[Any]:
    commands = []
    while way.before is not None:
        commands.append(way.command)
        way = way.before
    return commands[::-1]
