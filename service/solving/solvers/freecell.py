"""FreeCell: what no card can need goes home; one free cell and one empty column stand for all."""

from collections.abc import Hashable, Iterable
from functools import partial

from domain.games.freecell import FREECELL
from domain.games.freecell.events import Move
from domain.games.freecell.state import COLUMN, State
from domain.kit.patience import SUIT_PLACE
from service.solving.best_first import best_first
from service.solving.cells import distinct_moves, remaining_work
from service.solving.finding import Puzzle, Solver, Way
from service.solving.safety import safe_home
from service.solving.steps import single_ways


def _position_key(state: State) -> Hashable:
    return frozenset(state.columns), frozenset(state.cells), state.foundations


def _ways(state: State) -> Iterable[Way]:
    moves = [command for command in FREECELL.legal_commands(state, 0) if isinstance(command, Move)]
    home = [move for move in moves if move.target in SUIT_PLACE]
    safe = [move for move in home if safe_home(state.foundations, SUIT_PLACE[move.target])]
    return single_ways(FREECELL, state, safe[:1] or distinct_moves(moves, state.columns, COLUMN, "cell"))


def _distance(state: State) -> float:
    return remaining_work(state.foundations, state.columns, state.cells)


SOLVER = Solver(FREECELL, 150_000, partial(best_first, FREECELL, Puzzle(_position_key, _ways, _distance)))
