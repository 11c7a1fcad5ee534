"""A player's page: name, games by status and page, standings, and the card of what else there is to tell."""

from typing import Any, get_args

from litestar import Response

from domain.play.aggregate import Status
from service.api.boards.rubbers import rubbers_of
from service.api.boards.scoreboards import rows_of
from service.api.games.game_lists import GamesQuery
from service.api.paging import PageQuery
from service.live import shapes
from service.problems import Refused
from service.web.listing import game_rows
from service.web.page import Visit, page
from service.web.player_card import card

_STATUSES: tuple[Status, ...] = get_args(Status)
_PAGE = 20


@page("/players/{player_id:uuid}")
async def player(visit: Visit) -> Response[Any]:
    """Show the player as this visitor may know them."""
    known = await visit.services.accounts.player(visit.id("player_id"))
    query = visit.request.query_params
    status, cursor = _status(query.get("status")), query.get("cursor")
    return await visit.show(
        "player.html",
        person=await visit.people.one(known.id),
        since=shapes.moment(known.registered_at),
        status=status,
        statuses=_STATUSES,
        further=cursor is not None,
        games=await game_rows(visit, GamesQuery(player=known.id, status=status, cursor=cursor, limit=_PAGE)),
        standings=(await rows_of(visit.services, known.id)).rows,
        **await card(visit, known.id),
        rubbers=(await rubbers_of(visit.services, visit.caller, known.id, PageQuery(limit=_PAGE))).rubbers,
    )


def _status(text: str | None) -> Status | None:
    """The status of this name; raises Refused."""
    if text is None or text in _STATUSES:
        return text
    raise Refused("no_such_thing", "Games have no such status.")


HANDLERS = (player,)
