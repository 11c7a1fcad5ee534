"""A picture of each game type's table, under a path with its content's hash: whoever has it need not ask again."""

from functools import cache
from hashlib import sha256
from typing import Any

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from markupsafe import Markup

from domain.games import GAME_TYPES
from service.http.negotiation import SVG, choose_coding
from service.http.representation import CODERS, compress
from service.http.security_headers import DRAWING
from service.pictures.svg import draw_opening
from service.problems import Refused

_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}


def picture_of(key: str) -> Markup:
    """An `img` of the game type's table, loaded once it comes into view; drawn here once in a process."""
    return Markup('<img src="/pictures/{}/{}.svg" width="480" height="320" alt="" loading="lazy">').format(
        _digest(key), key
    )


@cache
def _drawing(key: str) -> bytes:
    return draw_opening(GAME_TYPES[key]).encode()


@cache
def _digest(key: str) -> str:
    return sha256(_drawing(key)).hexdigest()[:16]


async def _picture(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The picture, the same for ever under its path; 404 for every other name."""
    key, digest = request.path_params["name"].removesuffix(".svg"), request.path_params["digest"]
    if key not in GAME_TYPES or digest != _digest(key):
        raise Refused("no_such_thing", "There is no such picture.")
    return await answer_drawing(request, _drawing(key), _HEADERS)


async def answer_drawing(request: Request[Any, Any, Any], drawn: bytes, headers: dict[str, str]) -> Response[bytes]:
    """The SVG as an answer, compressed as the request wants it: nothing in it is a secret."""
    told = {**headers, **DRAWING, "Vary": "Accept-Encoding"}
    if (coding := choose_coding(request.scope["headers"], *CODERS)) is not None:
        tag = sha256(drawn).hexdigest()
        drawn, told["Content-Encoding"] = await compress(tag, coding, drawn), coding
    return Response(drawn, media_type=SVG, headers=told)


_ROUTE = HTTPRouteHandler("/pictures/{digest:str}/{name:str}", http_method="GET", name="picture", status_code=200)
HANDLERS = (_ROUTE(_picture),)
