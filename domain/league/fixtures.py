"""Who plays whom: everybody of a division meets everybody, at tables of the league's size."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from uuid import UUID, uuid5

from domain.league.events import Fixture


def fixtures(
    league: UUID, season: int, divisions: Sequence[Sequence[UUID]], table: int, rounds: int
) -> Iterator[Fixture]:
    """The fixtures of a season: each set of `table` players of a division once a round, the seats rotated by round.

    A division smaller than a table plays nothing. Ids follow from league, season, division, round and number.
    """
    for division, players in enumerate(divisions):
        for turn in range(rounds):
            for number, group in enumerate(_rounds(players) if table == 2 else combinations(players, table)):
                name = f"{season}/{division}/{turn}/{number}"
                yield Fixture(uuid5(league, name), division, turn, _rotated(group, turn))


def _rounds(players: Sequence[UUID]) -> Iterator[tuple[UUID, ...]]:
    """All pairs in the order of a round robin (the circle method), first seats shared out evenly."""
    circle: list[UUID | None] = [*players, *([None] if len(players) % 2 else [])]
    for turn in range(len(circle) - 1):
        for place in range(len(circle) // 2):
            one, other = circle[place], circle[-1 - place]
            if one is not None and other is not None:
                yield (one, other) if (place == 0 and turn % 2 == 0) or place % 2 else (other, one)
        circle = [circle[0], circle[-1], *circle[1:-1]]


def _rotated(group: Sequence[UUID], by: int) -> tuple[UUID, ...]:
    at = by % len(group)
    return (*group[at:], *group[:at])
