"""Who moves up and down after a season: a proposal by the rules, from the tables as they were published.

Where the rules say `even`, divisions keep their sizes: leavers are replaced from below, then neighbours exchange as
many as they get. Older rule sets take and give so many of each division, even if the sizes change.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from uuid import UUID

from domain.league.aggregate import League, Season
from domain.league.events import Move
from domain.league.rules import BoxRules
from projections.leagues.boxes import Row
from projections.leagues.league_projection import Table

Standing = tuple[int, int]
"""A division and a place in its table: the smaller, the better."""
_LAST = 10**6
_NONE: Standing = (_LAST, 0)
"""The standing of a player who was in no table."""


def published_hash(tables: Sequence[Table]) -> str:
    """SHA-256, in hex, over the hashes of the newest published tables, one a line, the highest division first."""
    ordered = sorted(tables, key=lambda table: table.division)
    return sha256("\n".join(table.published[-1].hash for table in ordered if table.published).encode()).hexdigest()


def proposed_moves(
    league: League, season: Season, tables: Iterable[Table], before: Iterable[Table] = ()
) -> tuple[Move, ...]:  # fmt: skip
    """Up and down as many as the rules say; who is unranked goes down one.

    A place shared across the line goes to whoever stood better in the tables of the season before (`before`); who is
    equal there too stays. Who has left, or was replaced, moves nowhere, and the next in the table takes their turn.
    """
    rules = league.founded.rules
    if not isinstance(rules, BoxRules):
        return ()
    earlier = _standings(before)
    here = set(league.members) - set(season.left)
    staying = [
        [row for row in _rows(table) if row.player in here and season.division_of(row.player) == table.division]
        for table in sorted(tables, key=lambda table: table.division)
    ]
    if not rules.even:
        last = len(season.divisions) - 1
        return tuple(
            move for at, rows in enumerate(staying) for move in _division_moves(rows, at, last, rules, earlier)
        )
    refills = list(_refills(staying, season, league, earlier))
    moved = {move.player for move in refills}
    left = [[row for row in rows if row.player not in moved] for rows in staying]
    return (*refills, *_exchanges(left, season, rules, earlier))


def _refills(
    staying: Sequence[Sequence[Row]], season: Season, league: League, earlier: Mapping[UUID, Standing]
) -> Iterator[Move]:
    """The best of the division below for every gap above, the highest division first; each rises by one at most.

    Who is equal in everything rises by the order of joining (our ruling): a gap that stays open would be no exchange.
    """
    gone = 0
    for at, (here, below) in enumerate(pairwise(staying)):
        gap = max(0, len(season.divisions[at]) - (len(here) - gone))
        best = sorted(below, key=lambda row: (*_order_key(row, earlier), league.members.index(row.player)))[:gap]
        gone = len(best)
        yield from (Move(row.player, at + 1, at) for row in best)


def _exchanges(
    staying: Sequence[Sequence[Row]], season: Season, rules: BoxRules, earlier: Mapping[UUID, Standing]
) -> Iterator[Move]:
    """Between neighbours, the highest first: the worst so many for the best so many, fewer where a tie forbids it."""
    risen: list[UUID] = []
    for at, (rows, below) in enumerate(pairwise(staying)):
        here = [row for row in rows if row.player not in risen]
        ranked = [row for row in below if row.place is not None]
        small = min(len(season.divisions[at]), len(season.divisions[at + 1])) < rules.small
        most = max(1 if small else rules.up, sum(row.place is None for row in here))
        for count in range(min(most, len(here), len(ranked)), 0, -1):
            risen, fallen = _best_players(ranked, count, earlier), _worst_players(here, count, earlier)
            if len(risen) == len(fallen) == count:
                yield from (Move(player, at + 1, at) for player in risen)
                yield from (Move(player, at, at + 1) for player in fallen)
                break
        else:
            risen = []


def _rows(table: Table) -> tuple[Row, ...]:
    return table.published[-1].rows if table.published else table.rows


def _standings(tables: Iterable[Table]) -> dict[UUID, Standing]:
    """Where every player stood; the unranked behind the ranked of their division."""
    return {
        row.player: (table.division, _LAST if row.place is None else row.place)
        for table in tables
        for row in _rows(table)
    }


def _division_moves(
    rows: Sequence[Row], at: int, last: int, rules: BoxRules, earlier: Mapping[UUID, Standing]
) -> list[Move]:
    ranked = [row for row in rows if row.place is not None]
    rise = 0 if at == 0 else rules.up_from_last if at == last else rules.up
    half = len(rows) // 2
    up = _best_players(ranked, min(rise, half), earlier)
    fall = _worst_players(ranked, 0 if at == last else min(rules.down, half), earlier)
    unranked = [row.player for row in rows if row.place is None and at < last]
    down = [player for player in (*unranked, *fall) if player not in up]
    return [Move(player, at, at - 1) for player in up] + [Move(player, at, at + 1) for player in down]


def _order_key(row: Row, earlier: Mapping[UUID, Standing]) -> tuple[int, Standing]:
    """The place, the unranked last, then the standing of the season before: the smaller, the better."""
    return _LAST if row.place is None else row.place, earlier.get(row.player, _NONE)


def _best_players(rows: Sequence[Row], count: int, earlier: Mapping[UUID, Standing]) -> list[UUID]:
    return _take_untied([(*_order_key(row, earlier), row.player) for row in rows], count)


def _worst_players(rows: Sequence[Row], count: int, earlier: Mapping[UUID, Standing]) -> list[UUID]:
    worst = [(*_order_key(row, earlier), row.player) for row in rows]
    return _take_untied([(-place, (-before[0], -before[1]), player) for place, before, player in worst], count)


def _take_untied(keyed: Sequence[tuple[int, Standing, UUID]], count: int) -> list[UUID]:
    """The first `count` by place and season before; players tied across that line are left out."""
    ordered = sorted((place, before) for place, before, _ in keyed)
    if count >= len(ordered):
        return [player for *_, player in sorted(keyed)] if count else []
    return [player for place, before, player in sorted(keyed) if (place, before) < ordered[count]]
