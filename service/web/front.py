"""The front page: your games, games that wait for players, games being played, games to replay, games to start."""

from typing import Any

from litestar import Response

from service.api.games.game_lists import GamesQuery
from service.api.games.game_types import LIST
from service.live import inbox
from service.web.listing import GameRow, game_rows
from service.web.page import Visit, page

_FEW, _SOME = 6, 8


@page("/")
async def front(visit: Visit) -> Response[Any]:
    """Show what goes on."""
    return await visit.show(
        "front.html",
        turns=await _turns(visit),
        own=await _own_games(visit),
        waiting=(await game_rows(visit, GamesQuery(status="waiting", limit=_SOME))).rows,
        playing=(await game_rows(visit, GamesQuery(status="playing", limit=_SOME))).rows,
        finished=(await game_rows(visit, GamesQuery(status="finished", limit=_SOME))).rows,
        game_types=LIST.game_types,
    )


async def _turns(visit: Visit) -> frozenset[Any]:
    """The games in which it is the visitor's turn."""
    if visit.caller is None:
        return frozenset()
    return frozenset(wait.game for wait in await inbox.waits(visit.services.store, visit.player))


async def _own_games(visit: Visit) -> tuple[GameRow, ...]:
    """The visitor's games that are not over, the newest first."""
    if visit.caller is None:
        return ()
    found = [
        await game_rows(visit, GamesQuery(player=visit.player, status=status, limit=_FEW))
        for status in ("playing", "waiting")
    ]
    return tuple(sorted((row for rows in found for row in rows.rows), key=lambda row: row.opened_at, reverse=True))


HANDLERS = (front,)
