"""Scoreboards and ladders: which there are, each page by page, and why a player stands there."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from litestar import Response

from domain.games import GAME_TYPES
from service.api.boards.ladders import ladder_of, rated_games_of, ratings_of
from service.api.boards.scoreboards import board_of, counted_games_of, rows_of
from service.api.paging import PageQuery
from service.web.charts import Chart, chart
from service.web.page import Visit, page

_PAGE = 50


@page("/scoreboards")
async def boards(visit: Visit) -> Response[Any]:
    """Show every board's first rows."""
    tops = [await board_of(visit.services, key, PageQuery(limit=3)) for key in GAME_TYPES]
    return await visit.show("scoreboards.html", boards=tops)


@page("/scoreboards/{game_type:str}")
async def board(visit: Visit) -> Response[Any]:
    """Show a page of a board, with the visitor's own row marked."""
    found = await board_of(visit.services, visit.key, PageQuery(cursor=visit.cursor, limit=_PAGE))
    people = await visit.people.of(row.player.id for row in found.rows)
    return await visit.show(
        "scoreboard.html",
        board=found,
        people=people,
        own=await _row_of(visit, rows_of, visit.visitor, found.game_type),
        laddered=GAME_TYPES[found.game_type].seats[0] > 1,
    )


async def _row_of(visit: Visit, rows: Callable[..., Awaitable[Any]], player: UUID | None, key: str) -> Any:
    """The player's row of this game type, listed or not, among the rows that they have on boards or ladders."""
    if player is None:
        return None
    return next((row for row in (await rows(visit.services, player)).rows if row.game_type == key), None)


@page("/scoreboards/{game_type:str}/players/{player_id:uuid}")
async def standing(visit: Visit) -> Response[Any]:
    """Show why a player stands there: the games that count."""
    player = (await visit.services.accounts.player(visit.id("player_id"))).id
    return await visit.show(
        "counted_games.html",
        key=visit.key,
        told=await counted_games_of(visit.asking(PageQuery(cursor=visit.cursor, limit=_PAGE))),
        person=await visit.people.one(player),
        row=await _row_of(visit, rows_of, player, visit.key),
    )


_GAMES = 100


@page("/ladders")
async def ladders(visit: Visit) -> Response[Any]:
    """Show every ladder's first rows."""
    keys = [key for key, kind in GAME_TYPES.items() if kind.seats[-1] > 1]
    tops = [await ladder_of(visit.services, key, PageQuery(limit=3)) for key in keys]
    return await visit.show("ladders.html", ladders=tops)


@page("/ladders/{game_type:str}")
async def ladder(visit: Visit) -> Response[Any]:
    """Show a page of a ladder, and the visitor's own rating."""
    query = PageQuery(cursor=visit.cursor, limit=_PAGE)
    found = await ladder_of(visit.services, visit.key, query)
    own = await _row_of(visit, ratings_of, visit.visitor, found.game_type)
    return await visit.show(
        "ladder.html",
        ladder=found,
        people=await visit.people.of(row.player.id for row in found.rows),
        own=own,
        chart=None if own is None else await _rating_curve(visit, visit.player),
    )


async def _rating_curve(visit: Visit, player: UUID) -> Chart | None:
    """The player's rating over their newest games of the ladder in the path."""
    games = await rated_games_of(visit.asking(PageQuery(limit=_GAMES), player_id=player))
    return chart([game.after.ordinal for game in reversed(games.games)])


@page("/ladders/{game_type:str}/players/{player_id:uuid}")
async def rating(visit: Visit) -> Response[Any]:
    """Show why a player's rating is what it is: game by game, and as a line."""
    player = (await visit.services.accounts.player(visit.id("player_id"))).id
    games = await rated_games_of(visit.asking(PageQuery(cursor=visit.cursor, limit=_GAMES)))
    return await visit.show(
        "rating.html",
        key=visit.key,
        person=await visit.people.one(player),
        row=await _row_of(visit, ratings_of, player, visit.key),
        told=games,
        people=await visit.people.of(other.id for game in games.games for other in game.opponents),
        chart=chart([game.after.ordinal for game in reversed(games.games)]),
    )


HANDLERS = (boards, board, standing, ladders, ladder, rating)
