"""What a closed contest makes of seasons and streaks, and what a ruling on one of its attempts changes.

After a ruling on one attempt the results of its contest are computed again, and the season rows of players whose result
has changed, each over the days of that season. A streak is counted again only for the player whose day was lost or
given back. No other row is touched, however many players a season has.
"""

from collections.abc import Iterator
from itertools import takewhile

from msgspec.structs import replace

from projections.contests import results
from projections.contests.documents import (
    ATTEMPTS,
    DAYS,
    LEAGUE_SEASONS,
    PUBLISHED,
    SCORES,
    SEASON_OF,
    STREAKS,
    Board,
    ContestRow,
    league_season,
    public_season,
)
from projections.contests.results import Score, scores
from projections.contests.seasons import (
    GOOD,
    DayScore,
    Streak,
    extended_streak,
    published_season,
    season_row,
    sort_of,
    streak,
)
from projections.engine.contract import Collection, Documents, Recorded


def score_contest(documents: Documents, recorded: Recorded, row: ContestRow) -> None:
    """Compute the results again, and the rows and streaks of everybody whose result has changed."""
    board = _board(documents, row)
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
    """The season's row of this player anew, and the streaks."""
    one = DayScore(row.contest, row.announced.opens, score)
    days = DAYS(score.player, board.line)
    documents.put(days, f"{board.period}/{one.opens:020}/{one.contest}", one)
    found = season_row(score.player, row.announced.rules, _days_of_period(documents, days, board.period))
    documents.put(board.rows, str(score.player), found, sort_of(found))
    if row.announced.day is not None:
        _update_streak(documents, row.announced.game_type, was, one)


def _board(documents: Documents, row: ContestRow) -> Board | None:
    if row.announced.day is not None:
        return public_season(row.announced.game_type, row.announced.day[:7])
    place = documents.get(SEASON_OF(), str(row.contest))
    return None if place is None else league_season(place.league, place.season)


def _days_of_period(documents: Documents, days: Collection[DayScore], period: str) -> Iterator[DayScore]:
    found = documents.scan(days, period + "/")
    return (one for _, one in takewhile(lambda entry: entry[0].startswith(period + "/"), found))


def _update_streak(documents: Documents, game_type: str, was: Score | None, one: DayScore) -> None:
    """Add the day, or count all days if this one does not come last; nothing if the day counts as before."""
    player, streaks = one.score.player, STREAKS(game_type)
    if [was is not None and good(was) for good in GOOD.values()] == [good(one.score) for good in GOOD.values()]:
        return
    found = documents.get(streaks, str(player)) or Streak(player)
    if one.day > found.ranked.last:
        found = extended_streak(found, one)
    else:
        found = streak(player, (day for _, day in documents.scan(DAYS(player, game_type))))
    if found == Streak(player):
        documents.delete(streaks, str(player))
    else:
        documents.put(streaks, str(player), found)


def publish(documents: Documents, recorded: Recorded, board: Board) -> None:
    """Publish a closed season if its table differs from the last one published."""
    season = documents.get(LEAGUE_SEASONS(board.line), board.period)
    if season is None or not season.closed:
        return
    made = published_season(season.number + 1, [row for _, row in documents.scan(board.rows)], recorded)
    if made.hash != season.hash:
        documents.put(PUBLISHED(*board), f"{made.number:05}", made)
        documents.put(LEAGUE_SEASONS(board.line), board.period, replace(season, number=made.number, hash=made.hash))
