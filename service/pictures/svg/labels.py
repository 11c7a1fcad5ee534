"""The labels above zones, all of a table in one size; none where there is no room. `labels.js` says the same."""

import math
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from domain.view import Layout, Zone
from service.pictures.svg.fitting import LEADING, LETTER, cut_line, even_sizes, fit_label

BAND = 35.0
"""The height above a zone that a label may take without moving rows."""
_LARGEST, _LEAST, _APART = 18.0, 13.0, 14.0
_WIDE, _HIGH = 1000.0, 800.0
_BARE: tuple[Layout, ...] = ("grid", "ring", "pyramid")
"""Places of these figures are known by where they are."""


class Label(Struct, frozen=True):
    """`lines` of type of this `size`; `x` is their left, `y` the baseline of the last one. `text` says it in full."""

    x: float
    y: float
    size: float
    lines: tuple[str, ...]
    text: str

    @property
    def width(self) -> float:
        return max(map(len, self.lines)) * self.size * LETTER

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * LEADING + 6

    @property
    def baselines(self) -> list[float]:
        """Of the lines, from the first to the last."""
        return [self.y - below * self.size * LEADING for below in range(len(self.lines) - 1, -1, -1)]

    def moved(self, left: float, top: float) -> "Label":
        """The label relative to this corner, rounded."""
        x, y, size = (
            math.floor(number * 100 + 0.5) / 100 for number in (self.x - left, self.y - top, self.size)
        )  # fmt: skip
        return replace(self, x=x, y=y, size=size)


class Area(Protocol):
    """Where a zone is drawn; `reach` is how far down its cards may come."""

    zone: Zone
    x: float
    y: float
    width: float
    height: float
    reach: float


def scale(spots: Sequence[Area], edge: float) -> float:
    """The scale of type relative to a table of ten by five cards: larger tables are shown at the same breadth."""
    tops = [spot.y for spot in spots]
    high = max(tops) + 140 - min(tops) if tops else 0.0
    return max(1.0, edge / _WIDE, high / _HIGH)


def labels(spots: Sequence[Area], edge: float, grown: float) -> list[Label | None]:
    """By area; the table ends at `edge`, type is so many times as large as on a small one."""
    largest, end = _LARGEST * grown, edge + 20 + 0.15 * (edge - _WIDE)
    band = max(BAND, 2 * LEADING * largest + 6)
    rooms = {place: _room(spot, spots, end, band) for place, spot in enumerate(spots) if _has_label(spot, spots)}
    ways = [fit_label(spots[place].zone.label, room, largest) for place, room in rooms.items()]
    sizes = [max(size, _LEAST) for size in even_sizes([way.size for way in ways], largest)]
    said: list[Label | None] = [None] * len(spots)
    for (place, room), way, size in zip(rooms.items(), ways, sizes, strict=True):
        spot, lines = spots[place], tuple(cut_line(line, size, room) for line in way.lines)
        said[place] = Label(spot.x, spot.y - 6, size, lines, spot.zone.label)
    return said


def _has_label(spot: Area, spots: Sequence[Area]) -> bool:
    bare = spot.zone.layout in _BARE or not spot.zone.label
    return not bare and not any(_is_covered(spot, other) for other in spots)


def _room(spot: Area, spots: Sequence[Area], end: float, band: float) -> float:
    """The breadth up to the next area that the label, or its neighbour's label, could overlap."""
    beside = [other.x - _APART for other in spots if other.x > spot.x and _may_collide(spot, other, band)]
    return min([end, *beside]) - spot.x


def _is_covered(spot: Area, other: Area) -> bool:
    """Whether something is drawn where the label would begin."""
    crosses = other.x < spot.x + 100 and spot.x < other.x + other.width
    return crosses and other.y < spot.y < other.y + other.height + BAND - 6


def _may_collide(spot: Area, other: Area, band: float) -> bool:
    return other.y - band < spot.y and spot.y - BAND < other.y + other.reach
