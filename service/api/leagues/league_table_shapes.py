"""A season's tables and fixtures as they go over the wire."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from domain.league import events as ev
from domain.league.aggregate import Season
from projections.leagues.boxes import Contribution, Row
from projections.leagues.documents import Published, Table
from projections.leagues.fixture_outcomes import Kind
from service.api.paging import LogPosition
from service.api.people import Names, Person, person
from service.live import shapes

HASH = (
    "SHA-256, in hex, of a JSON array of the rows without any space. A row is [player, place, points, games, wins,"
    " ties, losses, head to head, twice Sonneborn-Berger (an integer), score difference, contributions], a"
    " contribution [fixture, kind, points, place, game]; what there is not is null."
)

HEAD_TO_HEAD = "Against those with equal points: two for each who was beaten, one for each who was tied with."
SONNEBORN_BERGER = (
    "The points of who was beaten and half the points of who was tied with, as the tables of chess have it:"
    " a whole number or one and a half, `24` or `24.5`."
)


class ContributionShown(Struct, frozen=True, kw_only=True):
    """What one fixture gives a player: why they stand there."""

    fixture: UUID
    kind: Kind
    points: int
    place: int | None
    game: UUID | None
    opponents: tuple[Person, ...]


class TableRow(Struct, frozen=True, kw_only=True):
    """A row. Equal places are shared; None: unranked for want of games."""

    place: int | None
    player: Person
    points: int
    games: int
    wins: int
    ties: int
    losses: int
    head_to_head: Annotated[int, Meta(description=HEAD_TO_HEAD)]
    sonneborn_berger: Annotated[float, Meta(description=SONNEBORN_BERGER)]
    score_difference: int
    contributions: tuple[ContributionShown, ...]


class PublishedShown(Struct, frozen=True, kw_only=True):
    """A table as it was published: number 0 when the season was closed, then the amendments."""

    number: int
    log_position: LogPosition
    at: datetime
    hash: Annotated[str, Meta(description=HASH)]
    because: str
    rows: tuple[TableRow, ...]


class DivisionTable(Struct, frozen=True, kw_only=True):
    """A division's table as it stands, and what was published of it."""

    division: int
    rows: tuple[TableRow, ...]
    published: tuple[PublishedShown, ...]


class Tables(Struct, frozen=True, kw_only=True):
    """All tables of a season, the highest division first."""

    league: UUID
    season: int
    rules: str
    closed: bool
    divisions: tuple[DivisionTable, ...]
    log_position: LogPosition


class FixtureShown(Struct, frozen=True, kw_only=True):
    """A fixture: `state` is what became of it, `game` the game that counts, or the newest one that was opened."""

    fixture: UUID
    division: int
    round: int
    players: tuple[Person, ...]
    state: Kind
    game: UUID | None
    reason: str | None


class Fixtures(Struct, frozen=True, kw_only=True):
    """The fixtures of a season."""

    league: UUID
    season: int
    fixtures: tuple[FixtureShown, ...]
    log_position: LogPosition


def division(table: Table, names: Names) -> DivisionTable:
    return DivisionTable(
        division=table.division, rows=tuple(row(one, names) for one in table.rows),
        published=tuple(_published_table(one, names) for one in table.published),
    )  # fmt: skip


def row(found: Row, names: Names) -> TableRow:
    shown = {name: getattr(found, name) for name in found.__struct_fields__ if name not in ("player", "contributions")}
    parts = tuple(_contribution(part, names) for part in found.contributions)
    shown["sonneborn_berger"] /= 2
    return TableRow(player=person(found.player, names), contributions=parts, **shown)


def _contribution(part: Contribution, names: Names) -> ContributionShown:
    return ContributionShown(
        fixture=part.fixture, kind=part.kind, points=part.points, place=part.place, game=part.game,
        opponents=tuple(person(one, names) for one in part.opponents),
    )  # fmt: skip


def _published_table(found: Published, names: Names) -> PublishedShown:
    return PublishedShown(
        number=found.number, log_position=str(found.position), at=shapes.moment(found.at), hash=found.hash,
        because=found.because, rows=tuple(row(one, names) for one in found.rows),
    )  # fmt: skip


def fixtures(
    season: Season, tables: Mapping[int, Table], games: Mapping[UUID, UUID], names: Names
) -> tuple[FixtureShown, ...]:
    """Every fixture with what the tables say of it; `games`: the newest game opened for each."""
    said: dict[UUID, dict[UUID, Contribution]] = {}
    for row in (row for table in tables.values() for row in table.rows):
        for part in row.contributions:
            said.setdefault(part.fixture, {})[row.player] = part
    return tuple(_fixture(season, one, said.get(one.id, {}), games.get(one.id), names) for one in season.fixtures)


def _fixture(
    season: Season, one: ev.Fixture, parts: Mapping[UUID, Contribution], game: UUID | None, names: Names
) -> FixtureShown:  # fmt: skip
    ended, part = season.ended.get(one.id), next(iter(parts.values()), None)
    seats = zip(one.players, season.playing(one), strict=True)
    players = [before if before in parts else now for before, now in seats]
    return FixtureShown(
        fixture=one.id, division=one.division, round=one.round,
        players=tuple(person(player, names) for player in players),
        state="to_play" if part is None else part.kind,
        game=part.game if part is not None and part.game is not None else game,
        reason=None if ended is None else ended.reason,
    )  # fmt: skip
