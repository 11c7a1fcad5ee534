"""Replay: frames by range, one frame at any step, as a seat saw it then or as known now."""

from typing import Annotated, Any, NamedTuple
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.capabilities import CardFaces
from domain.view import Viewer
from service.api.viewing import ViewQuery, viewer_of
from service.http.negotiation import NDJSON, SVG, TEXT, choose_media_type
from service.http.operation import Answer, Call, Reply, operation, reply
from service.http.security_headers import DRAWING
from service.live import shapes
from service.live.delay import last_step
from service.live.heavy import GameRef, game_ref
from service.live.heavy.stored import replay_of
from service.pictures.svg.frame import drawing
from service.pictures.text import picture
from service.problems import Refused

TAG = "replay"


class FramesQuery(ViewQuery, frozen=True, forbid_unknown_fields=True):
    """Which steps, through whose eyes."""

    first: shapes.Step = 0
    last: Annotated[int, Meta(ge=0, le=2**31 - 1, description="The last step wanted; left out: to the end.")] | None = (
        None
    )
    limit: Annotated[int, Meta(ge=1, le=1000, description="At most so many frames.")] = 200


class Frames(Struct, frozen=True):
    """A range of frames. `next` is the step to ask for next, None at the end; `steps` is how many there are now.

    What a spectator's delay holds back is not there yet: neither listed nor counted.
    """

    game_id: UUID
    steps: int
    frames: tuple[shapes.Frame, ...]
    next: int | None


@operation(
    id="list_frames", method="GET", path="/v1/games/{game_id:uuid}/frames", tag=TAG, access="optional",
    query=FramesQuery, problems=("no_such_thing", "not_your_seat", "illegal", "not_acceptable", "busy"),
    answers={200: Answer(type=Frames, says="The frames, one per step.", media_types=("application/json", NDJSON))},
)  # fmt: skip
async def frames(call: Call[None, FramesQuery]) -> Response[bytes]:
    """Replay a range of steps, as JSON or one frame a line (`Accept: application/x-ndjson`)."""
    media_type = choose_media_type(call, "application/json", NDJSON)
    game, query = await call.services.room.game(call.id("game_id")), call.query
    viewer = viewer_of(call, game)
    newest = await last_step(call.services.replays, game, viewer)
    end = newest if query.last is None else min(query.last, newest)
    wanted = _Range(query.first, min(query.first + query.limit - 1, end), end)
    found = await call.beside(_encode_frames, game_ref(game), newest, viewer, wanted, media_type == NDJSON)
    return Reply(found, 200, media_type, {})


class _Range(NamedTuple):
    """The steps of one answer, and the last that was asked for."""

    first: int
    last: int
    end: int


def _encode_frames(asked: GameRef, newest: int, viewer: Viewer, wanted: _Range, by_line: bool) -> bytes:
    shown = tuple(shapes.frame(frame) for frame in replay_of(asked).frames(wanted.first, wanted.last, viewer))
    if by_line:
        return b"".join(msgspec.json.encode(frame) + b"\n" for frame in shown)
    following = wanted.last + 1 if wanted.last < wanted.end else None
    return msgspec.json.encode(Frames(asked.game, newest + 1, shown, following))


@operation(
    id="get_frame", method="GET", path="/v1/games/{game_id:uuid}/frames/{step:int}", tag=TAG, access="optional",
    query=ViewQuery, problems=("no_such_thing", "not_your_seat", "illegal", "not_acceptable"),
    answers={200: Answer(
        type=shapes.Frame, says="The frame after that step.", media_types=("application/json", TEXT, SVG),
    )},
)  # fmt: skip
async def frame(call: Call[None, ViewQuery]) -> Response[Any]:
    """Replay one step: JSON, or the table as text (`Accept: text/plain`) or as a drawing (`Accept: image/svg+xml`)."""
    media_type = choose_media_type(call, "application/json", TEXT, SVG)
    game, step = await call.services.room.game(call.id("game_id")), call.request.path_params["step"]
    viewer = viewer_of(call, game)
    replay = await call.services.replays.of(game)
    newest = await last_step(call.services.replays, game, viewer)
    shown = next(replay.frames(step, step, viewer), None) if 0 <= step <= newest else None
    if shown is None:
        raise Refused("no_such_thing", "The game has no such step.")
    if media_type == TEXT:
        return Response(picture(shown, game.type.get(CardFaces).by_card), media_type="text/plain")
    if media_type == SVG:
        return Response(
            drawing(shown, game.type.name, game.type.get(CardFaces).by_card), media_type=SVG, headers=DRAWING
        )
    return reply(shapes.frame(shown))


HANDLERS = (frames, frame)
