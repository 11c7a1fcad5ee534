"""What FreeCell and Seahaven Towers have in common: columns, cells, and foundations in suit."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.kit.cards import RANK
from domain.kit.patience import HOME

Columns = tuple[tuple[str, ...], ...]


def distinct_moves(moves: Iterable[Any], columns: Columns, column: Mapping[str, int], cell: str) -> Iterator[Any]:
    """The moves without equivalent ones: one free cell, one empty column, and no whole column to an empty one.

    `column` is the number of a column by zone, `cell` how the zones of cells begin.
    """
    kinds = set()
    for move in moves:
        space = move.target in column and not columns[column[move.target]]
        kind = (move.source, _kind(move.target, space, cell), move.count)
        whole = space and move.source in column and move.count == len(columns[column[move.source]])
        if kind not in kinds and not whole:
            kinds.add(kind)
            yield move


def _kind(target: str, space: bool, cell: str) -> str:
    if space:
        return "space"
    return cell if target.startswith(cell) else target


def remaining_work(foundations: tuple[int, ...], columns: Columns, cells: tuple[str | None, ...]) -> int:
    """Cards not home, cards that lie over lower ones or over the next to go home, cells in use; spaces help."""
    left = 52 - sum(foundations)
    buried = sum(_buried_cards(foundations, column) for column in columns)
    used, spaces = len(cells) - cells.count(None), columns.count(())
    return 4 * left + 2 * buried + 3 * used - 3 * spaces


def _buried_cards(foundations: tuple[int, ...], column: tuple[str, ...]) -> int:
    lowest, over = 14, 0
    for card in column:
        over += RANK[card] > lowest
        lowest = min(lowest, RANK[card])
    return over + sum(_over_next(foundations, column))


def _over_next(foundations: tuple[int, ...], column: tuple[str, ...]) -> Iterator[int]:
    for place, card in enumerate(column, start=1):
        suit, needed = HOME[card]
        if foundations[suit] == needed:
            yield len(column) - place
