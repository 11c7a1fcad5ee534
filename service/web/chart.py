"""A line of numbers as coordinates of a drawing."""

from collections.abc import Sequence

from msgspec import Struct

WIDTH, HEIGHT, _EDGE = 640, 180, 12


class Chart(Struct, frozen=True):
    """A line within WIDTH and HEIGHT: `points` of a polyline, the last one by itself, and the values they lie between.

    `zero` is the height of the value 0, None where it is not within.
    """

    points: str
    last: tuple[float, float]
    first_value: float
    last_value: float
    least: float
    most: float
    zero: float | None
    count: int


def chart(values: Sequence[float]) -> Chart | None:
    """The line through these values, left to right; None for fewer than two."""
    if len(values) < 2:
        return None
    least, most = min(values), max(values)
    places = [(_across(at, len(values)), _down(value, least, most)) for at, value in enumerate(values)]
    return Chart(
        points=" ".join(f"{x:g},{y:g}" for x, y in places), last=places[-1], first_value=values[0],
        last_value=values[-1], least=least, most=most, zero=_down(0, least, most) if least < 0 < most else None,
        count=len(values),
    )  # fmt: skip


def _across(at: int, count: int) -> float:
    return round(_EDGE + (WIDTH - 2 * _EDGE) * at / (count - 1), 1)


def _down(value: float, least: float, most: float) -> float:
    share = 0.5 if most == least else (value - least) / (most - least)
    return round(HEIGHT - _EDGE - (HEIGHT - 2 * _EDGE) * share, 1)
