"""FreeCell, solved: what no card can need goes home; one free cell and one empty column stand for all."""

from collections.abc import Hashable, Iterator, Sequence

from domain.games.freecell import FREECELL
from domain.games.freecell.events import Move
from domain.games.freecell.state import COLUMN, State
from domain.kit.cards import RANK
from domain.kit.patience import HOME, SUIT_PLACE

from .best_first import Hunt, hunt
from .depth_first import Finding


def solved(state: State, limit: int = 100_000) -> Finding:
    """A won line of play, or that there is none, or an open verdict after `limit` positions."""
    return hunt(Hunt(FREECELL, _same, _tried, _distance), state, limit)


def _same(state: State) -> Hashable:
    return frozenset(state.columns), frozenset(state.cells), state.foundations


def _tried(state: State, moves: Sequence[Move]) -> Sequence[Move]:
    home = [move for move in moves if move.target in SUIT_PLACE]
    safe = [move for move in home if _safe(state, SUIT_PLACE[move.target])]
    return safe[:1] or list(_different(state, moves))


def _safe(state: State, suit: int) -> bool:
    """Whether no card of the other colour can still need the next card of this suit to lie on."""
    others = (1, 2) if suit in (0, 3) else (0, 3)
    return all(state.foundations[other] >= state.foundations[suit] - 1 for other in others)


def _different(state: State, moves: Sequence[Move]) -> Iterator[Move]:
    """One of the free cells, one of the empty columns, and no whole column to an empty one."""
    kinds = set()
    for move in moves:
        space = move.target in COLUMN and not state.columns[COLUMN[move.target]]
        kind = (move.source, "" if space else move.target[: -1 if "cell" in move.target else None], move.count)
        whole = space and move.source in COLUMN and move.count == len(state.columns[COLUMN[move.source]])
        if kind not in kinds and not whole:
            kinds.add(kind)
            yield move


def _distance(state: State) -> int:
    """0 when won: cards not home, cards that lie over lower ones or over the next to go home, cells in use."""
    left = 52 - sum(state.foundations)
    buried = sum(_buried(state, column) for column in state.columns)
    used, spaces = 4 - state.cells.count(None), state.columns.count(())
    return left and max(1, 4 * left + 2 * buried + 3 * used - 3 * spaces + 20)


def _buried(state: State, column: tuple[str, ...]) -> int:
    lowest, over = 14, 0
    for card in column:
        over += RANK[card] > lowest
        lowest = min(lowest, RANK[card])
    return over + sum(_next_under(state, column))


def _next_under(state: State, column: tuple[str, ...]) -> Iterator[int]:
    for place, card in enumerate(column):
        suit, needed = HOME[card]
        if state.foundations[suit] == needed:
            yield len(column) - place - 1
