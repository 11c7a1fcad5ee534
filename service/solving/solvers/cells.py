"""FreeCell and Seahaven Towers: what no card can need goes home; one free cell and one empty column stand for all."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from domain.games import AnyGameType
from domain.games.freecell import FREECELL
from domain.games.freecell.events import Move as FreeCellMove
from domain.games.freecell.state import GAME as FREECELL_CELLS
from domain.games.seahaven_towers import SEAHAVEN_TOWERS
from domain.games.seahaven_towers.events import Move as TowersMove
from domain.games.seahaven_towers.state import GAME as TOWERS
from domain.kit.cards import RANK
from domain.kit.cells import CellGame, CellMove, Table
from domain.kit.columns import only_changes_place
from domain.kit.patience import HOME, SUIT_PLACE
from service.solving.search import Puzzle, Solver, Way, best_first, single_ways

Safe = Callable[[Sequence[int], int], bool]
"""Whether no card can need the next card of this suit, by the foundations."""


def safe_home(foundations: Sequence[int], suit: int) -> bool:
    """Whether the next card of this suit is needed by none, where columns are built down in alternating colours.

    The two cards that could lie on it are home or next to go home, and so is the one of its colour that could lie on
    those (the rule is known from FreeCell programs, after K. Horne). Suits are numbered as in domain.kit.cards.SUITS.
    """
    count = foundations[suit]
    others = (1, 2) if suit in (0, 3) else (0, 3)
    return all(foundations[other] >= count - 1 for other in others) and foundations[3 - suit] >= count - 2


def _position_key(state: Table) -> Hashable:
    return frozenset(state.columns), frozenset(state.cells), state.foundations


def _ways(game_type: AnyGameType, game: CellGame[Any, Any], is_safe: Safe, state: Table) -> Iterable[Way]:
    legal = game_type.legal_commands(state, 0)
    moves = [command for command in legal if isinstance(command, FreeCellMove | TowersMove)]
    home = [move for move in moves if move.target in SUIT_PLACE]
    safe = [move for move in home if is_safe(state.foundations, SUIT_PLACE[move.target])]
    return single_ways(game_type, state, safe[:1] or _distinct_moves(game, state, moves))


def _distinct_moves(game: CellGame[Any, Any], state: Table, moves: Iterable[CellMove]) -> Iterator[CellMove]:
    """The moves without equivalent ones: one free cell, one empty column, and no whole column to an empty one."""
    kinds = set()
    for move in moves:
        kind = (move.source, _kind(game, state, move.target), move.count)
        if kind not in kinds and not only_changes_place(state.columns, move.source, move.target, move.count):
            kinds.add(kind)
            yield move


def _kind(game: CellGame[Any, Any], state: Table, target: str) -> str:
    if target in game.cell:
        return "cell"
    return "space" if target in game.column and not state.columns[game.column[target]] else target


def _distance(state: Table) -> float:
    """Cards not home, cards that lie over lower ones or over the next to go home, cells in use; spaces help."""
    left = 52 - sum(state.foundations)
    buried = sum(_buried_cards(state.foundations, column) for column in state.columns)
    used, spaces = len(state.cells) - state.cells.count(None), state.columns.count(())
    return 4 * left + 2 * buried + 3 * used - 3 * spaces


def _buried_cards(foundations: tuple[int, ...], column: tuple[str, ...]) -> int:
    lowest, buried = 14, 0
    for place, card in enumerate(column, start=1):
        suit, needed = HOME[card]
        buried += RANK[card] > lowest
        buried += (len(column) - place) * (foundations[suit] == needed)
        lowest = min(lowest, RANK[card])
    return buried


def _solver(game_type: AnyGameType, game: CellGame[Any, Any], is_safe: Safe) -> Solver:
    puzzle = Puzzle(_position_key, partial(_ways, game_type, game, is_safe), _distance)
    return Solver(game_type, 150_000, partial(best_first, game_type, puzzle))


SOLVERS = (
    _solver(FREECELL, FREECELL_CELLS, safe_home),
    # Columns are built down in suit: what could lie on a card that can go home is at home already.
    _solver(SEAHAVEN_TOWERS, TOWERS, lambda foundations, suit: True),
)
