"""A month of a game type's same-deal days, and why a player stands there."""

from typing import Any

from litestar import Response

from domain.league.rules import DayRules
from projections.contests.days import Board
from service.api.contests.day_season_shapes import SeasonRowShown
from service.api.contests.day_seasons import MonthQuery, SeasonQuery, month_of, season_of, standing_of
from service.http.query import reader
from service.live import shapes
from service.problems import Refused
from service.web.page import Visit, page

_PAGE = 50
_read = reader(MonthQuery)


@page("/day-seasons/{key:str}")
async def season(visit: Visit) -> Response[Any]:
    """Show a month."""
    month = requested_month(visit)
    asked = visit.asking(SeasonQuery(month=month, cursor=visit.cursor, limit=_PAGE))
    told = await season_of(asked, *month_of(asked))
    return await visit.show(
        "day_season.html",
        told=told,
        own=await own_row(visit, *month_of(asked)),
        month=month,
        this_month=shapes.today()[:7],
        people=await visit.people.of(row.player.id for row in told.rows),
        further=visit.cursor is not None,
    )


async def own_row(visit: Visit, board: Board, rules: DayRules) -> SeasonRowShown | None:
    """The visitor's own row of a season, listed or not."""
    if visit.caller is None:
        return None
    try:
        return (await standing_of(visit.asking(None, player_id=visit.player), board, rules)).row
    except Refused:
        return None


@page("/day-seasons/{key:str}/players/{player_id:uuid}")
async def player(visit: Visit) -> Response[Any]:
    """Show one player's month, day by day."""
    month, key = requested_month(visit), visit.request.path_params["key"]
    asked = visit.asking(MonthQuery(month=month))
    told = await standing_of(asked, *month_of(asked))
    return await visit.show(
        "standing.html", told=told, person=await visit.people.one(visit.id("player_id")),
        season=f"{key.replace('_', ' ').capitalize()}, {month}", back=f"/day-seasons/{key}?month={month}",
    )  # fmt: skip


def requested_month(visit: Visit) -> str:
    """The requested month, by default the current one; raises Refused if the text is no month."""
    said = visit.request.query_params.get("month")
    try:
        return _read([] if said is None else [("month", said)]).month or shapes.today()[:7]
    except Refused as error:
        raise Refused("no_such_thing", "There is no such month.") from error


HANDLERS = (season, player)
