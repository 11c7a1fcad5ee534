"""Rows moved apart where labels between them need more than the usual room; `rows.js` says the same."""

from collections.abc import Sequence

from service.pictures.svg.labels import Area, Label

_AIR = 6.0


def row_shifts(spots: Sequence[Area], labels: Sequence[Label | None]) -> list[float]:
    """By area, how far down it moves: the sum of what its own row and all rows above lack."""
    lacking: dict[float, float] = {}
    for spot, label in zip(spots, labels, strict=True):
        lacking[spot.y] = max(lacking.get(spot.y, 0.0), 0.0 if label is None else _missing_room(spot, label, spots))
    return [sum(more for top, more in sorted(lacking.items()) if top <= spot.y) for spot in spots]


def _missing_room(spot: Area, label: Label, spots: Sequence[Area]) -> float:
    """The height that the label lacks below the nearest area above it; columns there are cut short."""
    gaps = [spot.y - other.y - 140 for other in spots if other.y + 140 <= spot.y and _crosses(label, other)]
    return max(0.0, label.height + _AIR - min(gaps)) if gaps else 0.0


def _crosses(label: Label, other: Area) -> bool:
    return other.x < label.x + label.width and label.x < other.x + other.width
