"""Where a league's season stands: the league, the season and its tables at one log position."""

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import Any, NamedTuple

from domain.league.aggregate import League, Season
from projections.engine.reading import Snapshot
from projections.leagues.documents import LEAGUES, TABLES, Table
from projections.leagues.league_projection import LEAGUES_PROJECTION
from service.http.operation import Call
from service.problems import Refused

_PATIENCE, _PAUSE = 5.0, 0.02
"""Seconds to wait for the projection to reach the league's version, and between two checks."""


class Standing(NamedTuple):
    """A league, one season of it, the tables of all its seasons by season and division, and the log position."""

    league: League
    season: Season
    tables: Mapping[tuple[int, int], Table]
    position: str

    def of(self, season: int) -> dict[int, Table]:
        """The tables of one season by division."""
        return {division: table for (one, division), table in self.tables.items() if one == season}


async def standing(call: Call[Any, Any], season: int | None = None) -> Standing:
    """The season in the path, or season number `season` of its league, with all that was recorded before the call.

    All at one log position. Raises Refused where there is no such season, and while the tables lag far behind.
    """
    league, until = await call.services.leagues.of(call.id("league_id")), monotonic() + _PATIENCE
    while monotonic() < until:
        async with call.services.reads.of(LEAGUES_PROJECTION) as found:
            known = await found.document(LEAGUES(), str(league.id))
            if known is not None and known.version >= league.version:
                return await _standing(number(call) if season is None else season, known, found)
        await asyncio.sleep(_PAUSE)
    raise Refused("unavailable", "The tables have not come as far as the league; try again in a moment.")


async def _standing(wanted: int, league: League, found: Snapshot) -> Standing:
    if not 1 <= wanted <= len(league.seasons):
        raise Refused("no_such_thing", "There is no such season.")
    tables = [table for _, table in await found.documents(TABLES(league.id))]
    by_place = {(table.season, table.division): table for table in tables}
    return Standing(league, league.seasons[wanted - 1], by_place, str(found.position))


def number(call: Call[Any, Any]) -> int:
    """The season's number in the path."""
    return call.request.path_params["season"]  # type: ignore[no-any-return]
