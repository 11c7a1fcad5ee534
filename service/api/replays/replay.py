"""Replays: frames by range, one frame, moments; a replay as one file and embedded in pages."""

import re
from collections.abc import Sequence
from contextlib import suppress
from html import escape
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.capabilities import CardFaces
from domain.game_type import Illegal
from domain.play.aggregate import Game
from domain.play.frames import Moment, moments
from domain.view import Viewer
from service.accounts.access import Caller
from service.api.paging import number_cursor, number_page_start
from service.api.viewing import ViewQuery, cache_for_good, viewer_of
from service.http.limits import weigh
from service.http.operation import JSON, Answer, Call, NoQuery, Reply, operation, reply
from service.http.replies import NDJSON, NEXT
from service.http.representation import DOCUMENTS, DRAWING, NO_STORE, PNG, SVG, TEXT, choose_media_type
from service.jobs.stored_games import GameRef, game_of, game_ref, replay_of
from service.live import seats, shapes
from service.live.replay import LiveParts, Replay, last_step
from service.pictures.png import png_of
from service.pictures.svg import drawing, setting_of
from service.pictures.text import picture
from service.problems import Refused, refused_parameter
from service.records.one_file import one_file, viewer_frames
from service.records.summaries import summary_of

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

    Steps that a spectator's delay holds back are neither listed nor counted.
    """

    game_id: UUID
    steps: int
    frames: tuple[shapes.Frame, ...]
    next: str | None


class MomentList(Struct, frozen=True, omit_defaults=True):
    """All steps worth jumping to; the list has no pages. `steps` is how many there are now: of a game that goes on,
    moments may still change.

    `kind` is `deal`, `phase` (the entry into a phase), `undo`, `resignation`, `event` (one that is rare in this game)
    or `ending`; `sentence` is the frame's. `imported_from_game_id` and `vouched_for_by`: as in a look.
    """

    game_id: UUID
    steps: int
    moments: tuple[Moment, ...]
    imported_from_game_id: UUID | None = None
    vouched_for_by: str | None = None


@operation(
    id="list_frames", method="GET", path="/v1/games/{game_id:uuid}/frames", tag=TAG, access="optional",
    query=FramesQuery, problems=("not_your_seat", "illegal", "not_acceptable", "busy"), answers={200: Answer(
        type=FrameList, says="The frames, one per step.", media_types=("application/json", NDJSON, TEXT),
        lines=shapes.Frame,
    )},
)  # fmt: skip
async def list_frames(call: Call[None, FramesQuery]) -> Response[bytes]:
    """Replay steps, as JSON or one frame a line (`Accept: application/x-ndjson`); `first` and `last` choose which."""
    media_type = choose_media_type(call, "application/json", NDJSON, TEXT)
    game, query = await call.room.game(call.id("game_id")), call.query
    viewer = viewer_of(call, game)
    newest = await last_step(call.area(LiveParts).replays, game, viewer)
    end = newest if query.last is None else min(query.last, newest)
    first = number_page_start(query.cursor, query.first)
    page = _Page(first, min(first + query.limit - 1, end))
    following = number_cursor(page.last + 1) if page.last < end else None
    body = await call.in_child_process(
        _encode_frames, game_ref(game), newest, viewer, page, following, media_type != JSON
    )
    return Reply(body, 200, media_type, {} if following is None else {NEXT: following})


class _Page(NamedTuple):
    """The steps of one answer."""

    first: int
    last: int


def _encode_frames(
    ref: GameRef, newest: int, viewer: Viewer, page: _Page, following: str | None, by_line: bool
) -> bytes:
    frames = tuple(shapes.frame(frame) for frame in replay_of(ref).frames(*page, viewer))
    if by_line:
        return b"".join(msgspec.json.encode(frame) + b"\n" for frame in frames)
    return msgspec.json.encode(FrameList(ref.game, newest + 1, frames, following))


@operation(
    id="get_frame", method="GET", path="/v1/games/{game_id:uuid}/frames/{step:int}", tag=TAG, access="optional",
    query=ViewQuery, problems=("not_your_seat", "illegal", "not_acceptable", "busy"), answers={200: Answer(
        type=shapes.Frame, says="The frame after that step.", media_types=("application/json", TEXT, SVG, PNG),
    )},
)  # fmt: skip
async def get_frame(call: Call[None, ViewQuery]) -> Response[Any]:
    """Replay one step: JSON, or the table as text, or as a drawing.

    `Accept: text/plain`, `image/svg+xml`, or `image/png`: a picture of at most 1200 by 1600 pixels.
    """
    media_type = choose_media_type(call, "application/json", TEXT, SVG, PNG)
    game, step = await call.room.game(call.id("game_id")), call.request.path_params["step"]
    viewer = viewer_of(call, game)
    cache_headers = cache_for_good(game)
    if media_type == PNG:
        png = await draw_step(call, game, step, viewer)
        weigh(call.request.scope, len(png))
        return Response(png, media_type=PNG, headers=cache_headers)
    replay = await _replay_with(call, game, step, viewer)
    frame = next(replay.frames(step, step, viewer))
    if media_type == TEXT:
        text = picture(frame, game.type.get(CardFaces).by_card)
        return Response(text, media_type="text/plain", headers=cache_headers)
    if media_type == SVG:
        return Response(drawing(frame, setting_of(game, viewer)), media_type=SVG, headers=DRAWING | cache_headers)
    return Reply(msgspec.json.encode(shapes.frame(frame)), 200, JSON, cache_headers)


async def _replay_with(call: Call[Any, Any], game: Game, step: int, viewer: Viewer) -> Replay:
    """The replay of the game; raises Refused where this viewer may see no such step."""
    if not 0 <= step <= await last_step(call.area(LiveParts).replays, game, viewer):
        raise Refused("no_such_thing", "The game has no such step.")
    return await call.area(LiveParts).replays.of(game)


async def draw_step(call: Call[Any, Any], game: Game, step: int, viewer: Viewer) -> bytes:
    """The frame of this step as PNG, made beside the event loop; raises Refused.

    Cached there by game, step and viewer: the game as it was after this step never changes.
    """
    replay = await _replay_with(call, game, step, viewer)
    ref = game_ref(game)._replace(version=replay.steps[step][-1].version)
    return await call.in_child_process(_draw_png, ref, step, viewer)


def _draw_png(ref: GameRef, step: int, viewer: Viewer) -> bytes:
    replay = replay_of(ref)
    frame = next(replay.frames(step, step, viewer))
    return png_of(drawing(frame, setting_of(replay.after(0), viewer)))


@operation(
    id="list_moments", method="GET", path="/v1/games/{game_id:uuid}/moments", tag=TAG, access="optional",
    query=ViewQuery, answers={200: Answer(type=MomentList, says="The moments, in order.")},
    problems=("not_your_seat", "illegal", "busy"),
)  # fmt: skip
async def list_moments(call: Call[None, ViewQuery]) -> Response[bytes]:
    """List the steps worth jumping to: the deal, entries into a phase, undos, resignations, rare events, the ending.

    They are found only in the frames that the viewer may see.
    """
    game = await call.room.game(call.id("game_id"))
    viewer = viewer_of(call, game)
    newest = await last_step(call.area(LiveParts).replays, game, viewer)
    source = game.opening.source
    whence = () if source is None else (source.game, source.vouched_for_by)
    return Reply(await call.in_child_process(_encode_moments, game_ref(game), newest, viewer, whence), 200, JSON, {})


def _encode_moments(ref: GameRef, newest: int, viewer: Viewer, whence: tuple[UUID, str | None] | tuple[()]) -> bytes:
    frames = replay_of(ref).frames(0, newest, viewer)
    return msgspec.json.encode(MomentList(ref.game, newest + 1, moments(frames), *whence))


MOST = 20_000
"""At most so many frames in one page; a longer game has fewer viewers in it."""
_EXAMPLE = '<!doctype html>\n<html lang="en">...</html>\n'


@operation(
    id="get_replay_page", method="GET", path="/v1/games/{game_id:uuid}/replay", tag="replay", access="optional",
    problems=("busy",), answers={200: Answer(
        type=str, says="The page: script, cards and all frames are in it.", media_types=("text/html",),
        example=_EXAMPLE,
    )},
)  # fmt: skip
async def replay_page(call: Call[None, NoQuery]) -> Response[bytes]:
    """Download a game as one HTML page that replays it offline.

    For a game that is over it holds every seat's and a spectator's frames and, once revealed, every card; for one that
    goes on the frames that you may see so far, and it says so. `#step=7&viewer=seat-0` in its address leads to a step.
    """
    game = await call.room.game(call.id("game_id"))
    seen = [
        (viewer, await last_step(call.area(LiveParts).replays, game, viewer)) for viewer in viewers(game, call.caller)
    ]
    text = await call.in_child_process(render_page, game_ref(game), await names_by_seat(call, game), seen)
    return Response(text, media_type="text/html", headers=_HEADERS)


_HEADERS = {
    "Content-Security-Policy": "sandbox allow-scripts; frame-ancestors 'none'",
    "Cache-Control": NO_STORE,
    **DOCUMENTS,
}
"""In addition to the page's own policy: the page must not act on behalf of this service's origin."""


def viewers(game: Game, caller: Caller | None) -> list[Viewer]:
    """The viewers that the caller may choose: own seats, else a spectator; after the end all, own seats first."""
    own = list(seats.own_seats(seats.visible_game(game, caller), caller))
    if game.status not in ("finished", "voided"):
        return [*own] or [None]
    choices: list[Viewer] = [*own, *(seat for seat in range(len(game.players)) if seat not in own), None]
    with suppress(Illegal):
        choices.append(seats.all_seeing_viewer(game, caller))
    return choices


async def names_by_seat(call: Call[Any, Any], game: Game) -> list[str | None]:
    """The current names; None for an empty seat and an erased player."""
    names = await call.accounts.names([player for player in game.players if player is not None])
    return [None if player is None else names.get(player) for player in game.players]


def render_page(
    ref: GameRef, players: Sequence[str | None], seen: Sequence[tuple[Viewer, int]], home: str = ""
) -> bytes:
    """The page of these viewers, each up to a last step; runs beside the event loop."""
    game, replay = game_of(ref), replay_of(ref)
    included = seen[: max(MOST // (game.step + 1), 1)]
    looking = [viewer_frames(viewer, players, replay.frames(0, last, viewer)) for viewer, last in included]
    return one_file(game, players, looking, len(seen) - len(included), home).encode()


_WIDTH, _HEIGHT = 800, 700
_SANDBOX = "allow-scripts allow-popups allow-popups-to-escape-sandbox"
"""The frame has no origin, so no cookie either; its heading may lead to the game's page in a tab of its own."""
_GAME = re.compile(r"/(?:embed/)?games/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/?")
_STEP = re.compile(r"step=\d{1,9}(&viewer=(spectator|all|seat-\d{1,2}))?")
Pixels = Annotated[int, Meta(ge=1, le=100_000)]


class OEmbedQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The address of a game's page, and how large the frame may be."""

    url: Annotated[
        str, Meta(min_length=1, max_length=2_000, description="A game's page here; `#step=12` in it leads to a step.")
    ]
    format: Annotated[Literal["json"], Meta(description="Answers are JSON.")] = "json"
    maxwidth: Annotated[Pixels, Meta(description="At most so many pixels wide.")] = _WIDTH
    maxheight: Annotated[Pixels, Meta(description="At most so many pixels high.")] = _HEIGHT


class OEmbed(Struct, frozen=True, kw_only=True):
    """The data to embed a replay: `html` is one `<iframe>`, `title` a sentence with the current names."""

    type: Literal["rich"] = "rich"
    version: Literal["1.0"] = "1.0"
    title: str
    provider_name: str = "Kibitz"
    provider_url: str
    cache_age: Annotated[int, Meta(description="Seconds that this may be kept.")] = 300
    html: str
    width: int
    height: int


@operation(
    id="get_embedded_replay", method="GET", path="/embed/games/{game_id:uuid}", tag="replay", problems=("busy",),
    answers={200: Answer(
        type=str, says="The page: script, cards and all frames are in it.", media_types=("text/html",),
        example=_EXAMPLE,
    )},
)  # fmt: skip
async def get_embedded_replay(call: Call[None, NoQuery]) -> Response[bytes]:
    """Show a replay in an `<iframe>` of another site's page, where the operator allows that site.

    It holds the public frames and requests nothing further. `#step=7&viewer=seat-0` in its address leads to a step.
    """
    origins = _allowed_origins(call)
    game = await _game(call, call.id("game_id"))
    seen = [(viewer, await last_step(call.area(LiveParts).replays, game, viewer)) for viewer in viewers(game, None)]
    names, home = await names_by_seat(call, game), f"{_own_address(call)}/games/{game.id}"
    text = await call.in_child_process(render_page, game_ref(game), names, seen, home)
    policy = f"sandbox {_SANDBOX}; frame-ancestors {' '.join(origins)}"
    headers = {"Content-Security-Policy": policy, "Cache-Control": NO_STORE, **DOCUMENTS}
    return Response(text, media_type="text/html", headers=headers)


@operation(
    id="get_oembed", method="GET", path="/oembed", tag="replay", query=OEmbedQuery,
    answers={200: Answer(type=OEmbed, says="How to embed it.")}, problems=("no_such_thing",),
)  # fmt: skip
async def get_oembed(call: Call[None, OEmbedQuery]) -> Response[bytes]:
    """Tell how to embed the replay of a game, by the address of its page (oEmbed 1.0)."""
    _allowed_origins(call)
    game_id, fragment = _named_game(call)
    game, here = await _game(call, game_id), _own_address(call)
    holders = [player for player in game.players if player is not None] if game.importers is None else []
    title = summary_of(game, await call.accounts.names(holders))
    width, height = min(call.query.maxwidth, _WIDTH), min(call.query.maxheight, _HEIGHT)
    frame = (
        f'<iframe src="{escape(f"{here}/embed/games/{game.id}{fragment}")}" width="{width}" height="{height}"'
        f' title="{escape(title)}" sandbox="{_SANDBOX}" loading="lazy"'
        ' style="border:0;max-width:100%" allowfullscreen></iframe>'
    )
    return reply(OEmbed(title=title, provider_url=here, html=frame, width=width, height=height))


def _allowed_origins(call: Call[Any, Any]) -> list[str]:
    """The origins that may frame replays; raises Refused where there are none."""
    if not (origins := call.settings.embedding_origins.replace(",", " ").split()):
        raise Refused("no_such_thing", "This service lets no page embed its games.")
    return origins


async def _game(call: Call[Any, Any], game_id: UUID) -> Game:
    """The game, if it is public; raises NoSuchGame."""
    return seats.visible_game(await call.room.game(game_id), None)


def _named_game(call: Call[None, OEmbedQuery]) -> tuple[UUID, str]:
    """The game that `url` names, and the step in it as a fragment; raises Refused for any other address."""
    try:
        url = urlsplit(call.query.url)
    except ValueError:
        raise refused_parameter("url", "It is no address.") from None
    named = _GAME.fullmatch(url.path)
    own = url.scheme in ("http", "https") and url.netloc.lower() == urlsplit(_own_address(call)).netloc.lower()
    if not own or named is None:
        raise Refused("no_such_thing", "url: it is no game's page of this service.")
    return UUID(named[1]), f"#{url.fragment}" if _STEP.fullmatch(url.fragment) else ""


def _own_address(call: Call[Any, Any]) -> str:
    """Scheme and host by which this request came."""
    return str(call.request.base_url).rstrip("/")
