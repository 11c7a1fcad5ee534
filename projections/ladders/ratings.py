"""Ratings by OpenSkill: one game changes its players' numbers by its weight; whole millionths, rounded every time.

A game weighs little where it tells little. (Rulings of ours.)

A game against an unknown player tells little: while an opponent is provisional (a sigma above the
rules' own), the weight is the player's own distance from that limit as a share of the opponent's. So those who begin
together come to know each other at full weight, and no player leaves the provisional ones by beating new accounts,
however many: what they give comes to an end.

A game against the same opponent again tells less: the weight is the square of the share that others have among the
games of whichever of the two has played fewer. So an opponent who has met no other soon gives nothing, and one who
has met many gives as much as ever.

A win over a player far below does not tell how much better the winner is: for mu the weight fades with the square of
the winner's lead, and at the rules' `far` it is gone; a loss to them tells as much as ever. So no player climbs out of
sight of those they beat.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct
from openskill.models import PlackettLuce

from domain.league.rules import LADDER

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


def rate_players(before: Sequence[Rating], places: Sequence[int], weights: Sequence[Weight]) -> tuple[Rating, ...]:
    """The ratings after a game that ended with these places (0 the first, equal ones tied).

    A weight is the part of the way to the model's new rating that this player's rating goes.
    """
    teams = [[_MODEL.rating(mu=one.mu / _MILLION, sigma=one.sigma / _MILLION)] for one in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    made = (Rating(round(team[0].mu * _MILLION), round(team[0].sigma * _MILLION)) for team in after)
    return tuple(
        Rating(
            old.mu + ((new.mu - old.mu) * weight.skill + FULL // 2) // FULL,
            old.sigma + ((new.sigma - old.sigma) * weight.game + FULL // 2) // FULL,
        )
        for old, new, weight in zip(before, made, weights, strict=True)
    )


def pairs(seats: int) -> list[tuple[int, int]]:
    """Who meets whom, in the order in which meetings are counted."""
    return list(combinations(range(seats), 2))


def weights(
    ratings: Sequence[Rating], numbers: Sequence[int], met: Sequence[int], places: Sequence[int]
) -> list[Weight]:
    """The weight of a game for each of its players: the mean over the opponents.

    `ratings` and `numbers` of rated games before it; `met`: how often each pair (see `pairs`) has met before it.
    """
    seats, game, skill = len(ratings), [0] * len(ratings), [0] * len(ratings)
    for (one, other), times in zip(pairs(seats), met, strict=True):
        # How open the game was, by how far the winner's mu was ahead; the share of others among so many games, squared.
        ahead, games = ratings[one].mu - ratings[other].mu, min(numbers[one], numbers[other]) + LADDER.others
        ahead = ahead if places[one] < places[other] else -ahead if places[other] < places[one] else 0
        openness = FULL - min(LADDER.far, max(0, ahead)) ** 2 * FULL // LADDER.far**2
        fresh = (games - times) ** 2 * FULL // games**2
        for own, opponent in ((one, other), (other, one)):
            weight = _known_share(ratings[own], ratings[opponent]) * fresh // FULL
            game[own] += weight
            skill[own] += weight * openness // FULL
    return [Weight(one // (seats - 1), other // (seats - 1)) for one, other in zip(game, skill, strict=True)]


def _known_share(own: Rating, other: Rating) -> int:
    """The weight by how well the opponent is known, given how well the player is; FULL if not provisional."""
    if other.sigma <= LADDER.sigma:
        return FULL
    return min(FULL, max(0, own.sigma - LADDER.sigma) * FULL // (other.sigma - LADDER.sigma))
