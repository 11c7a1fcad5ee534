"""The documents of leagues: each as it stands, its divisions' tables and what was published of them, its games."""

from uuid import UUID

from msgspec import Struct

from domain.league.aggregate import League
from domain.record import Micros
from projections.engine.contract import Collection, Family
from projections.games.counted_games import Play
from projections.leagues.boxes import Row


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


LEAGUES: Family[League] = Family("leagues", League)
TABLES: Family[Table] = Family("tables", Table)
FIXTURES: Family[FixtureGame] = Family("fixtures", FixtureGame)
GAMES: Family[FixtureGame] = Family("league_games", FixtureGame)
LISTS: Family[Membership] = Family("league_lists", Membership)
FIXTURE_OF: Family[FixtureOf] = Family("fixture_of", FixtureOf)
FAMILIES = (LEAGUES, TABLES, FIXTURES, GAMES, LISTS, FIXTURE_OF)


def key_of(season: int, division: int) -> str:
    """The key of a table, in the order of seasons and divisions."""
    return f"{season:05}/{division:05}"


def all_leagues() -> Collection[Membership]:
    """Every league, the newest first."""
    return LISTS()


def leagues_of(player: UUID) -> Collection[Membership]:
    """The leagues that a player organises, plays in or is invited to."""
    return LISTS(player)


def division_games(league: UUID, season: int, division: int) -> Collection[FixtureGame]:
    """The games of a division's season, by game."""
    return FIXTURES(league, str(season), str(division))
