"""Same-deal contests: their entries, their results once they are closed, and the seasons and streaks that follow.

A league's season that is closed is published as it stands, and again, with the reason, whenever it says something else.

After a ruling on one attempt the results of its contest are computed again, and the season rows of players whose result
has changed, each over the days of that season. A streak is counted again only for the player whose day was lost or
given back. No other row is touched, however many players a season has.
"""

from itertools import islice, takewhile
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.contest import events as ev
from domain.contest.aggregate import STREAM_TYPE
from domain.league import events as league_ev
from domain.play import events as game_ev
from domain.play.endings import CONTEST_OVER
from domain.record import Micros, Record
from domain.rulings import RULINGS
from projections.contests import results, seasons
from projections.contests.results import Attempt, Score, scores
from projections.contests.seasons import DayScore, PublishedSeason, SeasonRow, Streak
from projections.engine.contract import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key
from projections.games.counted_games import GIVEN_UP, TOPICS, Play, evolve_play, games_of


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


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a contest, of a league that takes one in, of a game played in one, or a ruling."""
    event, record = recorded.record.event, recorded.record
    if isinstance(event, league_ev.ContestAdded):
        board = league_season(record.stream, event.season)
        documents.put(SEASON_OF(), str(event.contest), SeasonOf(record.stream, event.season))
        if documents.get(LEAGUE_SEASONS(board.line), board.period) is None:
            documents.put(LEAGUE_SEASONS(board.line), board.period, LeagueSeason())
    elif isinstance(event, league_ev.SeasonClosed):
        board = league_season(record.stream, event.season)
        season = documents.get(LEAGUE_SEASONS(board.line), board.period)
        if season is not None:  # one without contests (every box league's) has nothing to publish
            documents.put(LEAGUE_SEASONS(board.line), board.period, replace(season, closed=True))
            publish(documents, recorded, board)
    elif record.type == STREAM_TYPE:
        _fold_contest(documents, recorded)
    else:
        if isinstance(event, game_ev.Finished) and event.contest is None:
            _add_played_game(documents, record.stream, event)
        for game in games_of(event, record.stream):
            _fold_game(documents, recorded, game)


def _fold_contest(documents: Documents, recorded: Recorded) -> None:
    event, record = recorded.record.event, recorded.record
    if isinstance(event, ev.Announced):
        _put_contest(documents, ContestRow(contest=record.stream, announced=event, announced_at=record.time))
    elif (row := documents.get(CONTESTS(), str(record.stream))) is None:
        return
    elif isinstance(event, ev.Entered):
        _add_attempt(documents, row, event, record.time)
    elif isinstance(event, ev.Closed):
        for game in event.unreadable:
            owner = documents.get(GAMES(), str(game))
            attempt = None if owner is None else documents.get(ATTEMPTS(owner.contest), str(owner.player))
            if owner is not None and attempt is not None:
                documents.put(ATTEMPTS(owner.contest), str(owner.player), replace(attempt, unreadable=True))
        row = replace(row, closed=True, position=recorded.position)
        _put_contest(documents, row)
        if row.announced.day is not None:
            newest, day = documents.get(NEWEST(), row.announced.game_type), seasons.day_of(row.announced.opens)
            documents.put(NEWEST(), row.announced.game_type, Newest(max(day, newest.day if newest else day)))
        score_contest(documents, recorded, row)
    elif isinstance(event, ev.Revealed):
        secrets = {"certificate": event.certificate, "positions": event.positions, "witness": bool(event.line)}
        _put_contest(documents, replace(row, seed=event.seed, **secrets))


def _put_contest(documents: Documents, row: ContestRow) -> None:
    announced, sort = row.announced, rank_key(row.announced.opens)
    documents.put(CONTESTS(), str(row.contest), row)
    for key in (announced.league, None if announced.league else announced.game_type, announced.day):
        if key is not None:
            documents.put(contest_list(key), str(row.contest), row, sort)


def _add_attempt(documents: Documents, row: ContestRow, event: ev.Entered, at: Micros) -> None:
    play = Play(event.game, row.announced.game_type, players=(event.player,))
    documents.put(GAMES(), str(event.game), AttemptOf(row.contest, event.player))
    most = row.announced.rules.seasoned
    played = sum(1 for _ in islice(documents.scan(SEASONED(event.player)), most)) if most else 0
    attempt = Attempt(row.contest, event.player, at, play, seasoned=played)
    documents.put(ATTEMPTS(row.contest), str(event.player), attempt)
    _put_contest(documents, replace(row, entries=row.entries + 1))


def _add_played_game(documents: Documents, game: UUID, event: game_ev.Finished) -> None:
    """Count the game for each player who played it to its end; a game given up does not count.

    A contest's game counts once it is revealed: a rank elsewhere must not tell earlier how it went.
    """
    if event.ending == "abandoned" or event.reason in (*GIVEN_UP, CONTEST_OVER):
        return
    for player in dict.fromkeys(player for player in event.players if player is not None):
        documents.put(SEASONED(player), str(game), Seasoned())


def _fold_game(documents: Documents, recorded: Recorded, game: UUID) -> None:
    owner, record = documents.get(GAMES(), str(game)), recorded.record
    if owner is None or (row := documents.get(CONTESTS(), str(owner.contest))) is None:
        return
    before = documents.get(ATTEMPTS(owner.contest), str(owner.player))
    own = record.type != "league" or record.stream == row.announced.league  # a league rules its own contests
    if before is None or (isinstance(record.event, RULINGS) and not own):
        return
    after = replace(before, play=evolve_play(before.play, recorded))
    if after.play.revealed and not before.play.revealed and after.play.finish is not None:
        _add_played_game(documents, game, after.play.finish)
    if after != before:
        documents.put(ATTEMPTS(owner.contest), str(owner.player), after)
        if row.closed and replace(after.play, revealed=before.play.revealed) != before.play:  # revealing changes none
            score_contest(documents, recorded, row)


def wants(record: Record[Any, Any]) -> Wanted:
    """The contest, or whose attempt the game is."""
    if record.type == STREAM_TYPE:
        yield CONTESTS(), str(record.stream)
    else:
        yield from ((GAMES(), str(game)) for game in games_of(record.event, record.stream))
        if isinstance(record.event, game_ev.Finished):
            yield from ((SEASONED(player), str(record.stream)) for player in record.event.players if player is not None)


DAYS_PROJECTION = Projection(
    name="days",
    version=4,
    topics=TOPICS
    | {str(event.__struct_config__.tag) for event in ev.CONTEST_EVENTS}
    | {"league/contest_added", "league/season_closed"},
    families=FAMILIES,
    fold=fold,
    wants=wants,
)


def score_contest(documents: Documents, recorded: Recorded, row: ContestRow) -> None:
    """Compute the results again, and the rows and streaks of every player whose result has changed."""
    board: Board | None = None
    if row.announced.day is not None:
        board = public_season(row.announced.game_type, row.announced.day[:7])
    elif (place := documents.get(SEASON_OF(), str(row.contest))) is not None:
        board = league_season(place.league, place.season)
    before = dict(documents.scan(SCORES(row.contest)))
    attempts = (attempt for _, attempt in documents.scan(ATTEMPTS(row.contest)))
    for score in sorted(scores(row.announced, attempts), key=lambda score: score.player):
        was = before.get(str(score.player))
        if was != score:
            documents.put(SCORES(row.contest), str(score.player), score, results.sort_of(score))
            if board is not None:
                _update_player(documents, row, board, was, score)
    if board is not None:
        publish(documents, recorded, board)


def _update_player(documents: Documents, row: ContestRow, board: Board, was: Score | None, score: Score) -> None:
    result = DayScore(row.contest, row.announced.opens, score)
    days = DAYS(score.player, board.line)
    documents.put(days, f"{board.period}/{result.opens:020}/{result.contest}", result)
    entries = takewhile(lambda entry: entry[0].startswith(board.period + "/"), documents.scan(days, board.period + "/"))
    after = seasons.season_row(score.player, row.announced.rules, (day for _, day in entries))
    documents.put(board.rows, str(score.player), after, seasons.sort_of(after))
    if row.announced.day is not None:
        _update_streak(documents, row.announced.game_type, was, result)


def _update_streak(documents: Documents, game_type: str, was: Score | None, result: DayScore) -> None:
    """Add the day, or count all days if this result does not come last; nothing if the day counts as before."""
    player, streaks = result.score.player, STREAKS(game_type)
    if [was is not None and good(was) for good in seasons.GOOD.values()] == [
        good(result.score) for good in seasons.GOOD.values()
    ]:
        return
    after = documents.get(streaks, str(player)) or Streak(player)
    if result.day > after.ranked.last:
        after = seasons.extended_streak(after, result)
    else:
        after = seasons.streak(player, (day for _, day in documents.scan(DAYS(player, game_type))))
    if after == Streak(player):
        documents.delete(streaks, str(player))
    else:
        documents.put(streaks, str(player), after)


def publish(documents: Documents, recorded: Recorded, board: Board) -> None:
    """Publish a closed season if its table differs from the last one published."""
    season = documents.get(LEAGUE_SEASONS(board.line), board.period)
    if season is None or not season.closed:
        return
    made = seasons.published_season(season.number + 1, [row for _, row in documents.scan(board.rows)], recorded)
    if made.hash != season.hash:
        documents.put(PUBLISHED(*board), f"{made.number:05}", made)
        documents.put(LEAGUE_SEASONS(board.line), board.period, replace(season, number=made.number, hash=made.hash))
