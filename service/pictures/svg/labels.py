"""The labels above zones: one line, or two smaller ones, or none where there is no room for it."""

import math
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from domain.game_type import Layout, Zone

BAND = 35.0
"""What a label may need above its zone."""
_ONE, _TWO, _LEADING = 18.0, 13.0, 1.15
_LETTER = 0.56
"""The breadth of a letter in parts of the size of the type, on the safe side."""
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
        """Counted from this corner, rounded."""
        x, y = (math.floor(number * 100 + 0.5) / 100 for number in (self.x - left, self.y - top))
        return Label(x, y, self.size, self.lines, self.text)


class Area(Protocol):
    """Where a zone is drawn."""

    zone: Zone
    x: float
    y: float
    width: float
    height: float


def label(spot: Area, spots: Sequence[Area], edge: float) -> Label | None:
    """The label of one area among all of them, on a table that ends at `edge`."""
    if spot.zone.layout in _BARE or not spot.zone.label or any(_over(spot, other) for other in spots):
        return None
    ends = [other.x - 8 for other in spots if other.x > spot.x and _beside(spot, other)]
    size, lines = _lines(spot.zone.label, min([edge + 20, *ends]) - spot.x)
    return Label(spot.x, spot.y - 6, size, lines, spot.zone.label)


def _over(spot: Area, other: Area) -> bool:
    """Whether something is drawn where the label would begin."""
    crosses = other.x < spot.x + 100 and spot.x < other.x + other.width
    return crosses and other.y < spot.y < other.y + other.height + BAND - 6


def _beside(spot: Area, other: Area) -> bool:
    """Whether a zone or its label could be run into by the label."""
    return other.y - BAND < spot.y and spot.y - BAND < other.y + other.height


def _lines(text: str, room: float) -> tuple[float, tuple[str, ...]]:
    if len(text) * _ONE * _LETTER <= room:
        return _ONE, (text,)
    most = max(math.floor(room / (_TWO * _LETTER)), 4)
    return _TWO, tuple(_cut(line, most) for line in _broken(text, most))


def _broken(text: str, most: int) -> list[str]:
    """In two at the space that leaves the shorter lines; one line if it fits or has no space."""
    spaces = [place for place, letter in enumerate(text) if letter == " "]
    if len(text) <= most or not spaces:
        return [text]
    space = min(spaces, key=lambda place: max(place, len(text) - place - 1))
    return [text[:space], text[space + 1 :]]


def _cut(line: str, most: int) -> str:
    return line if len(line) <= most else line[: most - 1] + "…"
