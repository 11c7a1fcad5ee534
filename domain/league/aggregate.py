"""A league: the value that its records fold to."""

from collections.abc import Iterable
from functools import partial
from typing import Any, assert_never
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.league import events as ev
from domain.record import Micros, Record, fold_records, stream_record

STREAM_TYPE = "league"
AnyRecord = Record[Any, Any]
Ended = ev.WalkoverGiven | ev.NotPlayed


class Season(Struct, frozen=True, kw_only=True):
    """A season: who was put where, what is to be played, how fixtures ended without a game, who left or came in."""

    number: int
    starts: Micros
    ends: Micros
    divisions: tuple[tuple[UUID, ...], ...]
    fixtures: tuple[ev.Fixture, ...]
    ended: dict[UUID, Ended] = {}
    left: tuple[UUID, ...] = ()
    replaced: tuple[ev.PlayerReplaced, ...] = ()
    contests: tuple[UUID, ...] = ()
    closed: bool = False
    decided: ev.PromotionsDecided | None = None

    @property
    def places(self) -> tuple[tuple[UUID, ...], ...]:
        """Who plays in which division now: substitutes in the places of whom they replace."""
        return tuple(self._with_substitutes(division) for division in self.divisions)

    def playing(self, fixture: ev.Fixture) -> tuple[UUID, ...]:
        """Who is to play the fixture, in order of the seats."""
        return self._with_substitutes(fixture.players)

    def division_of(self, player: UUID) -> int | None:
        """The division that this player has a place in now."""
        return next((number for number, division in enumerate(self.places) if player in division), None)

    def _with_substitutes(self, players: tuple[UUID, ...]) -> tuple[UUID, ...]:
        for change in self.replaced:
            players = tuple(change.by if player == change.player else player for player in players)
        return players


class League(Struct, frozen=True, kw_only=True):
    """A league after `version` records; `seasons` are counted from 1."""

    id: UUID
    founded: ev.Founded
    founded_at: Micros
    name: str
    version: int = 1
    organisers: tuple[UUID, ...] = ()
    members: tuple[UUID, ...] = ()
    invited: tuple[UUID, ...] = ()
    seasons: tuple[Season, ...] = ()
    dissolved: bool = False

    @property
    def season(self) -> Season | None:
        """The newest season."""
        return self.seasons[-1] if self.seasons else None

    def fixture(self, fixture: UUID) -> tuple[Season, ev.Fixture] | None:
        """The season and the fixture of this id."""
        entries = ((season, entry) for season in self.seasons for entry in season.fixtures)
        return next((pair for pair in entries if pair[1].id == fixture), None)


def evolve(league: League | None, record: AnyRecord) -> League:
    """The league after one more record; events of others in its stream (rulings) only count."""
    if league is None:
        founded: ev.Founded = record.event
        return League(
            id=record.stream,
            founded=founded,
            founded_at=record.time,
            name=founded.name,
            organisers=(founded.organiser,),
        )
    league = replace(league, version=record.version)
    return _evolve(league, record.event) if type(record.event) in _EVENTS else league


def fold(records: Iterable[AnyRecord], league: League | None = None) -> League:
    """The league after these records."""
    return fold_records(evolve, records, league)


league_record = partial(stream_record, STREAM_TYPE)
"""The record of one event of a league."""


def _evolve(league: League, event: ev.LeagueEvent) -> League:
    match event:
        case ev.Renamed():
            return replace(league, name=event.name)
        case ev.MemberInvited():
            return replace(league, invited=(*league.invited, event.player))
        case ev.InvitationWithdrawn():
            return replace(league, invited=_without_player(league.invited, event.player))
        case ev.MemberJoined():
            invited = _without_player(league.invited, event.player)
            return replace(league, members=(*league.members, event.player), invited=invited)
        case ev.MemberLeft():
            league, season = replace(league, members=_without_player(league.members, event.player)), league.season
            if season is None or season.closed or season.division_of(event.player) is None:
                return league
            return _with_season(league, replace(season, left=(*season.left, event.player)))
        case ev.OrganiserNamed():
            return replace(league, organisers=(*league.organisers, event.player))
        case ev.OrganiserDismissed():
            return replace(league, organisers=_without_player(league.organisers, event.player))
        case ev.SeasonOpened():
            season = Season(
                number=event.season, starts=event.starts, ends=event.ends, divisions=event.divisions,
                fixtures=event.fixtures,
            )  # fmt: skip
            return replace(league, seasons=(*league.seasons, season))
        case ev.ContestAdded():
            season = league.seasons[event.season - 1]
            return _with_season(league, replace(season, contests=(*season.contests, event.contest)))
        case ev.PlayerReplaced():
            season = league.seasons[event.season - 1]
            return _with_season(league, replace(season, replaced=(*season.replaced, event)))
        case ev.WalkoverGiven() | ev.NotPlayed():
            return _with_ended(league, event.fixture, {event.fixture: event})
        case ev.FixtureReopened():
            return _with_ended(league, event.fixture, {})
        case ev.SeasonClosed():
            return _with_season(league, replace(league.seasons[event.season - 1], closed=True))
        case ev.PromotionsDecided():
            return _with_season(league, replace(league.seasons[event.season - 1], decided=event))
        case ev.Dissolved():
            return replace(league, dissolved=True)
        case ev.Founded():
            return league
        case _:
            assert_never(event)


def _with_ended(league: League, fixture: UUID, end: dict[UUID, Ended]) -> League:
    place = league.fixture(fixture)
    if place is None:
        return league
    season, _ = place
    others = {other: ended for other, ended in season.ended.items() if other != fixture}
    return _with_season(league, replace(season, ended=others | end))


def _with_season(league: League, season: Season) -> League:
    at = season.number - 1
    return replace(league, seasons=(*league.seasons[:at], season, *league.seasons[at + 1 :]))


def _without_player(players: tuple[UUID, ...], gone: UUID) -> tuple[UUID, ...]:
    return tuple(player for player in players if player != gone)


_EVENTS = frozenset[type](ev.LEAGUE_EVENTS)
