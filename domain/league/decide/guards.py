"""Checks that most decisions about a league make first."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from domain.game_type import Illegal
from domain.league import events as ev
from domain.league.aggregate import League, Season

Events = Sequence[Struct]


def check_not_dissolved(league: League) -> None:
    """Raises Illegal once the league is dissolved."""
    if league.dissolved:
        raise Illegal("dissolved", "The league is dissolved.")


def check_organiser(league: League, by: UUID) -> None:
    """Raises Illegal unless `by` is an organiser and the league is not dissolved."""
    check_not_dissolved(league)
    if by not in league.organisers:
        raise Illegal("organisers_only", "Only an organiser of the league may do that.")


def season_of(league: League, number: int) -> Season:
    """The season of this number; raises Illegal."""
    if not 1 <= number <= len(league.seasons):
        raise Illegal("no_such_season", "There is no such season.")
    return league.seasons[number - 1]


def fixture_of(league: League, fixture: UUID) -> tuple[Season, ev.Fixture]:
    """The season and the fixture of this id; raises Illegal."""
    found = league.fixture(fixture)
    if found is None:
        raise Illegal("no_such_fixture", "There is no such fixture.")
    return found
