"""The route of scripts and styles: the same for ever under its path, 404 for every other name."""

from pathlib import PurePosixPath
from typing import Any

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler

from service.http.security_headers import DRAWING
from service.problems import Refused
from service.web import errors
from service.web.static_files import DIGEST, FILES, TYPES

_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}


async def _file(request: Request[Any, Any, Any]) -> Response[bytes]:
    name = request.path_params["name"]
    if request.path_params["digest"] != DIGEST or name not in FILES:
        raise Refused("no_such_thing", "There is no such file.")
    suffix = PurePosixPath(name).suffix
    headers = {**_HEADERS, **DRAWING} if suffix == ".svg" else _HEADERS
    return Response(FILES[name], media_type=TYPES[suffix], headers=headers)


_ROUTE = HTTPRouteHandler(
    "/static/{digest:str}/{name:str}", http_method="GET", name="static", status_code=200,
    exception_handlers=errors.PAGES,
)  # fmt: skip

HANDLERS = (_ROUTE(_file),)
