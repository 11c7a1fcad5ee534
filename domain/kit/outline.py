"""A shape that is being placed on a grid, and where it may lie."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

Cell = tuple[int, int]
Cells = tuple[Cell, ...]

_CELLS = "The cells of the shape as rows and columns from the upper left corner of its frame, which is 0, 0."
_ANCHORS = "Where that corner may lie now, as row and column of the grid: the shape fills each anchor plus its cells."


class Outline(Struct, frozen=True):
    """A shape in one of its turnings, and where it may be placed now."""

    cells: Annotated[Cells, Meta(description=_CELLS)]
    anchors: Annotated[Cells, Meta(description=_ANCHORS)]


def outlines(turnings: Iterable[Cells], places: Iterable[tuple[Cells, Cell]]) -> tuple[Outline, ...]:
    """Every turning of a shape with its anchors, in the order of these places; one that fits nowhere has none."""
    anchors: dict[Cells, list[Cell]] = {turning: [] for turning in turnings}
    for turning, anchor in places:
        anchors[turning].append(anchor)
    return tuple(Outline(cells, tuple(found)) for cells, found in anchors.items())
