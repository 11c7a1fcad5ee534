"""Decs Building: the grid as sets of cells, each cell a bit; the places where a shape may be drawn."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from domain.games.decs_building.board import COLUMNS, KINDS, PRINTED_SOURCES, ROWS, SHORT_FIRST_ROW, FeatureId, Kind

Cell = tuple[int, int]
"""Row and column, both from 1, row 1 on top."""

Cells = tuple[Cell, ...]


class Placement(NamedTuple):
    """A shape in one place: its cells in reading order, and as bits; its turning, and where the corner of that lies."""

    cells: Cells
    bits: int
    turning: Cells
    anchor: Cell


def bits_of(cells: Iterable[Cell]) -> int:
    """The cells as bits: (1, 1) is the lowest, rows follow each other."""
    bits = 0
    for row, column in cells:
        bits |= 1 << (COLUMNS * (row - 1) + column - 1)
    return bits


ALL = bits_of((row, column) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1))
_TOP = bits_of((row, column) for row in range(1, SHORT_FIRST_ROW) for column in range(1, COLUMNS + 1))
UNDRAWN = {False: 0, True: _TOP}
"""The cells that are not drawn, by whether the game is short."""

SOURCES = bits_of(PRINTED_SOURCES)
_LEFT = bits_of((row, 1) for row in range(1, ROWS + 1))
_RIGHT = bits_of((row, COLUMNS) for row in range(1, ROWS + 1))


def around(bits: int) -> int:
    """The cells orthogonally adjacent to these, some of which may be among them."""
    beside = (bits & ~_RIGHT) << 1 | (bits & ~_LEFT) >> 1
    return (beside | bits << COLUMNS | bits >> COLUMNS) & ALL


def _cells(shape: str) -> Cells:
    rows = enumerate(shape.split("/"))
    return tuple((row, column) for row, line in rows for column, mark in enumerate(line) if mark == "X")


def _turned(cells: Cells) -> Cells:
    """A quarter turn clockwise."""
    bottom = max(row for row, _ in cells)
    return tuple(sorted((column, bottom - row) for row, column in cells))


def orientations(kind: Kind) -> list[Cells]:
    """The shape as it may be drawn, from (0, 0): as printed, and turned unless upright; never mirrored."""
    turns = [_cells(kind.shape)]
    for _ in range(0 if kind.upright else 3):
        turns.append(_turned(turns[-1]))
    return list(dict.fromkeys(turns))


def _placements(kind: Kind, first_row: int) -> Iterator[Placement]:
    for shape in orientations(kind):
        height, width = max(row for row, _ in shape), max(column for _, column in shape)
        for top in range(first_row, ROWS - height + 1):
            for left in range(1, COLUMNS - width + 1):
                cells = tuple((top + row, left + column) for row, column in shape)
                yield Placement(cells, bits_of(cells), shape, (top, left))


PLACEMENTS: dict[bool, dict[FeatureId, tuple[Placement, ...]]] = {
    short: {
        feature: tuple(sorted(_placements(kind, SHORT_FIRST_ROW if short else 1))) for feature, kind in KINDS.items()
    }
    for short in (False, True)
}
"""Every place of every feature in the empty grid, in reading order, by whether the game is short."""
