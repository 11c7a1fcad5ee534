"""Rulings: recorded for every table by moderators, for a league's own tables by its organisers."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from domain import rulings
from domain.game_type import Illegal
from domain.league.aggregate import League
from domain.play.aggregate import Game
from domain.record import Micros, Record
from service.event_store.library.aggregates import Aggregates
from service.event_store.store import EventStore
from service.live.room import Room
from service.live.unseen import NoSuchGame


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


async def rule(site: Aggregates[rulings.SiteRulings], event: Struct, actor: UUID) -> Record[Struct, Struct]:
    """Record a ruling that holds everywhere; raises Refused."""
    made = (await site.act(rulings.SITE, lambda known: [event], actor)).newest
    assert made is not None
    return made


async def games_of(room: Room, event: Struct, league: League | None = None) -> Sequence[Game]:
    """The games that a ruling is about, which must be this league's if one is named.

    Raises Illegal for an unknown game, or a result that the game cannot have.
    """
    found = [await _game(room, game) for game in _named_games(event)]
    if league is not None:
        require_own_games(league, found)
    if isinstance(event, rulings.ResultCorrected):
        _check_possible(found[0], event)
    return found


def _named_games(event: Struct) -> tuple[UUID, ...]:
    if isinstance(event, rulings.GamesVoided | rulings.VoidsWithdrawn):
        return event.games
    return (event.game,) if isinstance(event, rulings.ResultCorrected | rulings.CorrectionWithdrawn) else ()


async def _game(room: Room, game: UUID) -> Game:
    try:
        return await room.game(game)
    except NoSuchGame as refusal:
        raise _unknown_game(game) from refusal


def _unknown_game(game: UUID) -> Illegal:
    return Illegal("unknown_game", f"There is no game {game}, or it is none of yours to rule on.")


def _check_possible(game: Game, event: rulings.ResultCorrected) -> None:
    if game.result is None:
        raise Illegal("game_not_finished", "The game has no result.")
    rulings.check_correction(event, len(game.players))


async def rule_within(
    league_id: UUID, leagues: Aggregates[League], event: Struct, actor: UUID, games: Sequence[Game]
) -> None:
    """Record a ruling that holds in a league; raises Illegal, Refused."""

    def decide_ruling(league: League) -> Sequence[Struct]:
        require_organiser(league, actor)
        require_own_games(league, games)
        return [event]

    await leagues.act(league_id, decide_ruling, actor)


def require_organiser(league: League, actor: UUID) -> None:
    """Raises Illegal unless the actor organises the league."""
    if actor not in league.organisers:
        raise Illegal("organisers_only", "Only an organiser of the league may do that.")


def require_own_games(league: League, games: Sequence[Game]) -> None:
    """Raises Illegal for a game that is not the league's, worded as for an unknown game, for it may be hidden."""
    fixtures = {fixture.id for season in league.seasons for fixture in season.fixtures}
    contests = {contest for season in league.seasons for contest in season.contests}
    for game in games:
        if game.opening.fixture not in fixtures and game.opening.contest not in contests:
            raise _unknown_game(game.id) from NoSuchGame(hidden=True)
