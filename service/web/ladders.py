"""Ladders: which there are, each page by page, and what each game made of a player's rating."""

from collections.abc import Sequence
from typing import Any

from litestar import Response
from msgspec import Struct

from domain.games import GAME_TYPES
from service.api.boards.ladders import ladder_of, rated_games_of, ratings_of
from service.api.paging import PageQuery
from service.web.page import Visit, page

WIDTH, HEIGHT, _EDGE = 640, 180, 12


class Chart(Struct, frozen=True):
    """A line within WIDTH and HEIGHT: `points` of a polyline, the last one by itself, and the values they lie between.

    `zero` is the height of the value 0, None where it is not within.
    """

    points: str
    last: tuple[float, float]
    first_value: float
    last_value: float
    least: float
    most: float
    zero: float | None
    count: int


_PAGE, _GAMES = 50, 100


@page("/ladders")
async def ladders(visit: Visit) -> Response[Any]:
    """Show every ladder's first rows."""
    keys = [key for key, kind in GAME_TYPES.items() if kind.seats[-1] > 1]
    tops = [await ladder_of(visit.services, key, PageQuery(limit=3)) for key in keys]
    return await visit.show("ladders.html", ladders=tops)


@page("/ladders/{key:str}")
async def ladder(visit: Visit) -> Response[Any]:
    """Show a page of a ladder, and the visitor's own rating."""
    query = PageQuery(cursor=visit.cursor, limit=_PAGE)
    found = await ladder_of(visit.services, visit.request.path_params["key"], query)
    own = () if visit.caller is None else (await ratings_of(visit.services, visit.player)).rows
    return await visit.show(
        "ladder.html",
        ladder=found,
        people=await visit.people.of(row.player.id for row in found.rows),
        own=next((row for row in own if row.game_type == found.game_type), None),
        further=visit.cursor is not None,
    )


@page("/ladders/{key:str}/players/{player_id:uuid}")
async def rating(visit: Visit) -> Response[Any]:
    """Show why a player's rating is what it is: game by game, and as a line."""
    player = (await visit.services.accounts.player(visit.id("player_id"))).id
    games = await rated_games_of(visit.asking(PageQuery(cursor=visit.cursor, limit=_GAMES)))
    key = visit.request.path_params["key"]
    rows = (await ratings_of(visit.services, player)).rows
    return await visit.show(
        "rating.html",
        key=key,
        person=await visit.people.one(player),
        row=next((row for row in rows if row.game_type == key), None),
        told=games,
        people=await visit.people.of(other.id for game in games.games for other in game.opponents),
        chart=chart([game.after.ordinal for game in reversed(games.games)]),
        further=visit.cursor is not None,
    )


HANDLERS = (ladders, ladder, rating)


def chart(values: Sequence[float]) -> Chart | None:
    """The line through these values, left to right; None for fewer than two."""
    if len(values) < 2:
        return None
    least, most = min(values), max(values)
    places = [(_x_of(at, len(values)), _y_of(value, least, most)) for at, value in enumerate(values)]
    return Chart(
        points=" ".join(f"{x:g},{y:g}" for x, y in places), last=places[-1], first_value=values[0],
        last_value=values[-1], least=least, most=most, zero=_y_of(0, least, most) if least < 0 < most else None,
        count=len(values),
    )  # fmt: skip


def _x_of(at: int, count: int) -> float:
    return round(_EDGE + (WIDTH - 2 * _EDGE) * at / (count - 1), 1)


def _y_of(value: float, least: float, most: float) -> float:
    share = 0.5 if most == least else (value - least) / (most - least)
    return round(HEIGHT - _EDGE - (HEIGHT - 2 * _EDGE) * share, 1)
