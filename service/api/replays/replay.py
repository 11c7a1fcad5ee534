"""Replay, as a seat saw it then or as known now: frames by range, one frame at any step, steps worth jumping to."""

from typing import Annotated, Any, NamedTuple
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.capabilities import CardFaces
from domain.play.aggregate import Game
from domain.play.moments import Moment, moments
from domain.view import Viewer
from service.api.paging import number_cursor, number_page_start
from service.api.viewing import ViewQuery, cache_for_good, viewer_of
from service.http.limits import weigh
from service.http.negotiation import NDJSON, PNG, SVG, TEXT, choose_media_type
from service.http.operation import JSON, Answer, Call, Reply, operation
from service.http.ready_response import NEXT
from service.http.security_headers import DRAWING
from service.jobs.stored_games import GameRef, game_ref, replay_of
from service.live import shapes
from service.live.delay import last_step
from service.live.replay import Replay
from service.pictures.png import png_of
from service.pictures.svg import drawing, setting_of
from service.pictures.text import picture
from service.problems import Refused

TAG = "replay"


class FramesQuery(ViewQuery, frozen=True, forbid_unknown_fields=True):
    """Which steps, through whose eyes."""

    cursor: shapes.Cursor | None = None
    first: shapes.Step = 0
    last: Annotated[int, Meta(ge=0, le=2**31 - 1, description="The last step wanted; left out: to the end.")] | None = (
        None
    )
    limit: Annotated[int, Meta(ge=1, le=1000, description="At most so many frames.")] = 200


class FrameList(Struct, frozen=True):
    """A page of frames. `next` is the cursor of the next page, None at the end; `steps` is how many there are now.

    What a spectator's delay holds back is not there yet: neither listed nor counted.
    """

    game_id: UUID
    steps: int
    frames: tuple[shapes.Frame, ...]
    next: str | None


class MomentList(Struct, frozen=True, omit_defaults=True):
    """All steps worth jumping to; the list has no pages. `steps` is how many there are now: of a game that goes on,
    moments may still change.

    `kind` is `deal`, `phase` (the entry into a phase), `undo`, `resignation`, `event` (one that is rare in this game)
    or `ending`; `sentence` is what the viewer was told there. `imported_from_game_id` and `vouched_for_by`: as in a
    look.
    """

    game_id: UUID
    steps: int
    moments: tuple[Moment, ...]
    imported_from_game_id: UUID | None = None
    vouched_for_by: str | None = None


@operation(
    id="list_frames", method="GET", path="/v1/games/{game_id:uuid}/frames", tag=TAG, access="optional",
    query=FramesQuery, problems=("no_such_thing", "not_your_seat", "illegal", "not_acceptable", "busy"),
    answers={200: Answer(
        type=FrameList, says="The frames, one per step.", media_types=("application/json", NDJSON, TEXT),
        lines=shapes.Frame,
    )},
)  # fmt: skip
async def list_frames(call: Call[None, FramesQuery]) -> Response[bytes]:
    """Replay steps, as JSON or one frame a line (`Accept: application/x-ndjson`); `first` and `last` choose which."""
    media_type = choose_media_type(call, "application/json", NDJSON, TEXT)
    game, query = await call.services.room.game(call.id("game_id")), call.query
    viewer = viewer_of(call, game)
    newest = await last_step(call.services.replays, game, viewer)
    end = newest if query.last is None else min(query.last, newest)
    first = number_page_start(query.cursor, query.first)
    wanted = _Page(first, min(first + query.limit - 1, end))
    following = number_cursor(wanted.last + 1) if wanted.last < end else None
    found = await call.beside(_encode_frames, game_ref(game), newest, viewer, wanted, following, media_type != JSON)
    return Reply(found, 200, media_type, {} if following is None else {NEXT: following})


class _Page(NamedTuple):
    """The steps of one answer."""

    first: int
    last: int


def _encode_frames(
    asked: GameRef, newest: int, viewer: Viewer, wanted: _Page, following: str | None, by_line: bool
) -> bytes:
    shown = tuple(shapes.frame(frame) for frame in replay_of(asked).frames(*wanted, viewer))
    if by_line:
        return b"".join(msgspec.json.encode(frame) + b"\n" for frame in shown)
    return msgspec.json.encode(FrameList(asked.game, newest + 1, shown, following))


@operation(
    id="get_frame", method="GET", path="/v1/games/{game_id:uuid}/frames/{step:int}", tag=TAG, access="optional",
    query=ViewQuery, problems=("no_such_thing", "not_your_seat", "illegal", "not_acceptable", "busy"),
    answers={200: Answer(
        type=shapes.Frame, says="The frame after that step.", media_types=("application/json", TEXT, SVG, PNG),
    )},
)  # fmt: skip
async def get_frame(call: Call[None, ViewQuery]) -> Response[Any]:
    """Replay one step: JSON, or the table as text, or as a drawing.

    `Accept: text/plain`, `image/svg+xml`, or `image/png`: a picture of at most 1200 by 1600 pixels.
    """
    media_type = choose_media_type(call, "application/json", TEXT, SVG, PNG)
    game, step = await call.services.room.game(call.id("game_id")), call.request.path_params["step"]
    viewer = viewer_of(call, game)
    kept = cache_for_good(game)
    if media_type == PNG:
        picture_drawn = await draw_step(call, game, step, viewer)
        weigh(call.request.scope, len(picture_drawn))
        return Response(picture_drawn, media_type=PNG, headers=kept)
    replay = await _replay_with(call, game, step, viewer)
    shown = next(replay.frames(step, step, viewer))
    if media_type == TEXT:
        return Response(picture(shown, game.type.get(CardFaces).by_card), media_type="text/plain", headers=kept)
    if media_type == SVG:
        return Response(
            drawing(shown, setting_of(game, viewer)),
            media_type=SVG,
            headers=DRAWING | kept,
        )
    return Reply(msgspec.json.encode(shapes.frame(shown)), 200, JSON, kept)


async def _replay_with(call: Call[Any, Any], game: Game, step: int, viewer: Viewer) -> Replay:
    """The replay of the game; raises Refused where this viewer may see no such step."""
    if not 0 <= step <= await last_step(call.services.replays, game, viewer):
        raise Refused("no_such_thing", "The game has no such step.")
    return await call.services.replays.of(game)


async def draw_step(call: Call[Any, Any], game: Game, step: int, viewer: Viewer) -> bytes:
    """The frame of this step as PNG, made beside the event loop; raises Refused.

    Kept there by game, step and viewer: it is made of the game as it was after this step, which never changes.
    """
    replay = await _replay_with(call, game, step, viewer)
    asked = game_ref(game)._replace(version=replay.steps[step][-1].version)
    return await call.beside(_draw_png, asked, step, viewer)


def _draw_png(asked: GameRef, step: int, viewer: Viewer) -> bytes:
    replay = replay_of(asked)
    shown = next(replay.frames(step, step, viewer))
    return png_of(drawing(shown, setting_of(replay.after(0), viewer)))


@operation(
    id="list_moments", method="GET", path="/v1/games/{game_id:uuid}/moments", tag=TAG, access="optional",
    query=ViewQuery, answers={200: Answer(type=MomentList, says="The moments, in order.")},
    problems=("no_such_thing", "not_your_seat", "illegal", "busy"),
)  # fmt: skip
async def list_moments(call: Call[None, ViewQuery]) -> Response[bytes]:
    """List the steps worth jumping to: the deal, entries into a phase, undos, resignations, rare events, the ending.

    They are found in the frames that the viewer may have, and in nothing else.
    """
    game = await call.services.room.game(call.id("game_id"))
    viewer = viewer_of(call, game)
    newest = await last_step(call.services.replays, game, viewer)
    source = game.opening.source
    whence = () if source is None else (source.game, source.vouched_for_by)
    return Reply(await call.beside(_encode_moments, game_ref(game), newest, viewer, whence), 200, JSON, {})


def _encode_moments(asked: GameRef, newest: int, viewer: Viewer, whence: tuple[UUID, str | None] | tuple[()]) -> bytes:
    frames = replay_of(asked).frames(0, newest, viewer)
    return msgspec.json.encode(MomentList(asked.game, newest + 1, moments(frames), *whence))


HANDLERS = (list_frames, get_frame, list_moments)
