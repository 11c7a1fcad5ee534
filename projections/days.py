"""Same-deal contests: their entries, their results once they are closed, and what those make of seasons and streaks.

A ruling on one attempt makes the results of its contest anew, and of the seasons the rows of those in it whose result
has changed: each over the days of that season alone. A streak is counted anew only for the player whose day was lost
or given back. Other rows, of however many players a season has, are not touched.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.contest import events as ev
from domain.contest.aggregate import STREAM_TYPE
from domain.league import events as league_ev
from domain.record import Micros, Record
from domain.rulings import RULINGS
from projections import day_results
from projections.day_results import Attempt, Score, scores
from projections.day_seasons import GOOD, DayScore, SeasonRow, Streak, day_of, prolonged, season_row, sort_of, streak
from projections.plays import TOPICS, Play, games_of, known
from projections.projection import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key


class ContestRow(Struct, frozen=True, kw_only=True):
    """A contest as everybody may know it; `seed` once it is closed. `entries` counts who was dealt the cards."""

    contest: UUID
    announced: ev.Announced
    announced_at: Micros
    entries: int = 0
    closed: bool = False
    seed: bytes | None = None
    position: int = 0


class AttemptOf(Struct, frozen=True):
    """Whose attempt at which contest a game is."""

    contest: UUID
    player: UUID


class SeasonOf(Struct, frozen=True):
    """The league's season that a contest belongs to."""

    league: UUID
    season: int


class Newest(Struct, frozen=True):
    """The newest day that is closed, counted from 1970-01-01: a streak that ends before it is broken."""

    day: int


CONTESTS: Family[ContestRow] = Family("contests", ContestRow)
LISTS: Family[ContestRow] = Family("contest_lists", ContestRow)
ATTEMPTS: Family[Attempt] = Family("attempts", Attempt)
GAMES: Family[AttemptOf] = Family("contest_games", AttemptOf)
SCORES: Family[Score] = Family("contest_scores", Score)
DAYS: Family[DayScore] = Family("season_days", DayScore)
SEASONS: Family[SeasonRow] = Family("day_seasons", SeasonRow)
STREAKS: Family[Streak] = Family("day_streaks", Streak)
NEWEST: Family[Newest] = Family("newest_days", Newest)
SEASON_OF: Family[SeasonOf] = Family("contest_season", SeasonOf)


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


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a contest, of a league that takes one in, of a game played in one, or a ruling."""
    event, record = recorded.record.event, recorded.record
    if isinstance(event, league_ev.ContestAdded):
        documents.put(SEASON_OF(), str(event.contest), SeasonOf(record.stream, event.season))
    elif record.type == STREAM_TYPE:
        _contest(documents, recorded)
    else:
        for game in games_of(event, record.stream):
            _played(documents, recorded, game)


def _contest(documents: Documents, recorded: Recorded) -> None:
    event, record = recorded.record.event, recorded.record
    if isinstance(event, ev.Announced):
        _keep(documents, ContestRow(contest=record.stream, announced=event, announced_at=record.time))
    elif (row := documents.get(CONTESTS(), str(record.stream))) is None:
        return
    elif isinstance(event, ev.Entered):
        _entered(documents, row, event, record.time)
    elif isinstance(event, ev.Closed):
        _closed(documents, replace(row, closed=True, position=recorded.position))
    elif isinstance(event, ev.Revealed):
        _keep(documents, replace(row, seed=event.seed))


def _keep(documents: Documents, row: ContestRow) -> None:
    said, sort = row.announced, rank_key(row.announced.opens)
    documents.put(CONTESTS(), str(row.contest), row)
    for key in (said.league, None if said.league else said.game_type, said.day):
        if key is not None:
            documents.put(contest_list(key), str(row.contest), row, sort)


def _entered(documents: Documents, row: ContestRow, event: ev.Entered, at: Micros) -> None:
    play = Play(event.game, row.announced.game_type, players=(event.player,))
    documents.put(GAMES(), str(event.game), AttemptOf(row.contest, event.player))
    documents.put(ATTEMPTS(row.contest), str(event.player), Attempt(row.contest, event.player, at, play))
    _keep(documents, replace(row, entries=row.entries + 1))


def _closed(documents: Documents, row: ContestRow) -> None:
    _keep(documents, row)
    if row.announced.day is not None:
        known_ = documents.get(NEWEST(), row.announced.game_type)
        day = day_of(row.announced.opens)
        documents.put(NEWEST(), row.announced.game_type, Newest(max(day, known_.day if known_ else day)))
    _score(documents, row)


def _played(documents: Documents, recorded: Recorded, game: UUID) -> None:
    found = documents.get(GAMES(), str(game))
    if found is None or (row := documents.get(CONTESTS(), str(found.contest))) is None:
        return
    before = documents.get(ATTEMPTS(found.contest), str(found.player))
    if before is None or (isinstance(recorded.record.event, RULINGS) and not _within(row, recorded.record)):
        return
    after = replace(before, play=known(before.play, recorded))
    if after != before:
        documents.put(ATTEMPTS(found.contest), str(found.player), after)
        if row.closed:
            _score(documents, row)


def _within(row: ContestRow, record: Record[Any, Any]) -> bool:
    """A league's rulings hold for its own contests."""
    return record.type != "league" or record.stream == row.announced.league


def _score(documents: Documents, row: ContestRow) -> None:
    """The results anew, and what follows for everybody whose result is another one."""
    before = dict(documents.scan(SCORES(row.contest)))
    attempts = (attempt for _, attempt in documents.scan(ATTEMPTS(row.contest)))
    for score in sorted(scores(row.announced, attempts), key=lambda score: score.player):
        was = before.get(str(score.player))
        if was != score:
            documents.put(SCORES(row.contest), str(score.player), score, day_results.sort_of(score))
            _counted(documents, row, was, score)


def _counted(documents: Documents, row: ContestRow, was: Score | None, score: Score) -> None:
    """The season's row of this player anew, and the streaks."""
    if (board := _board(documents, row)) is None:
        return
    one = DayScore(row.contest, row.announced.opens, score)
    days = DAYS(score.player, board.line)
    documents.put(days, f"{board.period}/{one.opens:020}/{one.contest}", one)
    found = season_row(score.player, row.announced.rules, _of_period(documents, days, board.period))
    documents.put(board.rows, str(score.player), found, sort_of(found))
    if row.announced.day is not None:
        _streak(documents, row.announced.game_type, was, one)


def _board(documents: Documents, row: ContestRow) -> Board | None:
    if row.announced.day is not None:
        return public_season(row.announced.game_type, row.announced.day[:7])
    place = documents.get(SEASON_OF(), str(row.contest))
    return None if place is None else league_season(place.league, place.season)


def _of_period(documents: Documents, days: Collection[DayScore], period: str) -> Iterator[DayScore]:
    found = documents.scan(days, period + "/")
    return (one for _, one in takewhile(lambda entry: entry[0].startswith(period + "/"), found))


def _streak(documents: Documents, game_type: str, was: Score | None, one: DayScore) -> None:
    """One day further, or over all days where this one lies among them; nothing where it is no other than before."""
    player, streaks = one.score.player, STREAKS(game_type)
    if [was is not None and good(was) for good in GOOD.values()] == [good(one.score) for good in GOOD.values()]:
        return
    found = documents.get(streaks, str(player)) or Streak(player)
    if was is None and one.day > max(found.ranked.last, found.solved.last):
        found = prolonged(found, one)
    else:
        found = streak(player, (day for _, day in documents.scan(DAYS(player, game_type))))
    if found == Streak(player):
        documents.delete(streaks, str(player))
    else:
        documents.put(streaks, str(player), found)


def wants(record: Record[Any, Any]) -> Wanted:
    """The contest, or whose attempt the game is."""
    if record.type == STREAM_TYPE:
        yield CONTESTS(), str(record.stream)
    else:
        yield from ((GAMES(), str(game)) for game in games_of(record.event, record.stream))


DAYS_PROJECTION = Projection(
    name="days",
    version=2,
    topics=frozenset(
        {str(event.__struct_config__.tag) for event in ev.CONTEST_EVENTS} | TOPICS | {"league/contest_added"}
    ),
    families=(CONTESTS, LISTS, ATTEMPTS, GAMES, SCORES, DAYS, SEASONS, STREAKS, NEWEST, SEASON_OF),
    fold=fold,
    wants=wants,
)
