"""Ratings by OpenSkill: one game changes its players' numbers; whole millionths, rounded after every game."""

from collections.abc import Sequence

from msgspec import Struct
from openskill.models import PlackettLuce

_MILLION = 10**6
_MODEL = PlackettLuce()
"""Weng and Lin's Plackett-Luce model with the package's own parameters; its version is in the rule set's id."""


class Rating(Struct, frozen=True, array_like=True):
    """Skill and its uncertainty, in millionths."""

    mu: int
    sigma: int

    @property
    def ordinal(self) -> int:
        """Skill that is all but certain, mu - 3 sigma, in hundredths: what orders people."""
        return (self.mu - 3 * self.sigma + 5_000) // 10_000


START = Rating(round(_MODEL.mu * _MILLION), round(_MODEL.sigma * _MILLION))
"""A player before the first rated game."""


def rated(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """The ratings after a game that ended with these places (0 the first, equal ones tied)."""
    teams = [[_MODEL.rating(mu=one.mu / _MILLION, sigma=one.sigma / _MILLION)] for one in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return tuple(Rating(round(team[0].mu * _MILLION), round(team[0].sigma * _MILLION)) for team in after)
