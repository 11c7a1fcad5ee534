"""A box league's fixtures: who may open their games, and how they end without one."""

from collections.abc import Sequence
from uuid import UUID

from domain.game_type import Illegal
from domain.league import events as ev
from domain.league.aggregate import League, Season
from domain.league.decide.guards import Events, check_organiser, fixture_of
from domain.record import Micros


def give_walkover(league: League, fixture: UUID, to: UUID, reason: str, by: UUID) -> Events:
    """A fixture without a game goes to the side that was there."""
    season, known = _find_open_fixture(league, fixture, by)
    players = season.playing(known)
    if to not in players:
        raise Illegal("not_in_fixture", "That player is not in the fixture.")
    return [ev.WalkoverGiven(fixture, to, reason, tuple(player for player in players if player != to))]


def declare_not_played(league: League, fixture: UUID, absent: Sequence[UUID], reason: str, by: UUID) -> Events:
    """The fixture is declared not played: nobody gets points."""
    season, known = _find_open_fixture(league, fixture, by)
    if set(absent) - set(season.playing(known)):
        raise Illegal("not_in_fixture", "That player is not in the fixture.")
    return [ev.NotPlayed(fixture, tuple(absent), reason)]


def reopen_fixture(league: League, fixture: UUID, reason: str, by: UUID) -> Events:
    """A walkover, or the ruling that the fixture was not played, is taken back."""
    check_organiser(league, by)
    season, _ = fixture_of(league, fixture)
    if fixture not in season.ended:
        raise Illegal("not_ended", "The fixture was not ended without a game.")
    return [ev.FixtureReopened(fixture, reason)]


def fixture_players(league: League, fixture: UUID, by: UUID, at: Micros) -> tuple[UUID, ...]:
    """The players of a fixture whose game `by` may open at this time, in order of the seats."""
    season, known = fixture_of(league, fixture)
    players = season.playing(known)
    if by not in players:
        raise Illegal("not_in_fixture", "You are not in that fixture.")
    if season.closed or league.dissolved or fixture in season.ended:
        raise Illegal("fixture_over", "The fixture is over.")
    if at < season.starts:
        raise Illegal("season_not_begun", "The season has not begun.")
    if set(players) & set(season.left):
        raise Illegal("player_left", "One of the players has left the league.")
    return players


def _find_open_fixture(league: League, fixture: UUID, by: UUID) -> tuple[Season, ev.Fixture]:
    check_organiser(league, by)
    season, known = fixture_of(league, fixture)
    if fixture in season.ended:
        raise Illegal("fixture_over", "The fixture is over.")
    return season, known
