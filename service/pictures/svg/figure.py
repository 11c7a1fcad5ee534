"""The lines of a board: places of layout `ring`, joined round and outwards.

A ring is a run of zones in the order of the view; the next one begins at the same angle as the first place of all.
`service/web/static/figure.js` does the same.
"""

import math
from collections.abc import Sequence

Point = tuple[float, float]
Line = tuple[Point, ...]
_SAME = 0.001


def lines(places: Sequence[Point]) -> tuple[Line, ...]:
    """Closed rings, then spokes, through these middles of places; none where they are no rings of one size."""
    rings = _rings(places)
    if len(rings) < 2 or len(rings[0]) < 3 or any(len(ring) != len(rings[0]) for ring in rings):
        return ()
    return (*((*ring, ring[0]) for ring in rings), *(tuple(spoke) for spoke in zip(*rings, strict=True)))


def _rings(places: Sequence[Point]) -> list[list[Point]]:
    rings: list[list[Point]] = []
    middle = (_mean([x for x, _ in places]), _mean([y for _, y in places]))
    for place in places:
        if not rings or abs(_angle(place, middle) - _angle(places[0], middle)) < _SAME:
            rings.append([])
        rings[-1].append(place)
    return rings


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _angle(place: Point, middle: Point) -> float:
    return math.atan2(place[1] - middle[1], place[0] - middle[0])
