"""What results of one deal are worth against each other: matchpoints, or IMPs against the field."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction

# The scale of Law 78B of the Laws of Duplicate Bridge: the least difference for each number of IMPs from 1 on.
_IMPS = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000,
    3500, 4000,
)  # fmt: skip


def matchpoints(results: Sequence[tuple[int, ...]]) -> list[int]:
    """Two for each result that is beaten and one for each that is equalled; greater tuples are better.

    They add up to n(n-1) over n results.
    """
    ordered = sorted(results)
    return [bisect_left(ordered, own) + bisect_right(ordered, own) - 1 for own in results]


def places(results: Sequence[tuple[int, ...]]) -> list[int]:
    """By result its place, counted from 1; equal ones share it."""
    ordered = sorted(results)
    return [1 + len(ordered) - bisect_right(ordered, own) for own in results]


def percentage(points: int, field: int) -> Fraction | None:
    """The share of the most matchpoints there are in a field of so many; None for one alone, who has met nobody."""
    return Fraction(points, 2 * (field - 1)) if field > 1 else None


def imps(difference: int) -> int:
    """A difference of points on the scale of IMPs."""
    scale = bisect_right(_IMPS, abs(difference))
    return scale if difference >= 0 else -scale


def datum(points: Sequence[int]) -> int:
    """The average of the field, rounded to the nearest ten, halves away from nought (as Butler scoring has it)."""
    average = Fraction(sum(points), len(points))
    tens = int(abs(average) / 10 + Fraction(1, 2))
    return 10 * tens if average >= 0 else -10 * tens
