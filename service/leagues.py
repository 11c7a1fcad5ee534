"""Leagues as the service keeps them: founded and changed by decisions, their fixtures opened as games."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from domain.game import events as ev
from domain.game.play import Act, Step
from domain.game.table import Opening, open_game
from domain.games import GAME_TYPES
from domain.league import aggregate as lg
from domain.league import decide
from domain.league.aggregate import League
from service import openings
from service.aggregates import Aggregates
from service.event_store.store import EventStore
from service.ids import now, uuid7


def leagues(store: EventStore) -> Aggregates[League]:
    """All leagues."""
    return Aggregates(store, lg.STREAM_TYPE, lg.fold, lg.recorded)


def fixture_game(league: League, fixture: UUID, by: UUID) -> Step:
    """The game of a fixture, opened by one of its players; the others' seats are kept for them. Raises Illegal."""
    players = decide.playable(league, fixture, by)
    kind = GAME_TYPES[league.founded.game_type]
    opening = Opening(
        type=kind,
        options=msgspec.convert(league.founded.options, kind.options),
        players=tuple(player if player == by else None for player in players),
        invited=_kept(players, by),
        move_seconds=league.founded.move_seconds,
        fixture=fixture,
    )
    return open_game(uuid7(), opening, openings.fresh_secret(), Act(by, None, now()))


def _kept(players: Sequence[UUID], by: UUID) -> tuple[ev.Invited, ...]:
    return tuple(ev.Invited(player, seat) for seat, player in enumerate(players) if player != by)
