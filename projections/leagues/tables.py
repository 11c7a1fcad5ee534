"""The tables of a league's seasons as the log goes on, published where a season is closed, amended afterwards."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.league.aggregate import League, Season
from domain.league.rules import BoxRules
from projections.engine.contract import Documents, Recorded
from projections.games.counted_games import Play
from projections.leagues.boxes import Contribution, Row, table
from projections.leagues.documents import TABLES, Published, Table, division_games, key_of
from projections.leagues.fixture_outcomes import Plays


def tabulate(
    documents: Documents, recorded: Recorded, league: League, season: Season, divisions: Iterable[int]
) -> None:
    """The tables of these divisions anew; those of a closed season are published where they have changed."""
    rules = league.founded.rules
    if isinstance(rules, BoxRules):
        for division in divisions:
            _tabulate(documents, recorded, league, season, division, rules)


def _tabulate(
    documents: Documents, recorded: Recorded, league: League, season: Season, division: int, rules: BoxRules
) -> None:
    before = documents.get(TABLES(league.id), key_of(season.number, division))
    published = () if before is None else before.published
    until = published[0].position if published else recorded.position if season.closed else None
    rows = table(season, division, rules, _plays_by_fixture(documents, league, season, division), until)
    after = Table(league.id, season.number, division, rules.id, rows, published)
    if season.closed and (not published or published[-1].hash != digest(rows)):
        after = replace(after, published=(*published, _published_table(recorded, after)))
    if after != before:
        documents.put(TABLES(league.id), key_of(season.number, division), after)


def _plays_by_fixture(documents: Documents, league: League, season: Season, division: int) -> Plays:
    plays: dict[UUID, list[Play]] = {}
    for _, game in documents.scan(division_games(league.id, season.number, division)):
        if game.play.fixture is not None:
            plays.setdefault(game.play.fixture, []).append(game.play)
    return plays


def digest(rows: Iterable[Row]) -> str:
    """SHA-256, in hex, of a table's canonical form: a JSON array of rows without any space.

    A row is [player, place, points, games, wins, ties, losses, head to head, Sonneborn-Berger in halves, score
    difference, contributions]; a contribution is [fixture, kind, points, place, game]; what there is not is null.
    The form is fixed: it does not follow a change of the documents.
    """
    return sha256(msgspec.json.encode([list(_canonical(row)) for row in rows])).hexdigest()


def _canonical(row: Row) -> Iterator[object]:
    yield from (row.player, row.place, row.points, row.games, row.wins, row.ties, row.losses)
    yield from (row.head_to_head, row.sonneborn_berger, row.score_difference)
    yield [_canonical_part(part) for part in row.contributions]


def _canonical_part(part: Contribution) -> list[object]:
    return [part.fixture, part.kind, part.points, part.place, part.game]


def _published_table(recorded: Recorded, after: Table) -> Published:
    record = recorded.record
    return Published(
        number=len(after.published), position=recorded.position, at=record.time, hash=digest(after.rows),
        rows=after.rows, because=_reason_text(record.event),
    )  # fmt: skip


def _reason_text(event: Struct) -> str:
    reason = getattr(event, "reason", None)
    said = str(type(event).__struct_config__.tag).partition("/")[2].replace("_", " ")
    return f"{said}: {reason}" if reason else said
