"""Open records: a game as text to take along, and a game brought here from elsewhere."""

from contextlib import suppress
from typing import Annotated

from litestar import Response
from msgspec import Meta, Struct

from domain.capabilities import Notations
from domain.games import GAME_TYPES
from domain.play.aggregate import Game
from domain.play.open_record import MEDIA_TYPE
from service.api import examples, headers
from service.api.record_example import EXAMPLE
from service.api.viewing import reply_opened
from service.event_store.ids import now
from service.http.negotiation import NDJSON, choose_media_type
from service.http.operation import Answer, Call, operation
from service.http.texts import Text
from service.live import seats, shapes
from service.problems import Refused, patterns
from service.records import exports, imports

TAG = "records"


NOTATIONS = {
    notation.media_type: notation for found in GAME_TYPES.values() for notation in found.get(Notations).notations
}
_NOTATION = "In this notation of the game type instead, as the game type lists them; then the media type is its own."


class RecordQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Through whose eyes a game that goes on is told, and how it is written."""

    seat: shapes.SeatNumber | None = None
    spectator: Annotated[bool, Meta(description="As a spectator sees it although you have a seat.")] = False
    notation: Annotated[str, Meta(max_length=40, pattern=patterns.KEY, description=_NOTATION)] | None = None

    def __post_init__(self) -> None:
        seats.check_one_viewpoint(self.seat, self.spectator)


@operation(
    id="get_record", method="GET", path="/v1/games/{game_id:uuid}/record", tag=TAG, access="optional",
    query=RecordQuery, problems=("no_such_thing", "not_your_seat", "illegal", "not_acceptable", "busy"),
    answers={200: Answer(
        type=str, says="The game as text.", media_types=(MEDIA_TYPE, NDJSON, *NOTATIONS), example=EXAMPLE,
    )},
)  # fmt: skip
async def get_record(call: Call[None, RecordQuery]) -> Response[bytes]:
    """Take a game along as an open record, or in a notation of its game type.

    Once the game is over and its deal revealed, the record is complete: with secrets, digests and the service's
    signature. Before that it holds what you may see, as a seat or with a spectator's delay, and says `complete: false`.
    The format is described in `openapi/record.md`. A notation tells what has not been taken back.
    """
    game, query = await call.services.room.game(call.id("game_id")), call.query
    viewer = seats.viewer(game, call.caller, query.seat, query.spectator)
    if query.notation is None:
        media_type = choose_media_type(call, MEDIA_TYPE, NDJSON)
        return Response(await exports.record(call, game, viewer), media_type=media_type)
    notation = exports.notation_of(game, query.notation)
    media_type = choose_media_type(call, notation.media_type)
    return Response(await exports.export_notation(call, game, viewer, notation), media_type=media_type)


@operation(
    id="import_record", method="POST", path="/v1/records", tag=TAG, access="required", scope="play",
    texts={MEDIA_TYPE: EXAMPLE}, problems=("illegal", "not_verified", "busy"),
    answers={
        201: Answer(
            type=shapes.GameLook, says="The game is here now.", headers=headers.ETAG | headers.LOCATION,
            links=examples.GAME_LINKS,
        ),
        200: Answer(
            type=shapes.GameLook, says="It was here already.", headers=headers.ETAG | headers.LOCATION,
            links=examples.GAME_LINKS,
        ),
    },
)  # fmt: skip
async def import_record(call: Call[Text, None]) -> Response[bytes]:
    """Bring a game here: a complete open record.

    It is verified from the first line to the last. It is then looked at, replayed, taken along and forked like any game
    that is over, by whom its visibility allows, and by you, under an id that this service gives it. Wherever it is
    shown it says that it is imported, from which game, and who vouches for it: this service or one that it trusts,
    where a key of theirs has signed the record. It names nobody, stands in no list and no table, and nobody changes it.
    What no known key has signed is never rated, and its deal never fair. A record of a game that was played here, and
    that you may see, is answered with that game.
    """
    services = call.services
    found = await services.verifiers.ask(imports.verify_import, call.body.content, services.ring.public())
    if (played := await _local_game(call, found)) is not None:
        return await reply_opened(call, played, 200)
    new = await imports.keep(services.store, call.player, found, now(), services.settings.max_imports)
    services.room.forget(found.id)
    services.replays.forget(found.id)
    return await reply_opened(call, await services.room.game(found.id), 201 if new else 200)


async def _local_game(call: Call[Text, None], found: imports.VerifiedImport) -> Game | None:
    """The game of this service that the record tells; None also where the caller may not see it."""
    known = await call.services.store.found(found.game.id)
    if known.importers is not None or not imports.is_same_game(found.record, known.records):
        return None
    with suppress(Refused):
        return seats.visible_game(await call.services.room.game(found.game.id), call.caller)
    return None


HANDLERS = (get_record, import_record)
