"""The areas of zones before they are placed: how far their cards spread, and the labels above them.

Rows move apart where labels between them need more than the usual room; `service/web/static/rows.js` says the same.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from domain.view import FACE_DOWN, Card, Layout, Zone
from service.pictures.svg.labels import BAND, Label, labels, scale

WIDTH, HEIGHT = 100.0, 140.0
DOWN, UP, FAN, ROW, LEAST = 17.0, 32.0, 46.0, 108.0, 6.0
_TABLE = 10 * WIDTH
_APART, _AIR = 8.0, 6.0
_TO_THE_RIGHT: dict[Layout, float] = {"row": ROW, "score": ROW, "fan": FAN}


class Spot(Struct):
    """A zone on its way: left, top, width and height in units, and every card's offset from its left or top.

    `reach` is the height that it may come to.
    """

    zone: Zone
    x: float
    y: float
    width: float = WIDTH
    height: float = HEIGHT
    reach: float = HEIGHT
    offsets: Sequence[float] = ()


class Laid(NamedTuple):
    """Spots, their labels, and how much larger type is than on a small table."""

    spots: list[Spot]
    labels: list[Label | None]
    scale: float


def lay_out(zones: Sequence[Zone]) -> Laid:
    """These zones, in their order."""
    spots = [Spot(zone, zone.x * WIDTH, zone.y * HEIGHT) for zone in zones]
    for spot in spots:
        _lay_right(spot, spots)
    for spot in spots:
        spot.reach = _reach(spot, [(other, BAND) for other in spots])
    grown = scale(spots, _edge(spots))
    said = _shift_rows(spots, labels(spots, _edge(spots), grown))
    for spot in spots:
        _lay_down(spot, spots, said)
    return Laid(spots, said, grown)


def cards_of(zone: Zone) -> tuple[Card, ...]:
    """The cards bottom to top, those face down as `#`."""
    return (FACE_DOWN,) * zone.face_down + zone.cards


def _lay_right(spot: Spot, spots: Sequence[Spot]) -> None:
    """A row or a fan runs up to the zone on its right, or to the edge of the table."""
    step = _TO_THE_RIGHT.get(spot.zone.layout)
    if step is None:
        return
    ends = [other.x - _APART for other in spots if other.x > spot.x and abs(other.y - spot.y) < HEIGHT]
    room = min(ends, default=_edge(spots)) - spot.x - WIDTH
    spot.offsets = _offsets([step] * (len(cards_of(spot.zone)) - 1), room)
    spot.width = WIDTH + (spot.offsets[-1] if spot.offsets else 0.0)


def _shift_rows(spots: Sequence[Spot], said: Sequence[Label | None]) -> list[Label | None]:
    """Move rows down where labels need room; returns the labels, moved with their rows."""
    down = _row_shifts(spots, said)
    for spot, far in zip(spots, down, strict=True):
        spot.y += far
    return [None if one is None else replace(one, y=one.y + far) for one, far in zip(said, down, strict=True)]


def _row_shifts(spots: Sequence[Spot], labels: Sequence[Label | None]) -> list[float]:
    """By area, how far down it moves: the sum of what its own row and all rows above lack."""
    lacking: dict[float, float] = {}
    for spot, label in zip(spots, labels, strict=True):
        lacking[spot.y] = max(lacking.get(spot.y, 0.0), 0.0 if label is None else _missing_room(spot, label, spots))
    return [sum(more for top, more in sorted(lacking.items()) if top <= spot.y) for spot in spots]


def _missing_room(spot: Spot, label: Label, spots: Sequence[Spot]) -> float:
    """The height that the label lacks below the nearest area above it; columns there are cut short."""
    gaps = [spot.y - other.y - 140 for other in spots if other.y + 140 <= spot.y and _crosses(label, other)]
    return max(0.0, label.height + _AIR - min(gaps)) if gaps else 0.0


def _crosses(label: Label, other: Spot) -> bool:
    return other.x < label.x + label.width and label.x < other.x + other.width


def _reach(spot: Spot, others: Sequence[tuple[Spot, float]]) -> float:
    """A column may come down to what is above the zone below it."""
    if spot.zone.layout != "column":
        return HEIGHT
    below = [other.y - band for other, band in others if other.y > spot.y and _is_beneath(spot, other)]
    return min(below, default=math.inf) - spot.y


def _lay_down(spot: Spot, spots: Sequence[Spot], said: Sequence[Label | None]) -> None:
    """A column runs down to the label of the zone below it."""
    if spot.zone.layout != "column":
        return
    bands = [BAND if one is None else max(BAND, one.height) for one in said]
    room = _reach(spot, list(zip(spots, bands, strict=True))) - HEIGHT
    spot.offsets = _offsets([DOWN if card == FACE_DOWN else UP for card in cards_of(spot.zone)[:-1]], room)
    spot.height = HEIGHT + (spot.offsets[-1] if spot.offsets else 0.0)


def _is_beneath(spot: Spot, other: Spot) -> bool:
    return other.x < spot.x + WIDTH and spot.x < other.x + other.width


def _edge(spots: Sequence[Spot]) -> float:
    """The right edge of the table."""
    return max([_TABLE, *(spot.x + WIDTH for spot in spots)])


def _offsets(steps: Sequence[float], room: float) -> list[float]:
    """The sums of the steps, from 0 on; all shrink by one factor where they do not fit, none below the least."""
    total = sum(steps)
    factor = room / total if total > room else 1.0
    offsets = [0.0]
    for step in steps:
        offsets.append(offsets[-1] + max(step * factor, LEAST))
    return offsets
