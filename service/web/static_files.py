"""Scripts and styles: served from memory under a path that carries the hash of them all, so they never change.

The scripts are bundled from `client/`; text leaves compressed.
"""

from hashlib import sha256
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler

from service.http.negotiation import choose_coding
from service.http.representation import CODERS, SHORT, compress
from service.http.security_headers import DRAWING
from service.problems import Refused

_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
}
_TEXT = (".js", ".css", ".svg")
_JOINED = {"table.css": ("cards.css", "player.css")}
"""Files that pages ask for in one request."""


def _read() -> dict[str, bytes]:
    folder = files("service.web").joinpath("static")
    found = [file for file in folder.iterdir() if PurePosixPath(file.name).suffix in _TYPES]
    read = {file.name: file.read_bytes() for file in sorted(found, key=lambda file: file.name)}
    return read | {name: b"".join(read[part] for part in parts) for name, parts in _JOINED.items()}


FILES = _read()
DIGEST = sha256(b"".join(name.encode() + b"\0" + text for name, text in FILES.items())).hexdigest()[:16]


def address(name: str) -> str:
    """Where this file is served."""
    return f"/static/{DIGEST}/{name}"


_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}


async def _file(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The file, the same for ever under its path; 404 for every other name."""
    name = request.path_params["name"]
    if request.path_params["digest"] != DIGEST or name not in FILES:
        raise Refused("no_such_thing", "There is no such file.")
    suffix, text = PurePosixPath(name).suffix, FILES[name]
    headers = {**_HEADERS, **DRAWING} if suffix == ".svg" else dict(_HEADERS)
    if suffix in _TEXT and len(text) >= SHORT:
        headers["Vary"] = "Accept-Encoding"
        if (coding := choose_coding(request.scope["headers"], *CODERS)) is not None:
            text, headers["Content-Encoding"] = await compress(f"{DIGEST}/{name}", coding, text), coding
    return Response(text, media_type=_TYPES[suffix], headers=headers)


_ROUTE = HTTPRouteHandler("/static/{digest:str}/{name:str}", http_method="GET", name="static", status_code=200)
HANDLERS = (_ROUTE(_file),)
