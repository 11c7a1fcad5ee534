"""Solved depth first: Black Hole and Golf, which are played onto one pile, and The Clock, which plays itself."""

from collections.abc import Hashable, Iterable
from functools import partial

from domain.games.black_hole import BLACK_HOLE
from domain.games.black_hole import state as black_hole
from domain.games.golf import GOLF
from domain.games.golf import state as golf
from domain.games.golf.events import Command, Draw
from domain.games.the_clock import THE_CLOCK
from domain.games.the_clock import state as the_clock
from domain.games.the_clock.events import Step
from domain.kit.cards import RANK
from service.solving.search import Puzzle, Solver, Way, depth_first, single_ways


def _black_hole_key(state: black_hole.State) -> Hashable:
    """Of the foundation only the rank on top matters."""
    return bytes((RANK[state.foundation[-1]], *map(len, state.piles)))


def _black_hole_ways(state: black_hole.State) -> Iterable[Way]:
    """The deepest piles first."""
    moves = BLACK_HOLE.legal_commands(state, 0)
    deepest_first = sorted(moves, key=lambda move: -len(state.piles[black_hole.PILE[move.source]]))
    return single_ways(BLACK_HOLE, state, deepest_first)


def _golf_key(state: golf.State) -> Hashable:
    return bytes((RANK[state.discard[-1]], len(state.stock), *map(len, state.columns)))


def _golf_ways(state: golf.State) -> Iterable[Way]:
    """Kings and aces first, which are hard to place, then the longest columns; drawing last."""
    commands = GOLF.legal_commands(state, 0)
    return single_ways(GOLF, state, sorted(commands, key=lambda command: _merit(state, command), reverse=True))


def _merit(state: golf.State, command: Command) -> tuple[bool, int]:
    if isinstance(command, Draw):
        return False, 0
    column = state.columns[golf.COLUMN[command.source]]
    return RANK[column[-1]] in (1, 13), len(column)


def _clock_key(state: the_clock.State) -> Hashable:
    return state.piles, state.following, state.active, state.king_at


def _clock_ways(state: the_clock.State) -> Iterable[Way]:
    """With `watch` there is one king to be exchanged, on one of the piles."""
    commands = THE_CLOCK.legal_commands(state, 0)
    return single_ways(THE_CLOCK, state, [command for command in commands if not isinstance(command, Step)])


SOLVERS = (
    Solver(BLACK_HOLE, 500_000, partial(depth_first, BLACK_HOLE, Puzzle(_black_hole_key, _black_hole_ways))),
    Solver(GOLF, 700_000, partial(depth_first, GOLF, Puzzle(_golf_key, _golf_ways))),
    Solver(THE_CLOCK, 100, partial(depth_first, THE_CLOCK, Puzzle(_clock_key, _clock_ways))),
)
