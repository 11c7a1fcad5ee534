"""Leagues as they go over the wire."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct

from domain.league import events as ev
from domain.league.aggregate import League, Season
from domain.league.decide import playing
from domain.league.rules import BoxRules, DayRules
from projections.boxes import Contribution, Row
from projections.leagues import Membership, Published, Table
from service import wire
from service.resources.pages import LogPosition

Names = Mapping[UUID, str]


class Person(Struct, frozen=True):
    """A player and their name; None where they are erased."""

    id: UUID
    name: str | None


class SeasonShown(Struct, frozen=True, kw_only=True):
    """A season in short. `left` have left the league since it began."""

    season: int
    starts: datetime
    ends: datetime
    divisions: tuple[tuple[Person, ...], ...]
    left: tuple[UUID, ...]
    fixtures: int
    contests: tuple[UUID, ...]
    closed: bool
    decided: bool


class LeagueShown(Struct, frozen=True, kw_only=True):
    """A league: its rule set in full, its people, its seasons, oldest first."""

    id: UUID
    name: str
    kind: Literal["box", "same_deal"]
    game_type: str
    options: dict[str, Any]
    rules: BoxRules | DayRules
    membership: ev.Membership
    table: int
    rounds: int
    division_size: int
    move_seconds: int | None
    founded_at: datetime
    organisers: tuple[Person, ...]
    members: tuple[Person, ...]
    invited: tuple[Person, ...]
    seasons: tuple[SeasonShown, ...]
    dissolved: bool
    version: int


class LeagueEntry(Struct, frozen=True, kw_only=True):
    """A league in a list."""

    id: UUID
    name: str
    kind: str
    game_type: str
    members: int
    season: int
    running: bool
    dissolved: bool


class LeagueList(Struct, frozen=True):
    """A page of leagues, newest first."""

    leagues: tuple[LeagueEntry, ...]
    next: str | None
    log_position: LogPosition


class ContributionShown(Struct, frozen=True, kw_only=True):
    """What one fixture gives a player: why they stand there."""

    fixture: UUID
    kind: str
    points: int
    place: int | None
    game: UUID | None
    opponents: tuple[Person, ...]


class TableRow(Struct, frozen=True, kw_only=True):
    """A row. Equal places are shared; None: unranked for want of games. Sonneborn-Berger is in halves."""

    place: int | None
    player: Person
    points: int
    games: int
    wins: int
    ties: int
    losses: int
    head_to_head: int
    sonneborn_berger: int
    score_difference: int
    contributions: tuple[ContributionShown, ...]


class PublishedShown(Struct, frozen=True, kw_only=True):
    """A table as it was published: number 0 when the season was closed, then the amendments."""

    number: int
    log_position: LogPosition
    at: datetime
    hash: Annotated[str, Meta(description="SHA-256, in hex, of the rows as canonical JSON.")]
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
    """A fixture: `state` is what became of it, `game` the game that counts or the one that is open."""

    fixture: UUID
    division: int
    round: int
    players: tuple[Person, ...]
    state: str
    game: UUID | None
    reason: str | None


class Fixtures(Struct, frozen=True, kw_only=True):
    """The fixtures of a season."""

    league: UUID
    season: int
    fixtures: tuple[FixtureShown, ...]
    log_position: LogPosition


def person(player: UUID, names: Names) -> Person:
    return Person(player, names.get(player))


def people_of(league: League) -> list[UUID]:
    """Everybody whose name a league is shown with."""
    divisions = [player for season in league.seasons for division in season.divisions for player in division]
    return list(dict.fromkeys((*league.organisers, *league.members, *league.invited, *divisions)))


def league(found: League, names: Names) -> LeagueShown:
    """A league as everybody sees it."""
    founded = found.founded
    return LeagueShown(
        id=found.id, name=found.name, kind="box" if isinstance(founded.rules, BoxRules) else "same_deal",
        game_type=founded.game_type, options=founded.options, rules=founded.rules, membership=founded.membership,
        table=founded.table, rounds=founded.rounds, division_size=founded.division_size,
        move_seconds=founded.move_seconds, founded_at=wire.moment(found.founded_at),
        organisers=tuple(person(one, names) for one in found.organisers),
        members=tuple(person(one, names) for one in found.members),
        invited=tuple(person(one, names) for one in found.invited),
        seasons=tuple(_season(one, names) for one in found.seasons), dissolved=found.dissolved, version=found.version,
    )  # fmt: skip


def _season(season: Season, names: Names) -> SeasonShown:
    return SeasonShown(
        season=season.number, starts=wire.moment(season.starts), ends=wire.moment(season.ends),
        divisions=tuple(tuple(person(one, names) for one in division) for division in season.divisions),
        left=season.left, fixtures=len(season.fixtures), contests=season.contests, closed=season.closed,
        decided=season.decided is not None,
    )  # fmt: skip


def entry(found: Membership) -> LeagueEntry:
    return LeagueEntry(
        id=found.league, name=found.name, kind=found.kind, game_type=found.game_type, members=found.members,
        season=found.season, running=found.running, dissolved=found.dissolved,
    )  # fmt: skip


def division(table: Table, names: Names) -> DivisionTable:
    return DivisionTable(
        division=table.division, rows=tuple(row(one, names) for one in table.rows),
        published=tuple(_published(one, names) for one in table.published),
    )  # fmt: skip


def row(found: Row, names: Names) -> TableRow:
    shown = {name: getattr(found, name) for name in found.__struct_fields__ if name not in ("player", "contributions")}
    parts = tuple(_contribution(part, names) for part in found.contributions)
    return TableRow(player=person(found.player, names), contributions=parts, **shown)


def _contribution(part: Contribution, names: Names) -> ContributionShown:
    return ContributionShown(
        fixture=part.fixture, kind=part.kind, points=part.points, place=part.place, game=part.game,
        opponents=tuple(person(one, names) for one in part.opponents),
    )  # fmt: skip


def _published(found: Published, names: Names) -> PublishedShown:
    return PublishedShown(
        number=found.number, log_position=str(found.position), at=wire.moment(found.at), hash=found.hash,
        because=found.because, rows=tuple(row(one, names) for one in found.rows),
    )  # fmt: skip


def fixtures(season: Season, tables: Mapping[int, Table], names: Names) -> tuple[FixtureShown, ...]:
    """Every fixture with what the tables say of it."""
    said = {
        part.fixture: part for table in tables.values() for one in table.rows for part in one.contributions
    }  # fmt: skip
    return tuple(_fixture(season, one, said.get(one.id), names) for one in season.fixtures)


def _fixture(season: Season, one: ev.Fixture, part: Contribution | None, names: Names) -> FixtureShown:
    ended = season.ended.get(one.id)
    return FixtureShown(
        fixture=one.id, division=one.division, round=one.round,
        players=tuple(person(player, names) for player in playing(season, one)),
        state="to_play" if part is None else part.kind, game=None if part is None else part.game,
        reason=None if ended is None else ended.reason,
    )  # fmt: skip


def micros(moment: datetime) -> int:
    """Microseconds since 1970 of a moment; one without a time zone is UTC."""
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int((zoned - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1_000_000)
