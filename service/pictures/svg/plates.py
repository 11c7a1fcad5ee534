"""The plates under what belongs to a seat, where several seats have something; `plates.js` says the same."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from domain.view import Seat
from service.pictures.svg.labels import Area, Label

_SIDE, _TOP, _BOTTOM = 7.0, 1.0, 4.0


class Plate(Struct, frozen=True):
    """One plate of this seat: left, top, breadth and height."""

    seat: Seat
    x: float
    y: float
    width: float
    height: float


def plates(spots: Sequence[Area], labels: Sequence[Label | None]) -> list[Plate]:
    """One for each run of neighbours in a row that belong to one seat; none where only one seat has anything."""
    both = sorted(zip(spots, labels, strict=True), key=lambda pair: (pair[0].y, pair[0].x))
    if len({spot.zone.owner for spot in spots} - {None}) < 2:
        return []
    return [*_runs(both)]


def _runs(both: Sequence[tuple[Area, Label | None]]) -> Iterator[Plate]:
    for (top, seat), run in groupby(both, key=lambda pair: (pair[0].y, pair[0].zone.owner)):
        if seat is not None:
            yield _plate(seat, top, list(run))


def _plate(seat: Seat, top: float, run: Sequence[tuple[Area, Label | None]]) -> Plate:
    said = [label for _, label in run if label is not None]
    left, upper = min(spot.x for spot, _ in run) - _SIDE, top - max([0.0, *(label.height for label in said)]) - _TOP
    right = max([*(spot.x + spot.width + _SIDE for spot, _ in run), *(label.x + label.width for label in said)])
    lower = max(spot.y + spot.height for spot, _ in run) + _BOTTOM
    return Plate(seat, left, upper, right - left, lower - upper)
