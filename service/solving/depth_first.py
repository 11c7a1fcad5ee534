"""Depth-first search, each position once: the ways from a position in their own order."""

from collections.abc import Iterator
from typing import Any

from .finding import AnyGameType, Finding, Puzzle, Way
from .steps import is_won


def depth_first(game_type: AnyGameType, puzzle: Puzzle, state: Any, bound: int) -> Finding:
    """A winning line, the verdict that there is none, or an open verdict after `bound` positions."""
    seen = {puzzle.same(state)}
    line: list[Way] = [Way((), state)]
    ahead: list[Iterator[Way]] = [iter(puzzle.ways(state))]
    while ahead and not is_won(game_type, line[-1].state) and len(seen) < bound:
        way = next(ahead[-1], None)
        if way is None:
            ahead.pop()
            line.pop()
        elif (position := puzzle.same(way.state)) not in seen:
            seen.add(position)
            line.append(way)
            ahead.append(iter(puzzle.ways(way.state)))
    return _finding(game_type, line, len(seen))


def _finding(game_type: AnyGameType, line: list[Way], positions: int) -> Finding:
    if not line:
        return Finding("impossible", (), positions)
    if not is_won(game_type, line[-1].state):
        return Finding("open", (), positions)
    return Finding("won", tuple(command for way in line for command in way.commands), positions)
