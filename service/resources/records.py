"""Open records: a game as text to take along, and a game brought here from elsewhere."""

from typing import Annotated, NamedTuple
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.game.noted import NewGame, play_noted
from domain.game.open_record import MEDIA_TYPE
from domain.game.play import Act, Step
from domain.game_type import Illegal, Notation, Noted
from domain.games import GAME_TYPES, AnyGameType
from service import exports, imports, openings, seats, wire
from service.ids import now, uuid7
from service.operation import Answer, Call, operation
from service.problems import Refused
from service.resources import examples, headers
from service.resources.games import opened
from service.resources.record_example import EXAMPLE
from service.resources.replay import NDJSON, accepted
from service.texts import Text

TAG = "records"


class _Reader(NamedTuple):
    """A notation that is read, and of what game type."""

    type: AnyGameType
    notation: Notation


NOTATIONS = {
    notation.media_type: notation for found in GAME_TYPES.values() for notation in found.notations
}  # fmt: skip
READERS = {
    notation.media_type: _Reader(found, notation)
    for found in GAME_TYPES.values()
    for notation in found.notations
    if notation.read is not None
}
_TEXTS = {key: reader.notation.example for key, reader in READERS.items()} | {MEDIA_TYPE: EXAMPLE}
_NOTATION = "In this notation of the game type instead, as the game type lists them; then the media type is its own."


class RecordQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Through whose eyes a game that goes on is told, and how it is written."""

    seat: wire.SeatNumber | None = None
    spectator: Annotated[bool, Meta(description="As a spectator sees it although you have a seat.")] = False
    notation: Annotated[str, Meta(max_length=40, pattern=r"^[a-z0-9_]+$", description=_NOTATION)] | None = None


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
    id="import_record", method="POST", path="/v1/records", tag=TAG, access="required", scope="play", texts=_TEXTS,
    problems=("illegal", "not_verified", "busy"),
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
    """Bring a game here: a complete open record, or a text in a notation that is read.

    A record is verified from the first line to the last. It is then looked at, replayed, taken along and forked under
    its own id like any game that is over, by whom its visibility allows, and by you; it stands in no list and no
    table, nobody changes it, and the players named in it are nobody here. A text in a notation becomes a new game of
    yours, unrated and unlisted, of which every move is decided by the rules; if it is not over, play on.
    """
    if call.body.media_type == MEDIA_TYPE:
        return await _recorded(call)
    reader = READERS[call.body.media_type]
    step = await call.services.verifiers.ask(_played, reader, call.body.content, call.player)
    return await opened(call, (await call.services.room.open(step)).game)


async def _recorded(call: Call[Text, None]) -> Response[bytes]:
    services = call.services
    found = await services.verifiers.ask(imports.checked, call.body.content, services.ring.public())
    new = await imports.keep(services.store, call.player, found, now(), services.settings.max_imports)
    services.room.forget(found.game.id)
    services.replays.forget(found.game.id)
    return await opened(call, await services.room.game(found.game.id), 201 if new else 200)


def _played(reader: _Reader, content: bytes, player: UUID) -> Step:
    new = NewGame(uuid7(), openings.fresh_secret())
    return play_noted(reader.type, _read(reader.notation, content), new, Act(player, None, now()))


def _read(notation: Notation, content: bytes) -> Noted:
    if notation.read is None:
        raise Illegal("not_read", f"{notation.name} is only written.")
    try:
        return notation.read(content.decode())
    except UnicodeDecodeError as error:
        raise Refused("malformed", f"Body: {error}.") from error


HANDLERS = (record, import_)
