"""Replay: frames by range, one frame at any step, as a seat saw it then or as known now."""

from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.game.aggregate import Game
from domain.game_type import Viewer
from service import seats, wire
from service.delay import last_step
from service.heavy import Asked, asked_for
from service.heavy.stored import replay_of
from service.operation import Answer, Call, Reply, operation, reply
from service.pictures.svg.frame import drawing
from service.pictures.text import picture
from service.problems import Refused
from service.security_headers import DRAWING

TAG = "replay"
NDJSON = "application/x-ndjson"
TEXT = "text/plain"
SVG = "image/svg+xml"


class ViewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Through whose eyes."""

    seat: wire.SeatNumber | None = None
    spectator: Annotated[bool, Meta(description="As a spectator saw it although you have a seat.")] = False
    known: Annotated[
        Literal["then", "now"],
        Meta(description="`then`: as that seat saw it then; `now`: every card face up, once the game is over."),
    ] = "then"

    def __post_init__(self) -> None:
        seats.one_pair_of_eyes(self.seat, self.spectator)


LastStep = Annotated[int, Meta(ge=0, le=2**31 - 1, description="The last step wanted; left out: to the end.")]


class FramesQuery(ViewQuery, frozen=True, forbid_unknown_fields=True):
    """Which steps, through whose eyes."""

    first: wire.Step = 0
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
    frames: tuple[wire.Frame, ...]
    next: int | None


@operation(
    id="list_frames", method="GET", path="/v1/games/{game_id:uuid}/frames", tag=TAG, access="optional",
    query=FramesQuery, problems=("no_such_thing", "not_your_seat", "illegal", "not_acceptable", "busy"),
    answers={200: Answer(type=Frames, says="The frames, one per step.", media_types=("application/json", NDJSON))},
)  # fmt: skip
async def frames(call: Call[None, FramesQuery]) -> Response[bytes]:
    """Replay a range of steps, as JSON or one frame a line (`Accept: application/x-ndjson`)."""
    media_type = accepted(call, "application/json", NDJSON)
    game, query = await call.services.room.game(call.id("game_id")), call.query
    viewer = eyes(call, game)
    newest = await last_step(call.services.replays, game, viewer)
    end = newest if query.last is None else min(query.last, newest)
    wanted = _Range(query.first, min(query.first + query.limit - 1, end), end)
    found = await call.beside(_listed, asked_for(game), newest, viewer, wanted, media_type == NDJSON)
    return Reply(found, 200, media_type, {})


class _Range(NamedTuple):
    """The steps of one answer, and the last that was asked for."""

    first: int
    last: int
    end: int


def _listed(asked: Asked, newest: int, viewer: Viewer, wanted: _Range, by_line: bool) -> bytes:
    shown = tuple(wire.frame(frame) for frame in replay_of(asked).frames(wanted.first, wanted.last, viewer))
    if by_line:
        return b"".join(msgspec.json.encode(frame) + b"\n" for frame in shown)
    following = wanted.last + 1 if wanted.last < wanted.end else None
    return msgspec.json.encode(Frames(asked.game, newest + 1, shown, following))


@operation(
    id="get_frame", method="GET", path="/v1/games/{game_id:uuid}/frames/{step:int}", tag=TAG, access="optional",
    query=ViewQuery, problems=("no_such_thing", "not_your_seat", "illegal", "not_acceptable"),
    answers={200: Answer(
        type=wire.Frame, says="The frame after that step.", media_types=("application/json", TEXT, SVG),
    )},
)  # fmt: skip
async def frame(call: Call[None, ViewQuery]) -> Response[Any]:
    """Replay one step: JSON, or the table as text (`Accept: text/plain`) or as a drawing (`Accept: image/svg+xml`)."""
    media_type = accepted(call, "application/json", TEXT, SVG)
    game, step = await call.services.room.game(call.id("game_id")), call.request.path_params["step"]
    viewer = eyes(call, game)
    replay = await call.services.replays.of(game)
    newest = await last_step(call.services.replays, game, viewer)
    shown = next(replay.frames(step, step, viewer), None) if 0 <= step <= newest else None
    if shown is None:
        raise Refused("no_such_thing", "The game has no such step.")
    if media_type == TEXT:
        return Response(picture(shown, game.type.faces), media_type="text/plain")
    if media_type == SVG:
        return Response(drawing(shown, game.type.name, game.type.faces), media_type=SVG, headers=DRAWING)
    return reply(wire.frame(shown))


def eyes(call: Call[Any, ViewQuery], game: Game) -> Viewer:
    """Through whose eyes this request looks; raises Refused or Illegal."""
    if call.query.known == "now":
        return seats.all_seeing(game, call.caller)
    return seats.viewer(game, call.caller, call.query.seat, call.query.spectator)


def accepted(call: Call[Any, Any], *offered: str) -> str:
    """The first media type offered that the request accepts; raises Refused."""
    accept = call.request.headers.get("accept", "*/*")
    wanted = {part.partition(";")[0].strip() for part in accept.split(",")}
    for media_type in offered:
        if wanted & {media_type, media_type.partition("/")[0] + "/*"}:
            return media_type
    if "*/*" in wanted:
        return offered[0]
    raise Refused("not_acceptable", f"This can be had as {' or '.join(offered)}.")


HANDLERS = (frames, frame)
