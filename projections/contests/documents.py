"""The documents of same-deal contests: each as everybody may know it, its attempts and results, seasons and streaks."""

from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.contest import events as ev
from domain.record import Micros
from projections.contests.results import Attempt, Score
from projections.contests.seasons import DayScore, PublishedSeason, SeasonRow, Streak
from projections.engine.contract import Collection, Family


class ContestRow(Struct, frozen=True, kw_only=True):
    """A contest as everybody may know it; `seed` once it is closed, and with it `certificate` and `positions`.

    `entries` counts who was dealt the cards. `witness`: whether the line is kept that a solver won the deal by.
    """

    contest: UUID
    announced: ev.Announced
    announced_at: Micros
    entries: int = 0
    closed: bool = False
    seed: bytes | None = None
    certificate: ev.Certificate = "not_tried"
    positions: int = 0
    witness: bool = False
    position: int = 0


class AttemptOf(Struct, frozen=True):
    """Whose attempt at which contest a game is."""

    contest: UUID
    player: UUID


class Seasoned(Struct, frozen=True):
    """A player has played this game to its end, of whatever type."""


class SeasonOf(Struct, frozen=True):
    """The league's season that a contest belongs to."""

    league: UUID
    season: int


class LeagueSeason(Struct, frozen=True):
    """Whether a league's season is closed, and what was published of it last: the number and the hash."""

    closed: bool = False
    number: int = -1
    hash: str = ""


class Newest(Struct, frozen=True):
    """The newest day that is closed, counted from 1970-01-01: a streak that ends before it is broken."""

    day: int


CONTESTS: Family[ContestRow] = Family("contests", ContestRow)
LISTS: Family[ContestRow] = Family("contest_lists", ContestRow)
ATTEMPTS: Family[Attempt] = Family("attempts", Attempt)
GAMES: Family[AttemptOf] = Family("contest_games", AttemptOf)
SEASONED: Family[Seasoned] = Family("seasoned", Seasoned)
SCORES: Family[Score] = Family("contest_scores", Score)
DAYS: Family[DayScore] = Family("season_days", DayScore)
SEASONS: Family[SeasonRow] = Family("day_seasons", SeasonRow)
STREAKS: Family[Streak] = Family("day_streaks", Streak)
NEWEST: Family[Newest] = Family("newest_days", Newest)
SEASON_OF: Family[SeasonOf] = Family("contest_season", SeasonOf)
LEAGUE_SEASONS: Family[LeagueSeason] = Family("league_seasons", LeagueSeason)
PUBLISHED: Family[PublishedSeason] = Family("published_seasons", PublishedSeason)
FAMILIES = (
    CONTESTS, LISTS, ATTEMPTS, GAMES, SCORES, DAYS, SEASONS, STREAKS, NEWEST, SEASON_OF, SEASONED, LEAGUE_SEASONS,
    PUBLISHED,
)  # fmt: skip


class Board(NamedTuple):
    """Where a contest's results count: a game type and a month (`2026-11`), or a league and a season."""

    line: str
    period: str

    @property
    def rows(self) -> Collection[SeasonRow]:
        """The season, by player; the listed ones in order."""
        return SEASONS(*self)


def public_season(game_type: str, month: str) -> Board:
    """The season of a game type's days in a month (`2026-11`)."""
    return Board(game_type, month)


def league_season(league: UUID, season: int) -> Board:
    """The season of a league's own contests."""
    return Board(str(league), f"{season:06}")


def contest_list(key: str | UUID) -> Collection[ContestRow]:
    """Contests of a game type, a day or a league, the newest first."""
    return LISTS(key)
