"""Ratings by OpenSkill: one game changes its players' numbers by its weight; whole millionths, rounded every time."""

from collections.abc import Sequence
from typing import NamedTuple

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


class Weight(NamedTuple):
    """What a game weighs for one player, in millionths: in all, and for mu alone (never more)."""

    game: int
    skill: int


FULL = _MILLION
"""The weight of a game that counts in full."""

START = Rating(round(_MODEL.mu * _MILLION), round(_MODEL.sigma * _MILLION))
"""A player before the first rated game."""


def rated(before: Sequence[Rating], places: Sequence[int], weights: Sequence[Weight]) -> tuple[Rating, ...]:
    """The ratings after a game that ended with these places (0 the first, equal ones tied).

    A weight is the part of the way to the model's new rating that this player's rating goes.
    """
    teams = [[_MODEL.rating(mu=one.mu / _MILLION, sigma=one.sigma / _MILLION)] for one in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    made = (Rating(round(team[0].mu * _MILLION), round(team[0].sigma * _MILLION)) for team in after)
    return tuple(_partial_rating(*one) for one in zip(before, made, weights, strict=True))


def _partial_rating(before: Rating, after: Rating, weight: Weight) -> Rating:
    return Rating(
        before.mu + ((after.mu - before.mu) * weight.skill + FULL // 2) // FULL,
        before.sigma + ((after.sigma - before.sigma) * weight.game + FULL // 2) // FULL,
    )
