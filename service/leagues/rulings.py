"""Rulings: recorded for every table by moderators, for a league's own tables by its organisers; and who is barred."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from msgspec import Struct

from domain import rulings
from domain.game_type import Forbidden, Illegal
from domain.league.aggregate import League
from domain.play.aggregate import Game
from domain.record import Micros, Record
from projections.boards.reliability import RELIABILITIES, rows
from service.event_store.aggregates import Aggregates
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.leagues.telling import league_of, ruling_told
from service.live import shapes
from service.live.room import Room
from service.live.seats import NoSuchGame

if TYPE_CHECKING:
    from service.http.services import Services


async def recorded_rulings(store: EventStore, stream: UUID, after: int = 0) -> list[Record[Struct, Struct]]:
    """The rulings of one stream behind this version, oldest first."""
    return [record for record in await store.records(stream, after) if isinstance(record.event, rulings.RULINGS)]


def site_rulings(store: EventStore) -> Aggregates[rulings.SiteRulings]:
    """The one stream of the rulings that hold everywhere."""
    return Aggregates(store, rulings.STREAM_TYPE, rulings.fold, _ruling_record, empty=rulings.SiteRulings())


def _ruling_record(
    stream: UUID, version: int, event: Struct, actor: UUID | None, time: Micros
) -> Record[Struct, Struct]:
    return rulings.ruling_record(version, event, actor, time)


async def rule(
    site: Aggregates[rulings.SiteRulings], event: Struct, actor: UUID, told: Mapping[UUID, Sequence[UUID]] = {}
) -> Record[Struct, Struct]:
    """Record a ruling that holds everywhere, `told` to these leagues of these games of theirs; raises Refused."""

    def beside(known: rulings.SiteRulings) -> list[Companion]:
        record = _ruling_record(rulings.SITE, known.version + 1, event, actor, now())
        return [one for league, own in told.items() for one in ruling_told(league, record, own)]

    made = (await site.act(rulings.SITE, lambda known: [event], actor, beside)).newest
    assert made is not None
    return made


async def leagues_of(services: "Services", games: Sequence[Game]) -> Mapping[UUID, Sequence[UUID]]:
    """The leagues that these games are of, each with its own."""
    found: dict[UUID, list[UUID]] = {}
    for game in games:
        fixture = game.opening.fixture
        if fixture is not None and (league := await league_of(services.reads, services.leagues, fixture)) is not None:
            found.setdefault(league.id, []).append(game.id)
    return found


async def games_of(room: Room, event: Struct, league: League | None = None) -> Sequence[Game]:
    """The games that a ruling is about, which must be this league's if one is named.

    Raises Illegal for an unknown game, or a result that the game cannot have.
    """
    found = [await _game(room, game, _pointer(event, place)) for place, game in enumerate(rulings.ruled_games(event))]
    if league is not None:
        require_own_games(league, found, event)
    if isinstance(event, rulings.ResultCorrected):
        if found[0].result is None:
            raise Illegal("game_not_finished", "The game has no result.")
        rulings.check_correction(event, len(found[0].players))
    return found


def _pointer(event: Struct, place: int) -> str:
    """Where the request has the game at this place among those that the ruling names."""
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


async def require_admission(services: "Services", player: UUID, seats: int, rated: bool) -> None:
    """Raises Illegal for a rated table of several seats while the player is barred: too many games not seen through."""
    if seats < 2 or not rated or not services.settings.bar_from_tables:
        return
    async with services.reads.of(RELIABILITIES) as found:
        row = await found.document(rows(), str(player))
    if row is not None and row.barred_until > now():
        until = shapes.moment(row.barred_until).isoformat(timespec="seconds")
        reason = "Lately you left or resigned too many rated games early, or let their time run out"
        raise Forbidden("barred", f"{reason}: rated tables are open to you again from {until}.")
