"""The front page: one's own games, the day's deals, what is on now, and every game one click away."""

from datetime import UTC, datetime
from typing import Any

from litestar import Response

from domain.capabilities import Presets
from domain.games import GAME_TYPES
from service.api.contests.contests import ContestShown, ContestsQuery, contests_of
from service.api.games.game_lists import GamesQuery
from service.api.games.game_types import LIST
from service.web.listing import GameRow, game_rows, own_games, turns_of
from service.web.page import Visit, page

_BOARDS, _ROWS = 6, 6


@page("/")
async def front(visit: Visit) -> Response[Any]:
    """Show what one would play or watch next."""
    turns = await turns_of(visit)
    return await visit.show(
        "front.html",
        turns=turns,
        own=(await own_games(visit, turns))[:_BOARDS],
        today=await _deals_of_today(visit),
        playing=await _others(visit, "playing", _BOARDS),
        waiting=await _others(visit, "waiting", _ROWS),
        finished=(await game_rows(visit, GamesQuery(status="finished", limit=_ROWS))).rows,
        game_types=LIST.game_types,
        presets={key: found.get(Presets).presets for key, found in GAME_TYPES.items()},
    )


async def _others(visit: Visit, status: Any, most: int) -> list[GameRow]:
    """The newest public games of this status in which the visitor does not play."""
    found = await game_rows(visit, GamesQuery(status=status, limit=2 * most))
    return [row for row in found.rows if not row.mine][:most]


async def _deals_of_today(visit: Visit) -> list[ContestShown]:
    """The day's deals that can still be entered, by the names of their games."""
    moment = datetime.now(UTC)
    listed = await contests_of(visit.asking(ContestsQuery(day=moment.date(), limit=200)))
    return sorted((one for one in listed.contests if moment < one.closes), key=lambda one: one.game_type)


HANDLERS = (front,)
