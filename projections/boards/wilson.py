"""The Wilson lower bound of a win rate in whole billionths: exact, so that it may order people.

E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927):
(p + z²/2n - z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), here with z = a/b and all of it brought over one denominator.
"""

from fractions import Fraction
from math import isqrt

UNIT = 10**9


def lower_bound(wins: int, games: int, z: Fraction) -> int:
    """The bound for 0 <= wins <= games in units of 1e-9, rounded down; 0 without games."""
    if games == 0:
        return 0
    a, bb = z.numerator, z.denominator**2
    under_root = 4 * bb * wins * (games - wins) * games + (a * games) ** 2
    top = UNIT * games * (2 * bb * wins + a * a) - _root_up(under_root * (UNIT * a) ** 2)
    return top // (2 * games * (bb * games + a * a))


def _root_up(square: int) -> int:
    """The smallest integer whose square is at least this one."""
    root = isqrt(square)
    return root + (root * root < square)


def share(part: int, whole: int) -> int:
    """A share in units of 1e-9, rounded down; 0 of nothing."""
    return part * UNIT // whole if whole else 0
