"""Commands on leagues: open the game of a fixture, record a ruling, check who may do it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from domain import rulings
from domain.game_type import Forbidden, Illegal
from domain.games import GAME_TYPES
from domain.league import aggregate as lg
from domain.league import decide
from domain.league.aggregate import League
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step
from domain.play.table import Opening, open_game
from domain.record import Micros, Record
from projections.boards.reliability import RELIABILITIES, rows
from projections.leagues.boxes import counted_game
from projections.leagues.league_projection import GAMES, LEAGUES_PROJECTION, division_games
from service.event_store.aggregates import Aggregates
from service.event_store.errors import DuplicateCompanion
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.http.operation import Call
from service.leagues.events import game_opened, league_of, league_statements, ruling_statements
from service.live import idempotency, openings, shapes
from service.live.room import Room
from service.live.seats import NoSuchGame
from service.workers.reads import Reads


@dataclass(frozen=True)
class LeagueParts:
    """All leagues, and the rulings for every table."""

    leagues: Aggregates[League]
    rulings: Aggregates[rulings.SiteRulings]


_MOST_GAMES = 20
"""The most games of one fixture."""


def leagues(store: EventStore) -> Aggregates[League]:
    """All leagues."""
    return Aggregates(store, lg.STREAM_TYPE, lg.fold, lg.league_record, accompany=league_statements)


async def fixture_game(call: Call[Any, Any], league: League, fixture: UUID) -> tuple[Game, bool]:
    """The game of a fixture for one of its players, and whether it was opened just now; raises Illegal.

    The games of a fixture are numbered, and a number is taken in the transaction that opens its game: of two requests
    at once one opens it and the other finds it. The next number is used when a game does not count.
    """
    for number in range(_MOST_GAMES):
        key = idempotency.Key(idempotency.NOWHERE, "fixture", fixture, str(number), b"")
        if (game := await _find_game(call, key)) is None:
            game = await _open_new_game(call, league, fixture, key)
            if game is not None:
                return game, True
            game = await _find_game(call, key)
        if game is not None and not await _is_spent(call.reads, league, fixture, game):
            if call.player not in game.players and call.player not in _players(league, fixture):
                raise Forbidden("not_in_fixture", "You are not in that fixture.")
            return game, False
    raise Illegal("too_many_games", f"A fixture has {_MOST_GAMES} games at most.")


async def _find_game(call: Call[Any, Any], key: idempotency.Key) -> Game | None:
    first_use = await idempotency.find(call.store, key)
    return None if first_use is None else await call.room.game(first_use.stream)


async def _open_new_game(
    call: Call[Any, Any], league: League, fixture: UUID, key: idempotency.Key
) -> Game | None:  # fmt: skip
    """A new game of the fixture; None if another request has opened one."""
    step = _opening(call.room, league, fixture, call.player)
    await require_admission(call, call.player, league.founded.table, True)
    try:
        companions = [*idempotency.key_companions(key, step, None), *idempotency.request_companions(step)]
        companions += game_opened(league, fixture, step)
        return (await call.room.open(step, companions)).game
    except DuplicateCompanion:
        return None


def _opening(room: Room, league: League, fixture: UUID, by: UUID) -> Step:
    """A rated public game with the league's options; the others' seats are reserved for them. Raises Illegal."""
    at, kind = now(), GAME_TYPES[league.founded.game_type]
    players = decide.fixture_players(league, fixture, by, at)
    opening = Opening(
        type=kind,
        options=msgspec.convert(league.founded.options, kind.options),
        players=tuple(player if player == by else None for player in players),
        invited=tuple(ev.Invited(player, seat) for seat, player in enumerate(players) if player != by),
        move_seconds=league.founded.move_seconds,
        fixture=fixture,
    )
    return open_game(room.new_id(), opening, openings.fresh_secret(), Act(by, None, at, room.signer))


def _players(league: League, fixture: UUID) -> tuple[UUID, ...]:
    placed = league.fixture(fixture)
    return () if placed is None else placed[0].playing(placed[1])


async def _is_spent(reads: Reads, league: League, fixture: UUID, game: Game) -> bool:
    """Whether a game does not count: void, aborted, or waiting for players who have been replaced."""
    if game.status == "waiting":
        expected = {guest.player for guest in game.guests} | {player for player in game.players if player is not None}
        return expected != set(_players(league, fixture))
    if game.status != "finished":
        return game.status == "voided"
    async with reads.of(LEAGUES_PROJECTION) as snapshot:
        document = await snapshot.document(GAMES(), str(game.id))  # None while the projection is behind: it counts
    return document is not None and document.play.finish is not None and counted_game([document.play]) is None


async def require_unplayed(reads: Reads, league: League, fixture: UUID) -> None:
    """Raises Illegal for a fixture that has a game that counts."""
    placed = league.fixture(fixture)
    if placed is None:
        return
    games = division_games(league.id, placed[0].number, placed[1].division)
    async with reads.of(LEAGUES_PROJECTION) as snapshot:
        plays = [game.play for _, game in await snapshot.documents(games) if game.play.fixture == fixture]
    if counted_game(plays) is not None:
        raise Illegal("fixture_played", "The fixture was played: correct its result, or void its game.")


async def recorded_rulings(store: EventStore, stream: UUID, after: int = 0) -> list[Record[Struct, Struct]]:
    """The rulings of one stream after this version, oldest first."""
    return [record for record in await store.records(stream, after) if isinstance(record.event, rulings.RULINGS)]


def site_rulings(store: EventStore) -> Aggregates[rulings.SiteRulings]:
    """The one stream of the rulings that hold everywhere."""
    return Aggregates(store, rulings.STREAM_TYPE, rulings.fold, _ruling_record, empty=rulings.SiteRulings())


def _ruling_record(
    stream: UUID, version: int, event: Struct, actor: UUID | None, time: Micros
) -> Record[Struct, Struct]:
    return rulings.ruling_record(version, event, actor, time)


async def rule(
    site: Aggregates[rulings.SiteRulings],
    event: Struct,
    actor: UUID,
    games_by_league: Mapping[UUID, Sequence[UUID]] = {},
) -> Record[Struct, Struct]:
    """Record a ruling that holds everywhere, with events for the leagues of these games; raises Refused."""

    def companions(before: rulings.SiteRulings) -> list[Companion]:
        record = _ruling_record(rulings.SITE, before.version + 1, event, actor, now())
        return [row for league, games in games_by_league.items() for row in ruling_statements(league, record, games)]

    ruling = (await site.act(rulings.SITE, lambda before: [event], actor, companions)).newest
    assert ruling is not None
    return ruling


async def leagues_of(reads: Reads, leagues: Aggregates[League], games: Sequence[Game]) -> Mapping[UUID, Sequence[UUID]]:
    """The leagues of these games, each with its games."""
    games_by_league: dict[UUID, list[UUID]] = {}
    for game in games:
        fixture = game.opening.fixture
        if fixture is not None and (league := await league_of(reads, leagues, fixture)) is not None:
            games_by_league.setdefault(league.id, []).append(game.id)
    return games_by_league


async def games_of(room: Room, event: Struct, league: League | None = None) -> Sequence[Game]:
    """The games that a ruling names; they must belong to `league` if it is given.

    Raises Illegal for an unknown game, or a result that the game cannot have.
    """
    games = [await _game(room, game, _pointer(event, place)) for place, game in enumerate(rulings.ruled_games(event))]
    if league is not None:
        require_own_games(league, games, event)
    if isinstance(event, rulings.ResultCorrected):
        if games[0].result is None:
            raise Illegal("game_not_finished", "The game has no result.")
        rulings.check_correction(event, len(games[0].players))
    return games


def _pointer(event: Struct, place: int) -> str:
    """The JSON pointer to the game at this place among the games of the ruling."""
    return f"/game_ids/{place}" if isinstance(event, rulings.GamesVoided | rulings.VoidsWithdrawn) else "/game_id"


async def _game(room: Room, game: UUID, pointer: str) -> Game:
    try:
        return await room.game(game)
    except NoSuchGame as refusal:
        raise _unknown_game(game, pointer) from refusal


def _unknown_game(game: UUID, pointer: str) -> Illegal:
    return Illegal("unknown_game", f"There is no game {game}, or it is none of yours to rule on.", pointer)


async def rule_within(
    league_id: UUID, leagues: Aggregates[League], event: Struct, actor: UUID, games: Sequence[Game]
) -> int:
    """Record a ruling that holds in a league; the league's version with it. Raises Illegal, Refused."""

    def decide_ruling(league: League) -> Sequence[Struct]:
        require_organiser(league, actor)
        require_own_games(league, games, event)
        return [event]

    return (await leagues.act(league_id, decide_ruling, actor)).version


def require_organiser(league: League, actor: UUID) -> None:
    """Raises Illegal unless the actor organises the league."""
    if actor not in league.organisers:
        raise Forbidden("organisers_only", "Only an organiser of the league may do that.")


def require_own_games(league: League, games: Sequence[Game], event: Struct) -> None:
    """Raises Illegal for a game that is not the league's, worded as for an unknown game, for it may be hidden."""
    fixtures = {fixture.id for season in league.seasons for fixture in season.fixtures}
    contests = {contest for season in league.seasons for contest in season.contests}
    for place, game in enumerate(games):
        if game.opening.fixture not in fixtures and game.opening.contest not in contests:
            raise _unknown_game(game.id, _pointer(event, place)) from NoSuchGame(hidden=True)


async def require_admission(call: Call[Any, Any], player: UUID, seats: int, rated: bool) -> None:
    """Raises Illegal for a rated table of several seats while the player is barred for unfinished games."""
    if seats < 2 or not rated or not call.settings.bar_from_tables:
        return
    async with call.reads.of(RELIABILITIES) as snapshot:
        row = await snapshot.document(rows(), str(player))
    if row is not None and row.barred_until > now():
        until = shapes.moment(row.barred_until).isoformat(timespec="seconds")
        reason = "Lately you left or resigned too many rated games early, or let their time run out"
        raise Forbidden("barred", f"{reason}: rated tables are open to you again from {until}.")
