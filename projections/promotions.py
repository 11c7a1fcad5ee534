"""Who moves up and down after a season: a proposal by the rules, from the tables as they were published."""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from uuid import UUID

from domain.league.aggregate import League, Season
from domain.league.events import Move
from domain.league.rules import BoxRules
from projections.boxes import Row
from projections.league_documents import Table

Standing = tuple[int, int]
"""A division and a place in its table: the smaller, the better."""
_LAST = 10**6
_NONE: Standing = (_LAST, 0)
"""Of who was in no table."""


def published_hash(tables: Sequence[Table]) -> str:
    """SHA-256, in hex, over the hashes of the newest published tables, one a line, the highest division first."""
    ordered = sorted(tables, key=lambda table: table.division)
    return sha256("\n".join(table.published[-1].hash for table in ordered if table.published).encode()).hexdigest()


def proposed(
    league: League, season: Season, tables: Iterable[Table], before: Iterable[Table] = ()
) -> tuple[Move, ...]:  # fmt: skip
    """Up and down as many as the rules say, of small divisions not more than half; who is unranked goes down one.

    A place shared across the line goes to whoever stood better in the tables of the season before (`before`); who is
    equal there too stays. Who has left, or was replaced, moves nowhere, and the next in the table takes their turn.
    """
    rules = league.founded.rules
    if not isinstance(rules, BoxRules):
        return ()
    earlier, moves = _standings(before), list[Move]()
    for table in sorted(tables, key=lambda table: table.division):
        rows = [row for row in _rows(table) if _stays(league, season, row.player, table.division)]
        moves += _of_division(rows, table.division, len(season.divisions) - 1, rules, earlier)
    return tuple(moves)


def _rows(table: Table) -> tuple[Row, ...]:
    return table.published[-1].rows if table.published else table.rows


def _stays(league: League, season: Season, player: UUID, division: int) -> bool:
    return player in league.members and player not in season.left and season.division_of(player) == division


def _standings(tables: Iterable[Table]) -> dict[UUID, Standing]:
    """Where everybody stood; the unranked behind the ranked of their division."""
    return {
        row.player: (table.division, _LAST if row.place is None else row.place)
        for table in tables
        for row in _rows(table)
    }


def _of_division(
    rows: Sequence[Row], at: int, last: int, rules: BoxRules, earlier: Mapping[UUID, Standing]
) -> list[Move]:
    ranked = [row for row in rows if row.place is not None]
    rise = 0 if at == 0 else rules.up_from_last if at == last else rules.up
    half = len(rows) // 2
    up = _first(ranked, min(rise, half), earlier)
    fall = _last(ranked, 0 if at == last else min(rules.down, half), earlier)
    unranked = [row.player for row in rows if row.place is None and at < last]
    down = [player for player in (*unranked, *fall) if player not in up]
    return [Move(player, at, at - 1) for player in up] + [Move(player, at, at + 1) for player in down]


def _first(ranked: Sequence[Row], count: int, earlier: Mapping[UUID, Standing]) -> list[UUID]:
    """The best so many."""
    return _taken([(row.place or 0, earlier.get(row.player, _NONE), row.player) for row in ranked], count)


def _last(ranked: Sequence[Row], count: int, earlier: Mapping[UUID, Standing]) -> list[UUID]:
    """The worst so many."""
    worst = [(-(row.place or 0), earlier.get(row.player, _NONE), row.player) for row in ranked]
    return _taken([(place, (-before[0], -before[1]), player) for place, before, player in worst], count)


def _taken(keyed: Sequence[tuple[int, Standing, UUID]], count: int) -> list[UUID]:
    """The first so many by place and season before; of those equal across the line nobody."""
    ordered = sorted((place, before) for place, before, _ in keyed)
    if count >= len(ordered):
        return [player for *_, player in sorted(keyed)] if count else []
    return [player for place, before, player in sorted(keyed) if (place, before) < ordered[count]]
