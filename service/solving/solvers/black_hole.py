"""Black Hole, solved: the deepest piles first."""

from collections.abc import Hashable, Sequence

from domain.games.black_hole import BLACK_HOLE
from domain.games.black_hole.events import Move
from domain.games.black_hole.state import PILE, State
from domain.kit.cards import RANK

from .depth_first import Finding, Search, solve


def solved(state: State, limit: int = 2_000_000) -> Finding:
    """A won line of play, or that there is none, or an open verdict after `limit` positions."""
    return solve(Search(BLACK_HOLE, _same, _ordered), state, limit)


def _same(state: State) -> Hashable:
    return (RANK[state.foundation[-1]], *map(len, state.piles))


def _ordered(state: State, moves: Sequence[Move]) -> Sequence[Move]:
    return sorted(moves, key=lambda move: -len(state.piles[PILE[move.source]]))
