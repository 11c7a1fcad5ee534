"""Same-deal contests: their entries, their results once they are closed, and what those make of seasons and streaks.

A league's season that is closed is published as it stands, and again, with the reason, whenever it says something else.
"""

from itertools import islice
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from domain.contest import events as ev
from domain.contest.aggregate import STREAM_TYPE
from domain.league import events as league_ev
from domain.play import events as game_ev
from domain.play.endings import CONTEST_OVER
from domain.record import Micros, Record
from domain.rulings import RULINGS
from projections.contests.counting import publish, score_contest
from projections.contests.documents import (
    ATTEMPTS,
    CONTESTS,
    FAMILIES,
    GAMES,
    LEAGUE_SEASONS,
    NEWEST,
    SEASON_OF,
    SEASONED,
    AttemptOf,
    Board,
    ContestRow,
    LeagueSeason,
    Newest,
    Seasoned,
    SeasonOf,
    contest_list,
    league_season,
)
from projections.contests.results import Attempt
from projections.contests.seasons import day_of
from projections.engine.contract import Documents, Projection, Recorded, Wanted, rank_key
from projections.games.counted_games import GIVEN_UP, TOPICS, Play, evolve_play, games_of


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a contest, of a league that takes one in, of a game played in one, or a ruling."""
    event, record = recorded.record.event, recorded.record
    if isinstance(event, league_ev.ContestAdded):
        _add_contest(documents, record.stream, event)
    elif isinstance(event, league_ev.SeasonClosed):
        _close_season(documents, recorded, league_season(record.stream, event.season))
    elif record.type == STREAM_TYPE:
        _fold_contest(documents, recorded)
    else:
        if isinstance(event, game_ev.Finished) and event.contest is None:
            _add_played_game(documents, record.stream, event)
        for game in games_of(event, record.stream):
            _fold_game(documents, recorded, game)


def _add_contest(documents: Documents, league: UUID, event: league_ev.ContestAdded) -> None:
    documents.put(SEASON_OF(), str(event.contest), SeasonOf(league, event.season))
    board = league_season(league, event.season)
    if documents.get(LEAGUE_SEASONS(board.line), board.period) is None:
        documents.put(LEAGUE_SEASONS(board.line), board.period, LeagueSeason())


def _close_season(documents: Documents, recorded: Recorded, board: Board) -> None:
    """Mark the season closed and publish it; one without contests (every box league's) has nothing to publish."""
    season = documents.get(LEAGUE_SEASONS(board.line), board.period)
    if season is not None:
        documents.put(LEAGUE_SEASONS(board.line), board.period, replace(season, closed=True))
        publish(documents, recorded, board)


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
            _mark_unreadable(documents, game)
        _close_contest(documents, recorded, replace(row, closed=True, position=recorded.position))
    elif isinstance(event, ev.Revealed):
        told = {"certificate": event.certificate, "positions": event.positions, "witness": bool(event.line)}
        _put_contest(documents, replace(row, seed=event.seed, **told))


def _put_contest(documents: Documents, row: ContestRow) -> None:
    said, sort = row.announced, rank_key(row.announced.opens)
    documents.put(CONTESTS(), str(row.contest), row)
    for key in (said.league, None if said.league else said.game_type, said.day):
        if key is not None:
            documents.put(contest_list(key), str(row.contest), row, sort)


def _add_attempt(documents: Documents, row: ContestRow, event: ev.Entered, at: Micros) -> None:
    play = Play(event.game, row.announced.game_type, players=(event.player,))
    documents.put(GAMES(), str(event.game), AttemptOf(row.contest, event.player))
    attempt = Attempt(
        row.contest,
        event.player,
        at,
        play,
        seasoned=_count_played_games(documents, event.player, row.announced.rules.seasoned),
    )
    documents.put(ATTEMPTS(row.contest), str(event.player), attempt)
    _put_contest(documents, replace(row, entries=row.entries + 1))


def _add_played_game(documents: Documents, game: UUID, event: game_ev.Finished) -> None:
    """Count the game for each player who played it to its end; a game given up counts for nobody.

    A contest's game counts once it is revealed: a rank elsewhere must not tell earlier how it went.
    """
    if event.ending == "abandoned" or event.reason in (*GIVEN_UP, CONTEST_OVER):
        return
    for player in dict.fromkeys(player for player in event.players if player is not None):
        documents.put(SEASONED(player), str(game), Seasoned())


def _count_played_games(documents: Documents, player: UUID, most: int) -> int:
    """How many games the player has played to their end, at most `most`."""
    return sum(1 for _ in islice(documents.scan(SEASONED(player)), most)) if most else 0


def _mark_unreadable(documents: Documents, game: UUID) -> None:
    if (found := documents.get(GAMES(), str(game))) is None:
        return
    attempt = documents.get(ATTEMPTS(found.contest), str(found.player))
    if attempt is not None:
        documents.put(ATTEMPTS(found.contest), str(found.player), replace(attempt, unreadable=True))


def _close_contest(documents: Documents, recorded: Recorded, row: ContestRow) -> None:
    _put_contest(documents, row)
    if row.announced.day is not None:
        known_ = documents.get(NEWEST(), row.announced.game_type)
        day = day_of(row.announced.opens)
        documents.put(NEWEST(), row.announced.game_type, Newest(max(day, known_.day if known_ else day)))
    score_contest(documents, recorded, row)


def _fold_game(documents: Documents, recorded: Recorded, game: UUID) -> None:
    found = documents.get(GAMES(), str(game))
    if found is None or (row := documents.get(CONTESTS(), str(found.contest))) is None:
        return
    before = documents.get(ATTEMPTS(found.contest), str(found.player))
    if before is None or (isinstance(recorded.record.event, RULINGS) and not _may_rule(row, recorded.record)):
        return
    after = replace(before, play=evolve_play(before.play, recorded))
    if after.play.revealed and not before.play.revealed and after.play.finish is not None:
        _add_played_game(documents, game, after.play.finish)
    if after != before:
        documents.put(ATTEMPTS(found.contest), str(found.player), after)
        if row.closed and replace(after.play, revealed=before.play.revealed) != before.play:  # revealing changes none
            score_contest(documents, recorded, row)


def _may_rule(row: ContestRow, record: Record[Any, Any]) -> bool:
    """A league's rulings hold for its own contests."""
    return record.type != "league" or record.stream == row.announced.league


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
    version=3,
    topics=TOPICS
    | {str(event.__struct_config__.tag) for event in ev.CONTEST_EVENTS}
    | {"league/contest_added", "league/season_closed"},
    families=FAMILIES,
    fold=fold,
    wants=wants,
)
