"""Games that one has imported as records: the list, and giving them up."""

from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct

from domain.record import Micros
from projections.engine.reading import Cursor
from service.api.paging import PageQuery, next_cursor, page_cursor
from service.http.operation import Answer, Call, operation, reply
from service.live import shapes
from service.problems import Refused
from service.records import imports

TAG = "records"


class ImportedGame(Struct, frozen=True):
    """A game that you have imported."""

    game_id: UUID
    game_type: str
    imported_at: datetime


class ImportedGames(Struct, frozen=True):
    """A page of the games that you have imported, newest first; `next` is the cursor of the next page."""

    games: tuple[ImportedGame, ...]
    next: str | None


@operation(
    id="list_imports", method="GET", path="/v1/records", tag=TAG, access="required", query=PageQuery,
    answers={200: Answer(type=ImportedGames, says="A page of the games that you have imported.")},
)  # fmt: skip
async def list_imports(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the games that you have imported as records, newest first."""
    limit = call.query.limit
    found = await imports.page(call.services.store, call.player, limit + 1, _page_start(call.query))
    end = _cursor(found[limit - 1]) if len(found) > limit else None
    return reply(ImportedGames(tuple(map(_imported_game, found[:limit])), next_cursor(end)))


def _imported_game(found: imports.Import) -> ImportedGame:
    return ImportedGame(found.game, found.game_type, shapes.moment(found.imported_at))


def _cursor(found: imports.Import) -> Cursor:
    return Cursor(found.imported_at.to_bytes(8, "big", signed=True), str(found.game))


def _page_start(query: PageQuery) -> tuple[Micros, UUID] | None:
    """The last row of the page before; raises Refused for a cursor that no page has returned."""
    if (cursor := page_cursor(query)) is None:
        return None
    with suppress(ValueError):
        behind = int.from_bytes(cursor.sort, "big", signed=True), UUID(cursor.key)
        if len(cursor.sort) == 8 and str(behind[1]) == cursor.key:
            return behind
    raise Refused("malformed", "cursor: no page has given it out.")


@operation(
    id="delete_import", method="DELETE", path="/v1/records/{game_id:uuid}", tag=TAG, access="required", scope="play",
    answers={204: Answer(type=None, says="It is yours no more.")}, problems=("no_such_thing",),
)  # fmt: skip
async def delete_import(call: Call[None, None]) -> Response[Any]:
    """Give a game up that you have imported; it goes with the last who has imported it."""
    await imports.remove(call.services.store, call.player, call.id("game_id"))
    call.services.room.forget(call.id("game_id"))
    call.services.replays.forget(call.id("game_id"))
    return Response(None, status_code=204)


HANDLERS = (list_imports, delete_import)
