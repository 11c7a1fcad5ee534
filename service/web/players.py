"""A player's page: name, games by status and page, standings, and a card of further results."""

from datetime import UTC, datetime
from typing import Any, get_args
from uuid import UUID

from litestar import Response
from msgspec import Struct

from domain.play.aggregate import Status
from projections.boards.scoreboards import SCOREBOARDS, played_games
from projections.contests.days import DAYS_PROJECTION, NEWEST, STREAKS
from service.api.boards.ladders import ratings_of
from service.api.boards.rubbers import rubbers_of
from service.api.boards.scoreboards import Row, reliability_of, rows_of
from service.api.games.games import GamesQuery
from service.api.leagues.leagues import LeaguesQuery, listed_leagues
from service.api.paging import PageQuery
from service.api.replays.analysis import losses_of
from service.contests.days import daily_game_types
from service.live import shapes
from service.problems import Refused
from service.web.boards import ShareChart, interval, share_chart
from service.web.listing import game_rows, own_games, turns_of
from service.web.page import Visit, page

_LEAGUES = 30


class DaysInARow(Struct, frozen=True):
    """Of one game type's days of the deal: how many in a row were ranked, and solved; a run is broken by a gap."""

    game_type: str
    ranked: int
    best_ranked: int
    solved: int
    best_solved: int


class GameStatistics(Struct, frozen=True):
    """A player's row on a board, the Wilson interval of the share won, and that share over the newest games."""

    row: Row
    interval: tuple[float, float]
    curve: ShareChart | None


_CURVE = 100
_STATUSES: tuple[Status, ...] = get_args(Status)
_PAGE = 20


@page("/players/{player_id:uuid}")
async def player(visit: Visit) -> Response[Any]:
    """Show the player's page as this visitor may see it."""
    player = await visit.accounts.player(visit.id("player_id"))
    query = visit.request.query_params
    status, cursor = query.get("status"), query.get("cursor")
    if status is not None and status not in _STATUSES:
        raise Refused("no_such_thing", "Games have no such status.")
    turns = await turns_of(visit)
    return await visit.show(
        "player.html",
        person=await visit.people.one(player.id),
        since=shapes.moment(player.registered_at),
        status=status,
        statuses=_STATUSES,
        games=await game_rows(visit, GamesQuery(player_id=player.id, status=status, cursor=cursor, limit=_PAGE)),
        resume=await own_games(visit, turns) if player.id == visit.visitor else (),
        turns=turns,
        statistics=await _list_statistics(visit, player.id),
        losses=await losses_of(visit.reads, visit.store, player.id) if player.id == visit.visitor else None,
        **await card(visit, player.id),
        rubbers=await rubbers_of(visit.reads, visit.caller, player.id, PageQuery(limit=_PAGE)),
    )


async def _list_statistics(visit: Visit, player: UUID) -> list[GameStatistics]:
    """Of each game type that the player has finished a rated game of, the most played first."""
    rows = sorted((await rows_of(visit.reads, visit.accounts, player)).rows, key=lambda row: -row.games)
    statistics: list[GameStatistics] = []
    async with visit.reads.of(SCOREBOARDS) as snapshot:
        for row in rows:
            newest = (await snapshot.page(played_games(player, row.game_type), _CURVE, None)).rows
            won = [game.document.outcome == "won" for game in reversed(newest)]
            curve = share_chart(won, row.wins, row.games) if len(won) <= row.games else None
            statistics.append(GameStatistics(row, interval(row.wins, row.games), curve))
    return statistics


async def card(visit: Visit, player: UUID) -> dict[str, Any]:
    """Further results for the card, apart from games and boards."""
    reliability = await reliability_of(visit.reads, visit.accounts, player)
    until = reliability.barred_until
    return {
        "ratings": (await ratings_of(visit.reads, visit.accounts, player)).rows,
        "reliability": reliability,
        "barred": until is not None and until > datetime.now(UTC),
        "leagues": await listed_leagues(visit.asking(LeaguesQuery(player_id=player, limit=_LEAGUES))),
        "days": await _list_days(visit, player),
    }


async def _list_days(visit: Visit, player: UUID) -> list[DaysInARow]:
    rows: list[DaysInARow] = []
    async with visit.reads.of(DAYS_PROJECTION) as snapshot:
        for key in (kind.key for kind in daily_game_types()):
            streak, newest = await snapshot.document(STREAKS(key), str(player)), await snapshot.document(NEWEST(), key)
            if streak is not None and newest is not None:
                ranked, solved = (
                    (run.length if run.last >= newest.day else 0) for run in (streak.ranked, streak.solved)
                )
                rows.append(DaysInARow(key, ranked, streak.ranked.best, solved, streak.solved.best))
    return rows
