"""Open records: a game as text to take along, and a game brought here from elsewhere."""

from typing import Annotated

from litestar import Response
from msgspec import Meta, Struct

from domain.game.open_record import MEDIA_TYPE
from domain.games import GAME_TYPES
from service import exports, imports, patterns, seats, wire
from service.ids import now
from service.operation import Answer, Call, operation
from service.resources import examples, headers
from service.resources.games import opened
from service.resources.record_example import EXAMPLE
from service.resources.replay import NDJSON, accepted
from service.texts import Text

TAG = "records"


NOTATIONS = {notation.media_type: notation for found in GAME_TYPES.values() for notation in found.notations}
_NOTATION = "In this notation of the game type instead, as the game type lists them; then the media type is its own."


class RecordQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Through whose eyes a game that goes on is told, and how it is written."""

    seat: wire.SeatNumber | None = None
    spectator: Annotated[bool, Meta(description="As a spectator sees it although you have a seat.")] = False
    notation: Annotated[str, Meta(max_length=40, pattern=patterns.KEY, description=_NOTATION)] | None = None

    def __post_init__(self) -> None:
        seats.one_pair_of_eyes(self.seat, self.spectator)


@operation(
    id="get_record", method="GET", path="/v1/games/{game_id:uuid}/record", tag=TAG, access="optional",
    query=RecordQuery, problems=("no_such_thing", "not_your_seat", "illegal", "not_acceptable"),
    answers={200: Answer(
        type=str, says="The game as text.", media_types=(MEDIA_TYPE, NDJSON, *NOTATIONS), example=EXAMPLE,
    )},
)  # fmt: skip
async def record(call: Call[None, RecordQuery]) -> Response[bytes]:
    """Take a game along as an open record, or in a notation of its game type.

    Once the game is over and its deal revealed, the record is complete: with secrets, digests and the service's
    signature. Before that it holds what you may see, as a seat or with a spectator's delay, and says `complete: false`.
    The format is described in `openapi/record.md`. A notation tells what has not been taken back.
    """
    game, query = await call.services.room.game(call.id("game_id")), call.query
    viewer = seats.viewer(game, call.caller, query.seat, query.spectator)
    if query.notation is None:
        media_type = accepted(call, MEDIA_TYPE, NDJSON)
        return Response(await exports.record(call.services, game, viewer), media_type=media_type)
    notation = exports.notation_of(game, query.notation)
    media_type = accepted(call, notation.media_type)
    return Response((await exports.in_notation(call.services, game, viewer, notation)).encode(), media_type=media_type)


@operation(
    id="import_record", method="POST", path="/v1/records", tag=TAG, access="required", scope="play",
    texts={MEDIA_TYPE: EXAMPLE}, problems=("illegal", "not_verified", "busy"),
    answers={
        201: Answer(
            type=wire.GameLook, says="The game is here now.", headers=headers.ETAG | headers.LOCATION,
            links=examples.GAME_LINKS,
        ),
        200: Answer(
            type=wire.GameLook, says="It was here already.", headers=headers.ETAG | headers.LOCATION,
            links=examples.GAME_LINKS,
        ),
    },
)  # fmt: skip
async def import_(call: Call[Text, None]) -> Response[bytes]:
    """Bring a game here: a complete open record.

    It is verified from the first line to the last. It is then looked at, replayed, taken along and forked under its own
    id like any game that is over, by whom its visibility allows, and by you; it stands in no list and no table, nobody
    changes it, and the players named in it are nobody here.
    """
    services = call.services
    found = await services.verifiers.ask(imports.checked, call.body.content, services.ring.public())
    new = await imports.keep(services.store, call.player, found, now(), services.settings.max_imports)
    services.room.forget(found.game.id)
    services.replays.forget(found.game.id)
    return await opened(call, await services.room.game(found.game.id), 201 if new else 200)


HANDLERS = (record, import_)
