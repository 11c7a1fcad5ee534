"""Who plays in which division of the next season, and against whom."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import comb
from uuid import UUID, uuid5

from domain.game_type import Illegal
from domain.league import events as ev
from domain.league.aggregate import League, Season
from domain.league.events import Fixture
from domain.league.rules import BoxRules

MOST_FIXTURES = 10_000
"""The most fixtures of one season."""


def fixture_list(league: League, season: int, divisions: Sequence[Sequence[UUID]]) -> tuple[ev.Fixture, ...]:
    """The fixtures of a season; none in a same-deal league. Raises Illegal for more than MOST_FIXTURES."""
    if not isinstance(league.founded.rules, BoxRules):
        return ()
    if sum(comb(len(one), league.founded.table) for one in divisions) * league.founded.rounds > MOST_FIXTURES:
        raise Illegal("too_many_fixtures", f"A season has {MOST_FIXTURES} fixtures at most: make divisions smaller.")
    return tuple(fixtures(league.id, season, divisions, league.founded.table, league.founded.rounds))


def check_divisions(league: League, divisions: Sequence[Sequence[UUID]]) -> None:
    """Raises Illegal for divisions that cannot play."""
    placed = [player for division in divisions for player in division]
    if len(set(placed)) != len(placed) or set(placed) - set(league.members):
        raise Illegal("divisions", "Divisions hold members, and each of them once.")
    if len(placed) < max(2, league.founded.table):
        raise Illegal("too_few_members", "There are not enough members for a season.")
    if any(len(division) < league.founded.table for division in divisions):
        raise Illegal("small_division", "A division has too few players for one table.")


def decided_divisions(league: League, before: Season | None) -> list[list[UUID]]:
    """As decided after the season before, newcomers in the lowest; same-deal leagues have one division.

    A substitute keeps the place that they took over; a replaced player comes back as a newcomer (our ruling).
    """
    if not isinstance(league.founded.rules, BoxRules):
        return [list(league.members)]
    if before is None or before.decided is None:
        return _cut_divisions(list(league.members), league.founded.division_size, league.founded.table)
    everybody = _decided_rows(before, before.decided)
    rows = [[player for player in row if player in league.members] for row in everybody]
    if league.founded.rules.even:
        sizes = [min(len(row), len(division)) for row, division in zip(everybody, before.divisions, strict=True)]
        _fill_gaps(rows, sizes, before.decided)
    placed = {player for row in rows for player in row}
    rows = [row for row in rows if row] or [[]]
    rows[-1] += [player for player in league.members if player not in placed]
    return _balanced_divisions(rows, league.founded.division_size, league.founded.table)


def _decided_rows(before: Season, decided: ev.PromotionsDecided) -> list[list[UUID]]:
    """Who plays in which division next, as decided, including those who have left since."""
    after = {move.player: move.after for move in decided.moves}
    rows: list[list[UUID]] = [[] for _ in before.divisions]
    for number, division in enumerate(before.places):
        for player in division:
            rows[after.get(player, number)].append(player)
    return rows


def _fill_gaps(rows: list[list[UUID]], sizes: Sequence[int], decided: ev.PromotionsDecided) -> None:
    """Fill gaps that arose since the decision with players from below: those relegated there first, then in order."""
    for at, (row, below) in enumerate(pairwise(rows)):
        falling = {move.player for move in decided.moves if (move.before, move.after) == (at, at + 1)}
        below.sort(key=lambda player: player not in falling)
        gap = max(0, sizes[at] - len(row))
        row += below[:gap]
        del below[:gap]


def _balanced_divisions(rows: list[list[UUID]], size: int, table: int) -> list[list[UUID]]:
    """Cut a lowest division that is too large; one too small for a table joins the one above (the highest: below)."""
    *upper, lowest = rows
    cut = [*upper, *_cut_divisions(lowest, size, table)]
    while len(cut) > 1 and any(len(row) < table for row in cut):
        at = next(number for number, row in enumerate(cut) if len(row) < table)
        to = at - 1 if at else 1
        cut[to] = cut[to] + cut[at] if to < at else cut[at] + cut[to]
        del cut[at]
    return cut


def _cut_divisions(players: list[UUID], size: int, table: int) -> list[list[UUID]]:
    cut = [players[at : at + size] for at in range(0, len(players), size)] or [[]]
    if len(cut) > 1 and len(cut[-1]) < table:
        last = cut.pop()
        cut[-1] = cut[-1] + last
    return cut


def fixtures(
    league: UUID, season: int, divisions: Sequence[Sequence[UUID]], table: int, rounds: int
) -> Iterator[Fixture]:
    """The fixtures of a season: each set of `table` players of a division once a round, the seats rotated by round.

    A division smaller than a table plays nothing. Ids follow from league, season, division, round and number.
    """
    for division, players in enumerate(divisions):
        for turn in range(rounds):
            for number, group in enumerate(_round_robin_pairs(players) if table == 2 else combinations(players, table)):
                name = f"{season}/{division}/{turn}/{number}"
                yield Fixture(uuid5(league, name), division, turn, _rotated_seats(group, turn))


def _round_robin_pairs(players: Sequence[UUID]) -> Iterator[tuple[UUID, ...]]:
    """All pairs in the order of a round robin (the circle method), first seats shared out evenly."""
    circle: list[UUID | None] = [*players, *([None] if len(players) % 2 else [])]
    for turn in range(len(circle) - 1):
        for place in range(len(circle) // 2):
            one, other = circle[place], circle[-1 - place]
            if one is not None and other is not None:
                yield (one, other) if (place == 0 and turn % 2 == 0) or place % 2 else (other, one)
        circle = [circle[0], circle[-1], *circle[1:-1]]


def _rotated_seats(group: Sequence[UUID], by: int) -> tuple[UUID, ...]:
    at = by % len(group)
    return (*group[at:], *group[:at])
