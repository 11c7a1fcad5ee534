"""Golf: kings and aces first, which are hard to place, then the longest columns; drawing last."""

from collections.abc import Hashable, Iterable
from functools import partial

from domain.games.golf import GOLF
from domain.games.golf.events import Command, Draw
from domain.games.golf.state import COLUMN, State
from domain.kit.cards import RANK
from service.solving.depth_first import depth_first
from service.solving.finding import Puzzle, Solver, Way
from service.solving.steps import single_ways


def _position_key(state: State) -> Hashable:
    return bytes((RANK[state.discard[-1]], len(state.stock), *map(len, state.columns)))


def _ways(state: State) -> Iterable[Way]:
    commands = GOLF.legal_commands(state, 0)
    return single_ways(GOLF, state, sorted(commands, key=lambda command: _merit(state, command), reverse=True))


def _merit(state: State, command: Command) -> tuple[bool, int]:
    if isinstance(command, Draw):
        return False, 0
    column = state.columns[COLUMN[command.source]]
    return RANK[column[-1]] in (1, 13), len(column)


SOLVER = Solver(GOLF, 700_000, partial(depth_first, GOLF, Puzzle(_position_key, _ways)))
