"""Scoreboards: which there are, and each board page by page."""

from typing import Any

from litestar import Response

from domain.games import GAME_TYPES
from service.api.boards.scoreboards import board_of, counted_games_of, rows_of
from service.api.paging import PageQuery
from service.web.page import Visit, page

_PAGE = 50


@page("/scoreboards")
async def boards(visit: Visit) -> Response[Any]:
    """Show every board's first rows."""
    tops = [await board_of(visit.services, key, PageQuery(limit=3)) for key in GAME_TYPES]
    return await visit.show("scoreboards.html", boards=tops)


@page("/scoreboards/{key:str}")
async def board(visit: Visit) -> Response[Any]:
    """Show a page of a board, with the visitor's own row marked."""
    cursor = visit.request.query_params.get("cursor")
    found = await board_of(visit.services, visit.request.path_params["key"], PageQuery(cursor=cursor, limit=_PAGE))
    people = await visit.people.of(row.player for row in found.rows)
    return await visit.show(
        "scoreboard.html",
        board=found,
        people=people,
        own=await _own_row(visit, found.game_type),
        further=cursor is not None,
        laddered=GAME_TYPES[found.game_type].seats[0] > 1,
    )


async def _own_row(visit: Visit, game_type: str) -> Any:
    """The visitor's row, listed or not."""
    if visit.caller is None:
        return None
    mine = await rows_of(visit.services, visit.player)
    return next((row for row in mine.rows if row.game_type == game_type), None)


@page("/scoreboards/{key:str}/players/{player_id:uuid}")
async def standing(visit: Visit) -> Response[Any]:
    """Show why a player stands there: the games that count."""
    player = (await visit.services.accounts.player(visit.id("player_id"))).id
    key = visit.request.path_params["key"]
    return await visit.show(
        "counted_games.html",
        key=key,
        told=await counted_games_of(visit.asking(PageQuery(cursor=visit.cursor, limit=_PAGE))),
        person=await visit.people.one(player),
        row=next((row for row in (await rows_of(visit.services, player)).rows if row.game_type == key), None),
        further=visit.cursor is not None,
    )


HANDLERS = (boards, board, standing)
