"""Rulings: recorded for every table by moderators, for a league's own tables by its organisers."""

from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

from msgspec import Struct

from domain import rulings
from domain.game_type import Illegal
from domain.league.aggregate import League
from domain.play.aggregate import Game
from domain.record import Record
from service.event_store.errors import StaleVersion
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.leagues.aggregates import Aggregates
from service.live.room import Room
from service.live.unseen import NoSuchGame
from service.problems import Refused

_TRIES = 50


async def ruled(store: EventStore, stream: UUID, after: int = 0) -> list[Record[Struct, Struct]]:
    """The rulings of one stream behind this version, oldest first."""
    return [record for record in await store.records(stream, after) if isinstance(record.event, rulings.RULINGS)]


async def rule(store: EventStore, event: Struct, actor: UUID) -> Record[Struct, Struct]:
    """Record a ruling that holds everywhere; raises Refused."""
    for _ in range(_TRIES):
        known = await store.records(rulings.SITE)
        made = rulings.recorded(len(known) + 1, event, actor, now())
        with suppress(StaleVersion):
            await store.append([made])
            return made
    raise Refused("stale_version", "Others were faster, again and again.")


async def games_of(room: Room, event: Struct, league: League | None = None) -> Sequence[Game]:
    """The games that a ruling is about, which must be this league's if one is named.

    Raises Illegal for one that is not there, or a result that cannot be its.
    """
    found = [await _game(room, game) for game in _named(event)]
    if league is not None:
        within(league, found)
    if isinstance(event, rulings.ResultCorrected):
        _possible(found[0], event)
    return found


def _named(event: Struct) -> tuple[UUID, ...]:
    if isinstance(event, rulings.GamesVoided | rulings.VoidsWithdrawn):
        return event.games
    return (event.game,) if isinstance(event, rulings.ResultCorrected | rulings.CorrectionWithdrawn) else ()


async def _game(room: Room, game: UUID) -> Game:
    try:
        return await room.game(game)
    except NoSuchGame as refusal:
        raise _unknown(game) from refusal


def _unknown(game: UUID) -> Illegal:
    return Illegal("unknown_game", f"There is no game {game}, or it is none of yours to rule on.")


def _possible(game: Game, event: rulings.ResultCorrected) -> None:
    if game.result is None:
        raise Illegal("game_not_finished", "The game has no result.")
    rulings.possible(event, len(game.players))


async def rule_within(
    league_id: UUID, leagues: Aggregates[League], event: Struct, actor: UUID, games: Sequence[Game]
) -> None:
    """Record a ruling that holds in a league; raises Illegal, Refused."""

    def decided(league: League) -> Sequence[Struct]:
        organised(league, actor)
        within(league, games)
        return [event]

    await leagues.act(league_id, decided, actor)


def organised(league: League, actor: UUID) -> None:
    """Raises Illegal for who does not organise the league."""
    if actor not in league.organisers:
        raise Illegal("organisers_only", "Only an organiser of the league may do that.")


def within(league: League, games: Sequence[Game]) -> None:
    """A league rules for games of its own; raises Illegal, as for a game that is not there: it may be a hidden one."""
    fixtures = {fixture.id for season in league.seasons for fixture in season.fixtures}
    contests = {contest for season in league.seasons for contest in season.contests}
    for game in games:
        if game.opening.fixture not in fixtures and game.opening.contest not in contests:
            raise _unknown(game.id) from NoSuchGame(hidden=True)
