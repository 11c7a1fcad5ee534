"""The labels above zones, all of a table in one size; none where there is no room.

A label is broken into lines, as large as its room allows. `service/web/static/labels.js` and `fitting.js` say the same.
"""

import math
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from domain.view import Layout, Zone

_LEADING = 1.15
"""From line to line, in parts of the size of the type."""
_LETTER = 0.56
"""The breadth of a letter in parts of the size of the type, on the safe side."""
_NEARLY = (0.8, 0.9, 0.9)
"""The share of the largest size that is large enough in one line, in two and in three."""
BAND = 35.0
"""The height above a zone that a label may take without moving rows."""
_LARGEST, _LEAST, _APART = 18.0, 13.0, 14.0
_WIDE, _HIGH, _EVEN = 1000.0, 800.0, 0.6
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
        return max(map(len, self.lines)) * self.size * _LETTER

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * _LEADING + 6

    @property
    def baselines(self) -> list[float]:
        """Of the lines, from the first to the last."""
        return [self.y - below * self.size * _LEADING for below in range(len(self.lines) - 1, -1, -1)]

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
    band = max(BAND, 2 * _LEADING * largest + 6)
    rooms = {place: _room(spot, spots, end, band) for place, spot in enumerate(spots) if _has_label(spot, spots)}
    ways = [_fit_label(spots[place].zone.label, room, largest) for place, room in rooms.items()]
    sizes = [max(size, _LEAST) for size in _even_sizes([way.size for way in ways], largest)]
    said: list[Label | None] = [None] * len(spots)
    for (place, room), way, size in zip(rooms.items(), ways, sizes, strict=True):
        spot, lines = spots[place], tuple(_cut_line(line, size, room) for line in way.lines)
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


class _Fitted(Struct, frozen=True):
    """Lines of type, and how large the type may be."""

    lines: tuple[str, ...]
    size: float


def _fit_label(text: str, room: float, largest: float) -> _Fitted:
    """The text in the fewest lines that are large enough; if none are, in the lines that allow the largest type."""
    ways = [_way(_break_text(text, count), room, largest) for count in range(1, len(_NEARLY) + 1)]
    large = (way for way, nearly in zip(ways, _NEARLY, strict=True) if way.size >= nearly * largest)
    return next(large, max(ways, key=lambda way: way.size))


def _even_sizes(sizes: Sequence[float], largest: float) -> list[float]:
    """One size for the labels of a table; a label with very little room does not shrink the others."""
    common = min((size for size in sizes if size >= _EVEN * largest), default=largest)
    return [min(common, size) for size in sizes]


def _cut_line(line: str, size: float, room: float) -> str:
    """The line as far as it fits, at least four letters of it."""
    most = max(int(room / (size * _LETTER) + 1e-9), 4)
    return line if len(line) <= most else line[: most - 1] + "…"


def _way(lines: tuple[str, ...], room: float, largest: float) -> _Fitted:
    return _Fitted(lines, min(largest, room / (max(map(len, lines)) * _LETTER)))


def _break_text(text: str, count: int) -> tuple[str, ...]:
    """The text in at most so many lines, the longest as short as possible."""
    ways = (_wrap_words(text.split(" "), most) for most in range(1, len(text) + 1))
    return next(way for way in ways if len(way) <= count)


def _wrap_words(words: Sequence[str], most: int) -> tuple[str, ...]:
    """Lines of at most so many letters; a longer word has its own line."""
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)
