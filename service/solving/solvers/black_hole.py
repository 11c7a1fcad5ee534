"""Black Hole: the deepest piles first; of the foundation only the rank on top matters."""

from collections.abc import Hashable, Iterable
from functools import partial

from domain.games.black_hole import BLACK_HOLE
from domain.games.black_hole.state import PILE, State
from domain.kit.cards import RANK
from service.solving.depth_first import depth_first
from service.solving.finding import Puzzle, Solver, Way
from service.solving.steps import single_ways


def _position_key(state: State) -> Hashable:
    return bytes((RANK[state.foundation[-1]], *map(len, state.piles)))


def _ways(state: State) -> Iterable[Way]:
    moves = BLACK_HOLE.legal_commands(state, 0)
    return single_ways(BLACK_HOLE, state, sorted(moves, key=lambda move: -len(state.piles[PILE[move.source]])))


SOLVER = Solver(BLACK_HOLE, 500_000, partial(depth_first, BLACK_HOLE, Puzzle(_position_key, _ways)))
