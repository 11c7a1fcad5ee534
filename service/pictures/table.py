"""The table as text: every zone as lines by its layout, at its place, nothing over anything else."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, pairwise
from textwrap import wrap

from msgspec import Struct

from domain.view import FACE_DOWN, Layout, Zone
from service.pictures.faces import EMPTY, Marking

PLACES: tuple[Layout, ...] = ("grid", "ring", "pyramid", "clock")
"""Each zone is one place of the figure, and a pile."""
_MANY = 9
"""From so many cards face down on, a row or a column shows only their number."""
Lines = list[str]
Drawing = Callable[[Zone, Marking, int], Lines]
WIDTH = 100
"""Characters that a line should not pass."""
_UNIT = 8
"""Characters of one card width, where there is room."""
_NARROW = ("pile", "column")


class Block(Struct, frozen=True):
    """Lines of text at a row and a column of characters."""

    row: int
    column: int
    lines: tuple[str, ...]

    @property
    def end(self) -> int:
        """The first column to its right."""
        return self.column + max(map(len, self.lines), default=0)

    @property
    def bottom(self) -> int:
        """The first row under it."""
        return self.row + len(self.lines)


def table(zones: Sequence[Zone], mark: Marking) -> list[str]:
    """The lines of the whole table."""
    unit = _unit(zones)
    placed: list[Block] = []
    top = 0
    for _, band in groupby(sorted(zones, key=lambda zone: (zone.y, zone.x)), key=lambda zone: zone.y):
        blocks = _band(list(band), mark, unit)
        top = max([top, *(block.bottom + 1 for block in placed if any(_crosses(block, other) for other in blocks))])
        placed += [Block(top, block.column, block.lines) for block in blocks]
        top += min(len(block.lines) for block in blocks) + 1
    return _paint_blocks(placed)


def _unit(zones: Iterable[Zone]) -> float:
    """Characters of one card width, so that the rightmost zone has room for a pile."""
    rightmost = max((zone.x for zone in zones), default=0.0)
    return _UNIT if rightmost * _UNIT <= WIDTH - _UNIT else (WIDTH - _UNIT) / rightmost


def _band(zones: list[Zone], mark: Marking, unit: float) -> list[Block]:
    """Zones of one height, left to right, their cards in one line; a zone that needs more room pushes the next."""
    slots = [*((right.x - left.x) * unit for left, right in pairwise(zones)), float(WIDTH)]
    narrow = min((slot for zone, slot in zip(zones, slots, strict=True) if zone.layout in _NARROW), default=0.0)
    rooms = [narrow if zone.layout in _NARROW else slot for zone, slot in zip(zones, slots, strict=True)]
    labels = [_label(zone, int(room) - 1) for zone, room in zip(zones, rooms, strict=True)]
    height, end, blocks = max(map(len, labels)), 0, []
    for zone, slot, label in zip(zones, slots, labels, strict=True):
        column = max(round(zone.x * unit), end)
        cards = draw_zone(zone, mark, max(min(int(slot) - 2, WIDTH - column), _UNIT))
        blocks.append(Block(0, column, (*[""] * (height - len(label)), *label, *cards)))
        end = blocks[-1].end + 1
    return blocks


def _label(zone: Zone, width: int) -> list[str]:
    """The label, wrapped to the slot's width; for a place in a grid, ring, pyramid or clock its numbers alone."""
    numbers = "".join(sign if sign.isdigit() else " " for sign in zone.label).split()
    if zone.layout in PLACES and numbers:
        return [".".join(numbers)]
    return wrap(zone.label, max(width, 5), break_long_words=False, break_on_hyphens=False)


def _crosses(one: Block, other: Block) -> bool:
    return one.column < other.end + 1 and other.column < one.end + 1


def _paint_blocks(blocks: Sequence[Block]) -> list[str]:
    width, height = max((block.end for block in blocks), default=0), max((block.bottom for block in blocks), default=0)
    canvas = [[" "] * width for _ in range(height)]
    for block in blocks:
        for row, line in enumerate(block.lines, block.row):
            canvas[row][block.column : block.column + len(line)] = line
    return ["".join(line).rstrip() for line in canvas]


def draw_zone(zone: Zone, mark: Marking, width: int) -> Lines:
    """The zone's cards; an empty place is `--`, an empty score nothing."""
    if not zone.cards and not zone.face_down:
        return [] if zone.layout == "score" else [EMPTY]
    return _DRAWINGS.get(zone.layout, _pile)(zone, mark, width)


def _pile(zone: Zone, mark: Marking, width: int) -> Lines:
    """The top card, and how many cards there are if it is not alone."""
    count = len(zone.cards) + zone.face_down
    top = mark(zone.cards[-1] if zone.cards else FACE_DOWN)
    return [top if count == 1 else f"{top} x{count}"]


def _column(zone: Zone, mark: Marking, width: int) -> Lines:
    """Every card bottom to top; many face-down ones as one number."""
    backs = [mark(FACE_DOWN)] * zone.face_down
    if zone.face_down >= _MANY:
        backs = [f"{mark(FACE_DOWN)} x{zone.face_down}"]
    return backs + [mark(card) for card in zone.cards]


def _row(zone: Zone, mark: Marking, width: int) -> Lines:
    """Left to right, in as many lines as the room asks for."""
    lines: Lines = [""]
    for card in _column(zone, mark, width):
        if lines[-1] and len(lines[-1]) + 1 + len(card) > width:
            lines.append("")
        lines[-1] += f" {card}" if lines[-1] else card
    return lines


_DRAWINGS: dict[Layout, Drawing] = {"column": _column, "row": _row, "fan": _row, "score": _row}
"""Everything else is a pile."""
