"""Tie-breaks of a box league, in the order that its rule set declares; never a lot.

They look at games that were played and count: what is given without one is in the points and nowhere else, also not
in the points of an opponent that the Sonneborn-Berger score adds up (house rule, ours).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple
from uuid import UUID

from domain.league.rules import TieBreak

Key = Callable[[UUID], int]


class Met(NamedTuple):
    """One game that counts, between these players: their places, points and scores."""

    players: tuple[UUID, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]


def order_tied(
    tied: list[UUID], points: Mapping[UUID, int], met: Sequence[Met], breaks: Sequence[TieBreak]
) -> Iterator[list[UUID]]:
    """The tied in order, in groups that no tie-break parts; each smaller group starts at the first tie-break again.

    `points` are those that each has won at the table.
    """
    for tie_break in breaks if len(tied) > 1 else ():
        parted = list(split_by(tied, KEYS[tie_break](tied, points, met)))
        if len(parted) > 1:
            for group in parted:
                yield from order_tied(group, points, met, breaks)
            return
    yield tied


def split_by(players: Sequence[UUID], key: Callable[[UUID], int]) -> Iterator[list[UUID]]:
    for value in sorted({key(player) for player in players}, reverse=True):
        yield [player for player in players if key(player) == value]


def _pairs(met: Sequence[Met]) -> Iterator[tuple[UUID, UUID, int, int]]:
    """Every player against every other of each game: 2, 1 or 0, and the difference of their scores."""
    for game in met:
        for one, other in permutations(range(len(game.players)), 2):
            ahead = 1 + (game.places[one] < game.places[other]) - (game.places[one] > game.places[other])
            yield game.players[one], game.players[other], ahead, game.scores[one] - game.scores[other]


def _sum_gains(gains: Iterable[tuple[UUID, int]]) -> Key:
    sums: defaultdict[UUID, int] = defaultdict(int)
    for player, gained in gains:
        sums[player] += gained
    return lambda player: sums[player]


def head_to_head(tied: Sequence[UUID], points: Mapping[UUID, int], met: Sequence[Met]) -> Key:
    """What the tied took from one another."""
    return _sum_gains((one, ahead) for one, other, ahead, _ in _pairs(met) if one in tied and other in tied)


def sonneborn_berger(tied: Sequence[UUID], points: Mapping[UUID, int], met: Sequence[Met]) -> Key:
    """The points of those one beat and half the points of those one tied with, in halves."""
    return _sum_gains((one, ahead * points.get(other, 0)) for one, other, ahead, _ in _pairs(met))


def score_difference(tied: Sequence[UUID], points: Mapping[UUID, int], met: Sequence[Met]) -> Key:
    return _sum_gains((one, difference) for one, _, _, difference in _pairs(met))


def _wins(tied: Sequence[UUID], points: Mapping[UUID, int], met: Sequence[Met]) -> Key:
    return lambda player: sum(has_won(game, player) for game in met if player in game.players)


def has_won(game: Met, player: UUID) -> bool:
    place = game.places[game.players.index(player)]
    return place == 0 and game.places.count(0) == 1


KEYS: dict[TieBreak, Callable[[Sequence[UUID], Mapping[UUID, int], Sequence[Met]], Key]] = {
    "head_to_head": head_to_head,
    "sonneborn_berger": sonneborn_berger,
    "score_difference": score_difference,
    "wins": _wins,
}
