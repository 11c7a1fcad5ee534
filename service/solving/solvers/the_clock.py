"""The Clock: it plays itself to the end; with `watch` there is one king to be exchanged, on one of the piles."""

from collections.abc import Hashable, Iterable
from functools import partial

from domain.games.the_clock import THE_CLOCK
from domain.games.the_clock.events import Step
from domain.games.the_clock.state import State
from service.solving.depth_first import depth_first
from service.solving.finding import Puzzle, Solver, Way
from service.solving.steps import single_ways


def _position_key(state: State) -> Hashable:
    return state.piles, state.following, state.active, state.king_at


def _ways(state: State) -> Iterable[Way]:
    commands = THE_CLOCK.legal_commands(state, 0)
    return single_ways(THE_CLOCK, state, [command for command in commands if not isinstance(command, Step)])


SOLVER = Solver(THE_CLOCK, 100, partial(depth_first, THE_CLOCK, Puzzle(_position_key, _ways)))
