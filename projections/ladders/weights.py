"""What a game weighs in the ratings of its players: little where it tells little. Exact, in millionths.

A game against somebody of whom nothing is known tells little: while an opponent is provisional (a sigma above the
rules' own), the weight is the player's own distance from that limit as a share of the opponent's. So those who begin
together come to know each other at full weight, and nobody leaves the provisional ones by beating new accounts,
however many: what they give comes to an end.

A game against the same opponent again tells less: the weight is the square of the share that others have among the
games of whichever of the two has played fewer. So an opponent who has met nobody else soon gives nothing, and one who
has met many gives as much as ever.

A win over somebody far below tells nothing of how much better one is: for mu the weight fades with the square of what
the winner's is ahead, and at the rules' `far` it is gone; a loss to them tells as much as ever. So nobody climbs out of
sight of those whom he beats. (Rulings of ours.)
"""

from collections.abc import Sequence
from itertools import combinations

from domain.league.rules import LADDER, LadderRules
from projections.ladders.ratings import FULL, Rating, Weight


def pairs(seats: int) -> list[tuple[int, int]]:
    """Who meets whom, in the order in which meetings are counted."""
    return list(combinations(range(seats), 2))


def weights(
    ratings: Sequence[Rating], numbers: Sequence[int], met: Sequence[int], places: Sequence[int],
    rules: LadderRules = LADDER,
) -> list[Weight]:  # fmt: skip
    """The weight of a game for each of its players: the mean over the opponents.

    `ratings` and `numbers` of rated games before it; `met`: how often each pair (see `pairs`) has met before it.
    """
    seats, game, skill = len(ratings), [0] * len(ratings), [0] * len(ratings)
    for (one, other), times in zip(pairs(seats), met, strict=True):
        ahead = ratings[one].mu - ratings[other].mu
        told = _openness(ahead if places[one] < places[other] else -ahead if places[other] < places[one] else 0, rules)
        fresh = _variety(min(numbers[one], numbers[other]), times, rules)
        for own, opponent in ((one, other), (other, one)):
            weight = _known_share(ratings[own], ratings[opponent], rules) * fresh // FULL
            game[own] += weight
            skill[own] += weight * told // FULL
    return [Weight(one // (seats - 1), other // (seats - 1)) for one, other in zip(game, skill, strict=True)]


def _openness(ahead: int, rules: LadderRules) -> int:
    """How open the game was, by how far the winner's mu was ahead."""
    return FULL - min(rules.far, max(0, ahead)) ** 2 * FULL // rules.far**2


def _known_share(own: Rating, other: Rating, rules: LadderRules) -> int:
    """The weight by how well the opponent is known, given how well the player is; FULL if not provisional."""
    if other.sigma <= rules.sigma:
        return FULL
    return min(FULL, max(0, own.sigma - rules.sigma) * FULL // (other.sigma - rules.sigma))


def _variety(games: int, met: int, rules: LadderRules) -> int:
    """The share of others among so many games, squared."""
    return (games - met + rules.others) ** 2 * FULL // (games + rules.others) ** 2
