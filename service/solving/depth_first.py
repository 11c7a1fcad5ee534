"""Depth-first search through a game's own commands, each position once."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from domain.game_type import GameType

AnyGameType = GameType[Any, Any, Any, Any, Any]


class Verdict(Enum):
    WON = "won"
    IMPOSSIBLE = "impossible"
    OPEN = "open"


class Finding(NamedTuple):
    """What the search found: the commands of a won game, or none; and how many positions it saw."""

    verdict: Verdict
    commands: tuple[Any, ...]
    positions: int


class Search(NamedTuple):
    """A game type, what makes two of its positions the same, and its commands, the most promising first."""

    game_type: AnyGameType
    same: Callable[[Any], Hashable]
    ordered: Callable[[Any, Sequence[Any]], Sequence[Any]]


def solve(search: Search, state: Any, limit: int) -> Finding:
    """A won line, or that there is none, or an open verdict after `limit` positions."""
    seen, line, ways = {search.same(state)}, [], [_ways(search, state)]
    while ways and len(seen) < limit:
        command, after = next(ways[-1], (None, None))
        if command is None:
            ways.pop()
            del line[-1:]
        elif (position := search.same(after)) not in seen:
            seen.add(position)
            line.append(command)
            if _won(search.game_type, after):
                return Finding(Verdict.WON, tuple(line), len(seen))
            ways.append(_ways(search, after))
    return Finding(Verdict.OPEN if ways else Verdict.IMPOSSIBLE, (), len(seen))


def _ways(search: Search, state: Any) -> Iterator[tuple[Any, Any]]:
    """The commands from here, each with the position after it."""
    game_type = search.game_type
    for command in search.ordered(state, game_type.legal_commands(state, 0)):
        after = state
        for event in game_type.decide(state, 0, command):
            after = game_type.evolve(after, event)
        yield command, after


def _won(game_type: AnyGameType, state: Any) -> bool:
    result = game_type.result(state)
    return result is not None and result.ending == "won"
