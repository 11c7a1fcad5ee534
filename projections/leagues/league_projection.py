"""Leagues: each as it stands, its divisions' tables, what was published of them, and the amendments since."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.league import events as ev
from domain.league.aggregate import STREAM_TYPE, League, Season, evolve
from domain.league.rules import BoxRules
from domain.play import events as game_ev
from domain.record import Micros, Record
from domain.rulings import RULINGS
from projections.engine import contract
from projections.games.counted_games import TOPICS, Play, evolve_play, games_of, places
from projections.leagues.boxes import Row, table


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


class FixtureOf(Struct, frozen=True):
    """Which league and season a fixture is of."""

    league: UUID
    season: int
    division: int


LEAGUES: contract.Family[League] = contract.Family("leagues", League)
TABLES: contract.Family[Table] = contract.Family("tables", Table)
FIXTURES: contract.Family[FixtureGame] = contract.Family("fixtures", FixtureGame)
GAMES: contract.Family[FixtureGame] = contract.Family("league_games", FixtureGame)
LISTS: contract.Family[Membership] = contract.Family("league_lists", Membership)
FIXTURE_OF: contract.Family[FixtureOf] = contract.Family("fixture_of", FixtureOf)
FAMILIES = (LEAGUES, TABLES, FIXTURES, GAMES, LISTS, FIXTURE_OF)


def key_of(season: int, division: int) -> str:
    """The key of a table, in the order of seasons and divisions."""
    return f"{season:05}/{division:05}"


def all_leagues() -> contract.Collection[Membership]:
    """Every league, the newest first."""
    return LISTS()


def leagues_of(player: UUID) -> contract.Collection[Membership]:
    """The leagues that a player organises, plays in or is invited to."""
    return LISTS(player)


def division_games(league: UUID, season: int, division: int) -> contract.Collection[FixtureGame]:
    """The games of a division's season, by game."""
    return FIXTURES(league, str(season), str(division))


def fold(documents: contract.Documents, recorded: contract.Recorded) -> None:
    """One event of a league, of a game played for one, or a ruling."""
    if recorded.record.type == STREAM_TYPE:
        _fold_league(documents, recorded)
    if recorded.record.type != STREAM_TYPE or isinstance(recorded.record.event, RULINGS):
        _fold_games(documents, recorded)


def _fold_league(documents: contract.Documents, recorded: contract.Recorded) -> None:
    record = recorded.record
    before = documents.get(LEAGUES(), str(record.stream))
    league = evolve(before, record)
    documents.put(LEAGUES(), str(league.id), league)
    if isinstance(record.event, ev.SeasonOpened):
        for fixture in record.event.fixtures:
            place = FixtureOf(league.id, record.event.season, fixture.division)
            documents.put(FIXTURE_OF(), str(fixture.id), place)
    _update_lists(documents, before, league)
    for season in league.seasons:
        if before is None or season not in before.seasons:
            tabulate(documents, recorded, league, season, range(len(season.divisions)))


def _update_lists(documents: contract.Documents, before: League | None, league: League) -> None:
    entry, sort = _entry(league), contract.rank_key(league.founded_at)
    if before is not None and (_entry(before), _list_owners(before)) == (entry, _list_owners(league)):
        return
    documents.put(all_leagues(), str(league.id), entry, sort)
    for player in _list_owners(league):
        documents.put(leagues_of(player), str(league.id), entry, sort)
    for player in _list_owners(before) - _list_owners(league):
        documents.delete(leagues_of(player), str(league.id))


def _list_owners(league: League | None) -> set[UUID]:
    return set() if league is None else {*league.organisers, *league.members, *league.invited}


def _entry(league: League) -> Membership:
    season = league.season
    return Membership(
        league=league.id, name=league.name, game_type=league.founded.game_type,
        kind="box" if isinstance(league.founded.rules, BoxRules) else "same_deal", members=len(league.members),
        season=len(league.seasons), running=season is not None and not season.closed, dissolved=league.dissolved,
    )  # fmt: skip


def _fold_games(documents: contract.Documents, recorded: contract.Recorded) -> None:
    record = recorded.record
    for game in games_of(record.event, record.stream):
        before = documents.get(GAMES(), str(game)) or _new_fixture_game(documents, record, game)
        # A league's own rulings hold for its own games.
        if before is not None and (record.type != STREAM_TYPE or record.stream == before.league):
            after = replace(before, play=evolve_play(before.play, recorded))
            if after != before or isinstance(record.event, game_ev.Opened):
                documents.put(GAMES(), str(game), after)
                documents.put(division_games(after.league, after.season, after.division), str(game), after)
                league = documents.get(LEAGUES(), str(after.league))
                if league is not None and _table_inputs(before.play) != _table_inputs(after.play):
                    tabulate(documents, recorded, league, league.seasons[after.season - 1], [after.division])


def _new_fixture_game(documents: contract.Documents, record: Record[Any, Any], game: UUID) -> FixtureGame | None:
    if not isinstance(record.event, game_ev.Opened) or record.event.fixture is None:
        return None
    place = documents.get(FIXTURE_OF(), str(record.event.fixture))
    if place is None:
        return None
    return FixtureGame(place.league, place.season, place.division, Play(game, record.type))


def _table_inputs(play: Play) -> tuple[object, ...]:
    result = play.result
    return result is not None, play.counts, places(play), result and result.scores


def tabulate(
    documents: contract.Documents, recorded: contract.Recorded, league: League, season: Season, divisions: Iterable[int]
) -> None:
    """The tables of these divisions anew; those of a closed season are published where they have changed."""
    rules = league.founded.rules
    if not isinstance(rules, BoxRules):
        return
    for division in divisions:
        before = documents.get(TABLES(league.id), key_of(season.number, division))
        published = () if before is None else before.published
        until = published[0].position if published else recorded.position if season.closed else None
        plays: dict[UUID, list[Play]] = {}
        for _, game in documents.scan(division_games(league.id, season.number, division)):
            if game.play.fixture is not None:
                plays.setdefault(game.play.fixture, []).append(game.play)
        rows = table(season, division, rules, plays, until)
        if season.closed and (not published or published[-1].hash != digest(rows)):
            published += (
                Published(
                    number=len(published), position=recorded.position, at=recorded.record.time, hash=digest(rows),
                    rows=rows, because=contract.reason_text(recorded.record.event),
                ),
            )  # fmt: skip
        after = Table(league.id, season.number, division, rules.id, rows, published)
        if after != before:
            documents.put(TABLES(league.id), key_of(season.number, division), after)


def digest(rows: Iterable[Row]) -> str:
    """SHA-256, in hex, of a table's canonical form: a JSON array of rows without any space.

    A row is [player, place, points, games, wins, ties, losses, head to head, Sonneborn-Berger in halves, score
    difference, contributions]; a contribution is [fixture, kind, points, place, game]; what there is not is null.
    The form is fixed: it does not follow a change of the documents.
    """
    canonical = [
        [
            row.player, row.place, row.points, row.games, row.wins, row.ties, row.losses,
            row.head_to_head, row.sonneborn_berger, row.score_difference,
            [[part.fixture, part.kind, part.points, part.place, part.game] for part in row.contributions],
        ]
        for row in rows
    ]  # fmt: skip
    return sha256(msgspec.json.encode(canonical)).hexdigest()


def wants(record: Record[Any, Any]) -> contract.Wanted:
    """The league, or the game and its fixture."""
    if record.type == STREAM_TYPE:
        yield LEAGUES(), str(record.stream)
    for game in games_of(record.event, record.stream):
        yield GAMES(), str(game)
    if isinstance(record.event, game_ev.Opened) and record.event.fixture is not None:
        yield FIXTURE_OF(), str(record.event.fixture)


LEAGUES_PROJECTION = contract.Projection(
    name="leagues",
    version=5,
    topics=TOPICS | {str(event.__struct_config__.tag) for event in ev.LEAGUE_EVENTS},
    families=FAMILIES,
    fold=fold,
    wants=wants,
)
