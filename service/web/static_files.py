"""Scripts and styles: served from memory under a path that carries the hash of them all, so they never change.

The scripts are bundled from `client/`, the pictures of cards are drawn here; text leaves compressed.
"""

import re
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler

from domain.capabilities import CardFaces
from domain.games import GAME_TYPES, AnyGameType
from domain.view import FACE_DOWN
from service.http.representation import CODERS, DRAWING, HARD_CODERS, SHORT, choose_coding, compress
from service.pictures.cards import EVERY_CARD, symbols
from service.problems import Refused

_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
}
_TEXT = (".js", ".css", ".svg")
_JOINED = {"kibitz.css": ("base.css", "lists.css"), "table.css": ("base.css", "cards.css", "player.css")}
"""Files that pages request as one."""


_BARE = ((rb"/\*.*?\*/", b""), (rb"\s+", b" "), (rb" ?([{};,]) ?", rb"\1"), (rb": ", b":"), (rb";}", b"}"))
"""Parts of a style that can be shortened, and their replacements: no string of ours has such parts."""


def sprite_name(game_type: AnyGameType) -> str:
    """The file with the pictures of this game type's cards; all that are played with a common pack have one."""
    return f"cards-{game_type.key}.svg" if game_type.get(CardFaces).by_card else "cards.svg"


def _read_files() -> dict[str, bytes]:
    folder = files("service.web").joinpath("static")
    paths = [file for file in folder.iterdir() if PurePosixPath(file.name).suffix in _TYPES]
    read = {file.name: file.read_bytes() for file in sorted(paths, key=lambda file: file.name)}
    read |= {name: _strip_style(text) for name, text in read.items() if name.endswith(".css")}
    for game_type in GAME_TYPES.values():
        faces = game_type.get(CardFaces).by_card
        cards = symbols((*faces, FACE_DOWN) if faces else EVERY_CARD, faces, "both")
        read[sprite_name(game_type)] = f'<svg xmlns="http://www.w3.org/2000/svg">{cards}</svg>'.encode()
    return read | {name: b"".join(read[part] for part in parts) for name, parts in _JOINED.items()}


def _strip_style(text: bytes) -> bytes:
    """The style without comments and spaces: a kilobyte of every first visit."""
    for part, instead in _BARE:
        text = re.sub(part, instead, text, flags=re.DOTALL)
    return text.strip()


FILES = _read_files()
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
            text, headers["Content-Encoding"] = await compress(f"{DIGEST}/{name}", coding, text, HARD_CODERS), coding
    return Response(text, media_type=_TYPES[suffix], headers=headers)


static_file = HTTPRouteHandler("/static/{digest:str}/{name:str}", http_method="GET", name="static", status_code=200)(
    _file
)
