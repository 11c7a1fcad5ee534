"""Replays in other sites' pages: a page to frame, and oEmbed (oembed.com, 1.0), which says how to frame it.

Both answer as to a stranger, whoever asks: no token and no session is looked at.
"""

import re
from html import escape
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.play.aggregate import Game
from service.api.replays.one_file import names_by_seat, render_page, viewers
from service.http.operation import Answer, Call, NoQuery, operation, reply
from service.http.security_headers import DOCUMENTS, NO_STORE
from service.jobs.stored_games import game_ref
from service.live import seats
from service.live.delay import last_step
from service.problems import Refused, refused_parameter
from service.records.summaries import summary_of

_WIDTH, _HEIGHT = 800, 700
_SANDBOX = "allow-scripts allow-popups allow-popups-to-escape-sandbox"
"""The frame has no origin, so no cookie either; its heading may lead to the game's page in a tab of its own."""
_GAME = re.compile(r"/(?:embed/)?games/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/?")
_STEP = re.compile(r"step=\d{1,9}(&viewer=(spectator|all|seat-\d{1,2}))?")
_EXAMPLE = '<!doctype html>\n<html lang="en">...</html>\n'
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
    """What a page needs to show the replay: `html` is one `<iframe>`, `title` a sentence with the names of now."""

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
    id="get_embedded_replay", method="GET", path="/embed/games/{game_id:uuid}", tag="replay",
    problems=("no_such_thing", "busy"),
    answers={200: Answer(
        type=str, says="The page: script, cards and all frames are in it.", media_types=("text/html",),
        example=_EXAMPLE,
    )},
)  # fmt: skip
async def get_embedded_replay(call: Call[None, NoQuery]) -> Response[bytes]:
    """Show a replay in an `<iframe>` of another site's page, where the operator allows that site.

    It holds what anybody may see and asks for nothing further. `#step=7&viewer=seat-0` in its address leads to a step.
    """
    origins = _allowed_origins(call)
    game = await _game(call, call.id("game_id"))
    seen = [(viewer, await last_step(call.services.replays, game, viewer)) for viewer in viewers(game, None)]
    names, home = await names_by_seat(call, game), f"{_own_address(call)}/games/{game.id}"
    text = await call.beside(render_page, game_ref(game), names, seen, home)
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
    title = summary_of(game, await call.services.accounts.names(holders))
    width, height = min(call.query.maxwidth, _WIDTH), min(call.query.maxheight, _HEIGHT)
    frame = (
        f'<iframe src="{escape(f"{here}/embed/games/{game.id}{fragment}")}" width="{width}" height="{height}"'
        f' title="{escape(title)}" sandbox="{_SANDBOX}" loading="lazy"'
        ' style="border:0;max-width:100%" allowfullscreen></iframe>'
    )
    return reply(OEmbed(title=title, provider_url=here, html=frame, width=width, height=height))


def _allowed_origins(call: Call[Any, Any]) -> list[str]:
    """The origins that may frame replays; raises Refused where there are none."""
    if not (origins := call.services.settings.embedding_origins.replace(",", " ").split()):
        raise Refused("no_such_thing", "This service lets no page embed its games.")
    return origins


async def _game(call: Call[Any, Any], game_id: UUID) -> Game:
    """The game, if anybody may see it; raises NoSuchGame."""
    return seats.visible_game(await call.services.room.game(game_id), None)


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


HANDLERS = (get_embedded_replay, get_oembed)
