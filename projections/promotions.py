"""Who moves up and down after a season: a proposal by the rules, from the tables as they were published."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from uuid import UUID

from domain.league.aggregate import League, Season
from domain.league.events import Move
from domain.league.rules import BoxRules
from projections.boxes import Row
from projections.leagues import Table


def published_hash(tables: Sequence[Table]) -> str:
    """SHA-256, in hex, over the hashes of the newest published tables, the highest division first."""
    ordered = sorted(tables, key=lambda table: table.division)
    return sha256("\n".join(table.published[-1].hash for table in ordered if table.published).encode()).hexdigest()


def proposed(league: League, season: Season, tables: Sequence[Table]) -> tuple[Move, ...]:
    """Up and down as many as the rules say; who is unranked goes down one.

    A place shared across the line goes to the better division place of the season before; who is equal there too
    stays where they are.
    """
    rules = league.founded.rules
    if not isinstance(rules, BoxRules):
        return ()
    before = _before(league, season)
    moves: list[Move] = []
    for table in sorted(tables, key=lambda table: table.division):
        moves += _of_division(table, len(season.divisions) - 1, rules, before)
    return tuple(moves)


def _of_division(table: Table, last: int, rules: BoxRules, before: Mapping[UUID, int]) -> list[Move]:
    rows = table.published[-1].rows if table.published else table.rows
    ranked, at = [row for row in rows if row.place is not None], table.division
    rise = 0 if at == 0 else rules.up_from_last if at == last else rules.up
    up = _first(ranked, rise, before)
    fall = _first(list(reversed(ranked)), 0 if at == last else rules.down, before, lowest=True)
    down = [row.player for row in rows if row.place is None and at < last] + fall
    return [Move(player, at, at - 1) for player in up] + [
        Move(player, at, at + 1) for player in down if player not in up
    ]


def _first(rows: Sequence[Row], count: int, before: Mapping[UUID, int], *, lowest: bool = False) -> list[UUID]:
    """The first so many; of those that share the last place, whose season before was better (worse, of the lowest)."""
    chosen, sign = list(rows[:count]), -1 if lowest else 1
    if not 0 < count < len(rows) or rows[count - 1].place != rows[count].place:
        return [row.player for row in chosen]
    sharing = [row for row in rows if row.place == rows[count].place]
    sure = [row.player for row in chosen if row not in sharing]
    keys = {row.player: sign * before.get(row.player, 10**9) for row in sharing}
    ordered = sorted(keys, key=lambda player: keys[player])
    left = count - len(sure)
    return sure + [player for player in ordered[:left] if keys[player] < keys[ordered[left]]]


def _before(league: League, season: Season) -> Mapping[UUID, int]:
    """Who stood how high in the season before: by division alone, as that is what was decided."""
    if season.number < 2:
        return {}
    earlier = league.seasons[season.number - 2]
    return {player: number for number, division in enumerate(earlier.divisions) for player in division}
