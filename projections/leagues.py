"""Leagues: each as it stands, its divisions' tables, what was published of them, and the amendments since."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.game import events as game_ev
from domain.league import events as ev
from domain.league.aggregate import STREAM_TYPE, League, Season, evolve
from domain.league.rules import BoxRules
from domain.record import Micros, Record
from domain.rulings import RULINGS
from projections.boxes import Row, table
from projections.plays import TOPICS, Play, games_of, known
from projections.projection import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key


class Published(Struct, frozen=True):
    """A table as it was published: when the season was closed (number 0), or by an amendment after it."""

    number: int
    position: int
    at: Micros
    hash: str
    rows: tuple[Row, ...]
    because: str


class Table(Struct, frozen=True):
    """A division's table as it stands, and everything that was ever published of it, oldest first."""

    league: UUID
    season: int
    division: int
    rules: str
    rows: tuple[Row, ...]
    published: tuple[Published, ...] = ()


class FixtureGame(Struct, frozen=True):
    """A game that was opened for a fixture."""

    league: UUID
    season: int
    division: int
    play: Play


class Membership(Struct, frozen=True):
    """A league in a list."""

    league: UUID
    name: str
    game_type: str
    kind: str
    members: int
    season: int
    running: bool
    dissolved: bool


LEAGUES: Family[League] = Family("leagues", League)
TABLES: Family[Table] = Family("tables", Table)
FIXTURES: Family[FixtureGame] = Family("fixtures", FixtureGame)
GAMES: Family[FixtureGame] = Family("league_games", FixtureGame)
LISTS: Family[Membership] = Family("league_lists", Membership)


class FixtureOf(Struct, frozen=True):
    """Which league and season a fixture is of."""

    league: UUID
    season: int
    division: int


FIXTURE_OF: Family[FixtureOf] = Family("fixture_of", FixtureOf)


def key_of(season: int, division: int) -> str:
    """The key of a table, in the order of seasons and divisions."""
    return f"{season:05}/{division:05}"


def all_leagues() -> Collection[Membership]:
    """Every league, the newest first."""
    return LISTS()


def leagues_of(player: UUID) -> Collection[Membership]:
    """The leagues that a player organises, plays in or is invited to."""
    return LISTS(player)


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a league, of a game played for one, or a ruling."""
    if recorded.record.type == STREAM_TYPE and not isinstance(recorded.record.event, RULINGS):
        _league(documents, recorded)
    else:
        _games(documents, recorded)


def _league(documents: Documents, recorded: Recorded) -> None:
    record = recorded.record
    before = documents.get(LEAGUES(), str(record.stream))
    league = evolve(before, record)
    documents.put(LEAGUES(), str(league.id), league)
    if isinstance(record.event, ev.SeasonOpened):
        for fixture in record.event.fixtures:
            place = FixtureOf(league.id, record.event.season, fixture.division)
            documents.put(FIXTURE_OF(), str(fixture.id), place)
    _list(documents, before, league)
    for season in league.seasons:
        if before is None or season not in before.seasons:
            _tabulate(documents, recorded, league, season, range(len(season.divisions)))


def _list(documents: Documents, before: League | None, league: League) -> None:
    entry, sort = _entry(league), rank_key(league.founded_at)
    documents.put(all_leagues(), str(league.id), entry, sort)
    for player in _people(league):
        documents.put(leagues_of(player), str(league.id), entry, sort)
    for player in _people(before) - _people(league):
        documents.delete(leagues_of(player), str(league.id))


def _people(league: League | None) -> set[UUID]:
    return set() if league is None else {*league.organisers, *league.members, *league.invited}


def _entry(league: League) -> Membership:
    season = league.season
    return Membership(
        league=league.id, name=league.name, game_type=league.founded.game_type,
        kind="box" if isinstance(league.founded.rules, BoxRules) else "same_deal", members=len(league.members),
        season=len(league.seasons), running=season is not None and not season.closed, dissolved=league.dissolved,
    )  # fmt: skip


def _games(documents: Documents, recorded: Recorded) -> None:
    record = recorded.record
    for game in games_of(record.event, record.stream):
        before = documents.get(GAMES(), str(game)) or _new(documents, record, game)
        if before is not None and _within(before, record):
            after = replace(before, play=known(before.play, recorded))
            if after != before or isinstance(record.event, game_ev.Opened):
                _changed(documents, recorded, after)


def _within(game: FixtureGame, record: Record[Any, Any]) -> bool:
    """A league's own rulings hold for its own games."""
    return record.type != STREAM_TYPE or record.stream == game.league


def _new(documents: Documents, record: Record[Any, Any], game: UUID) -> FixtureGame | None:
    if not isinstance(record.event, game_ev.Opened) or record.event.fixture is None:
        return None
    place = documents.get(FIXTURE_OF(), str(record.event.fixture))
    if place is None:
        return None
    return FixtureGame(place.league, place.season, place.division, Play(game, record.type))


def _changed(documents: Documents, recorded: Recorded, game: FixtureGame) -> None:
    documents.put(GAMES(), str(game.play.game), game)
    documents.put(_division(game.league, game.season, game.division), str(game.play.game), game)
    league = documents.get(LEAGUES(), str(game.league))
    if league is not None:
        _tabulate(documents, recorded, league, league.seasons[game.season - 1], [game.division])


def _division(league: UUID, season: int, division: int) -> Collection[FixtureGame]:
    """The games of a division's season, by game."""
    return FIXTURES(league, str(season), str(division))


def _tabulate(
    documents: Documents, recorded: Recorded, league: League, season: Season, divisions: Iterable[int]
) -> None:
    """The tables anew, and published where the season has been closed and they are not what was published last."""
    rules = league.founded.rules
    if not isinstance(rules, BoxRules):
        return
    for division in divisions:
        plays = _plays(documents, league.id, season.number, division)
        rows, key = table(season, division, rules, plays), key_of(season.number, division)
        before = documents.get(TABLES(league.id), key)
        after = Table(league.id, season.number, division, rules.id, rows, before.published if before else ())
        if season.closed and (not after.published or after.published[-1].hash != digest(rows)):
            after = replace(after, published=(*after.published, _published(recorded, after)))
        if after != before:
            documents.put(TABLES(league.id), key, after)


def _plays(documents: Documents, league: UUID, season: int, division: int) -> dict[UUID, list[Play]]:
    plays: dict[UUID, list[Play]] = {}
    for _, game in documents.scan(_division(league, season, division)):
        if game.play.fixture is not None:
            plays.setdefault(game.play.fixture, []).append(game.play)
    return plays


def digest(rows: tuple[Row, ...]) -> str:
    """SHA-256, in hex, of a table's rows as canonical JSON."""
    return sha256(msgspec.json.encode(rows, order="sorted")).hexdigest()


def _published(recorded: Recorded, after: Table) -> Published:
    record = recorded.record
    return Published(
        number=len(after.published), position=recorded.position, at=record.time, hash=digest(after.rows),
        rows=after.rows, because=_because(record.event),
    )  # fmt: skip


def _because(event: Struct) -> str:
    reason = getattr(event, "reason", None)
    said = str(type(event).__struct_config__.tag).partition("/")[2].replace("_", " ")
    return f"{said}: {reason}" if reason else said


def wants(record: Record[Any, Any]) -> Wanted:
    """The league, or the game and its fixture."""
    if record.type == STREAM_TYPE:
        yield LEAGUES(), str(record.stream)
    for game in games_of(record.event, record.stream):
        yield GAMES(), str(game)
    if isinstance(record.event, game_ev.Opened) and record.event.fixture is not None:
        yield FIXTURE_OF(), str(record.event.fixture)


def _topics() -> Iterator[str]:
    yield from (str(event.__struct_config__.tag) for event in ev.LEAGUE_EVENTS)
    yield from TOPICS


LEAGUES_PROJECTION = Projection(
    name="leagues",
    version=1,
    topics=frozenset(_topics()),
    families=(LEAGUES, TABLES, FIXTURES, GAMES, LISTS, FIXTURE_OF),
    fold=fold,
    wants=wants,
)
