"""Lines as pages draw them: a rating over games, a share of wins with its interval; all within WIDTH and HEIGHT."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from projections.boards.standings import LIFE_TIME, UNIT, lower_bound

WIDTH, HEIGHT, _EDGE = 640, 180, 12


class Chart(Struct, frozen=True):
    """A line: `points` of a polyline, the last one by itself, and the values they lie between.

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


class ShareChart(Struct, frozen=True):
    """A share from 0 below to 1 above: its `points`, the last one by itself, and the `band` of its 95 % interval."""

    points: str
    last: tuple[float, float]
    band: str
    count: int


def chart(values: Sequence[float]) -> Chart | None:
    """The line through these values, left to right; None for fewer than two."""
    if len(values) < 2:
        return None
    least, most = min(values), max(values)
    places = [(_x_of(at, len(values)), _y_of(value, least, most)) for at, value in enumerate(values)]
    return Chart(
        points=_describe_line(places), last=places[-1], first_value=values[0],
        last_value=values[-1], least=least, most=most, zero=_y_of(0, least, most) if least < 0 < most else None,
        count=len(values),
    )  # fmt: skip


def share_chart(won: Sequence[bool], wins: int, games: int) -> ShareChart | None:
    """The share of all games won so far, after each of the newest ones; `wins` and `games` are those of all of them."""
    if len(won) < 2:
        return None
    counts, wins, games = [], wins - sum(won), games - len(won)
    for one in won:
        wins, games = wins + one, games + 1
        counts.append((wins, games))
    across = [_x_of(at, len(won)) for at in range(len(won))]
    places = [(x, _y_of(part / whole, 0, 1)) for x, (part, whole) in zip(across, counts, strict=True)]
    bounds = [interval(part, whole) for part, whole in counts]
    below = [(x, _y_of(low, 0, 1)) for x, (low, _) in zip(across, bounds, strict=True)]
    above = [(x, _y_of(high, 0, 1)) for x, (_, high) in zip(across, bounds, strict=True)]
    return ShareChart(_describe_line(places), places[-1], _describe_line([*above, *reversed(below)]), len(won))


def interval(wins: int, games: int) -> tuple[float, float]:
    """The Wilson interval (95 %) of the share of wins, as the boards have its lower end."""
    z = Fraction(*LIFE_TIME.z)
    return lower_bound(wins, games, z) / UNIT, 1 - lower_bound(games - wins, games, z) / UNIT


def _describe_line(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)


def _x_of(at: int, count: int) -> float:
    return round(_EDGE + (WIDTH - 2 * _EDGE) * at / (count - 1), 1)


def _y_of(value: float, least: float, most: float) -> float:
    share = 0.5 if most == least else (value - least) / (most - least)
    return round(HEIGHT - _EDGE - (HEIGHT - 2 * _EDGE) * share, 1)
