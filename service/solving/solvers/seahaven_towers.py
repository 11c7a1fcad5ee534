"""Seahaven Towers: what can go home goes, no card needs it; one tower and one empty column stand for all."""

from collections.abc import Hashable, Iterable
from functools import partial

from domain.games.seahaven_towers import SEAHAVEN_TOWERS
from domain.games.seahaven_towers.events import Move
from domain.games.seahaven_towers.state import COLUMN, State
from domain.kit.patience import SUIT_PLACE
from service.solving.best_first import best_first
from service.solving.cells import distinct_moves, remaining_work
from service.solving.finding import Puzzle, Solver, Way
from service.solving.steps import single_ways


def _position_key(state: State) -> Hashable:
    return frozenset(state.columns), frozenset(state.towers), state.foundations


def _ways(state: State) -> Iterable[Way]:
    moves = [command for command in SEAHAVEN_TOWERS.legal_commands(state, 0) if isinstance(command, Move)]
    home = [move for move in moves if move.target in SUIT_PLACE]
    return single_ways(SEAHAVEN_TOWERS, state, home[:1] or distinct_moves(moves, state.columns, COLUMN, "tower"))


def _distance(state: State) -> float:
    return remaining_work(state.foundations, state.columns, state.towers)


SOLVER = Solver(SEAHAVEN_TOWERS, 150_000, partial(best_first, SEAHAVEN_TOWERS, Puzzle(_position_key, _ways, _distance)))
