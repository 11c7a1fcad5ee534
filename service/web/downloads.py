"""Tables to download as CSV and as text: the API chooses by `Accept`, these pages by an address to link to."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from litestar import Response

from service.api.boards.ladders import ladder_csv, ladder_of, ladder_text
from service.api.boards.scoreboards import board_csv, board_of, board_text
from service.api.contests.day_seasons import SeasonQuery, month_of, season_csv, season_of, season_of_league, season_text
from service.api.contests.results import results_csv, results_of, results_text
from service.api.leagues.league_seasons import standing
from service.api.leagues.league_tables import tables_csv, tables_of, tables_text
from service.api.paging import PageQuery
from service.problems import Refused
from service.web.days import requested_month
from service.web.page import Visit, page
from service.web.rendering import HEADERS

_MOST = 200


class _Table(NamedTuple):
    """How a table is made for a visit, and how it is written."""

    made: Callable[[Visit], Awaitable[Any]]
    csv: Callable[[Any], str]
    text: Callable[[Any], str]


def _query(visit: Visit) -> PageQuery:
    return PageQuery(cursor=visit.cursor, limit=_MOST)


async def _tables(visit: Visit) -> Any:
    return await tables_of(visit, await standing(visit))


async def _standings(visit: Visit) -> Any:
    asked = visit.asking(_query(visit))
    return await season_of(asked, *await season_of_league(asked))


async def _month(visit: Visit) -> Any:
    asked = visit.asking(SeasonQuery(month=requested_month(visit), cursor=visit.cursor, limit=_MOST))
    return await season_of(asked, *month_of(asked))


async def _results(visit: Visit) -> Any:
    return await results_of(visit.asking(_query(visit)))


async def _ladder(visit: Visit) -> Any:
    return await ladder_of(visit.services, visit.key, _query(visit))


async def _board(visit: Visit) -> Any:
    return await board_of(visit.services, visit.key, _query(visit))


_TABLES = {
    "/leagues/{league_id:uuid}/seasons/{season:int}/tables": _Table(_tables, tables_csv, tables_text),
    "/leagues/{league_id:uuid}/seasons/{season:int}/standings": _Table(_standings, season_csv, season_text),
    "/day-seasons/{game_type:str}": _Table(_month, season_csv, season_text),
    "/contests/{contest_id:uuid}/results": _Table(_results, results_csv, results_text),
    "/ladders/{game_type:str}": _Table(_ladder, ladder_csv, ladder_text),
    "/scoreboards/{game_type:str}": _Table(_board, board_csv, board_text),
}


def _route(path: str, table: _Table) -> Any:
    async def write_table(visit: Visit) -> Response[Any]:
        """The table as CSV or as text."""
        kind = visit.request.path_params["kind"]
        if kind not in ("csv", "text"):
            raise Refused("no_such_thing", "Tables are there as csv and as text.")
        made = await table.made(visit)
        if kind == "csv":
            return Response(table.csv(made), media_type="text/csv", headers=HEADERS)
        return Response(table.text(made), media_type="text/plain", headers=HEADERS)

    return page(f"{path}/as/{{kind:str}}")(write_table)


HANDLERS = tuple(_route(path, table) for path, table in _TABLES.items())
