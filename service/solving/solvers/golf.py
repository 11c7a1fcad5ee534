"""Golf, solved: kings and aces first, which are hard to place, then the longest columns; drawing last."""

from collections.abc import Hashable, Sequence

from domain.games.golf import GOLF
from domain.games.golf.events import Command, Draw
from domain.games.golf.state import COLUMN, State
from domain.kit.cards import RANK

from .depth_first import Finding, Search, solve


def solved(state: State, limit: int = 2_000_000) -> Finding:
    """A won line of play, or that there is none, or an open verdict after `limit` positions."""
    return solve(Search(GOLF, _same, _ordered), state, limit)


def _same(state: State) -> Hashable:
    return (RANK[state.discard[-1]], len(state.stock), *map(len, state.columns))


def _ordered(state: State, commands: Sequence[Command]) -> Sequence[Command]:
    return sorted(commands, key=lambda command: _merit(state, command), reverse=True)


def _merit(state: State, command: Command) -> tuple[bool, int]:
    if isinstance(command, Draw):
        return False, 0
    column = state.columns[COLUMN[command.source]]
    return RANK[column[-1]] in (1, 13), len(column)
