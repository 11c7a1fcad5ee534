"""What a path offers: the media type and coding of an answer, by what the request accepts, and its methods, by OPTIONS.

`Accept` and `Accept-Encoding` are read by RFC 9110 (12.4.2, 12.5.1, 12.5.3). A part that is not well-formed counts as
not sent.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from litestar import Response
from litestar.handlers import HTTPRouteHandler

from service.problems import Refused

if TYPE_CHECKING:
    from service.http.operation import Call

NDJSON = "application/x-ndjson"
TEXT = "text/plain"
SVG = "image/svg+xml"
PNG = "image/png"
CSV = "text/csv"
OCTETS = "application/octet-stream"
_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+(?:/[\w!#$%&'*+.^`|~-]+)?", re.ASCII)
_QUOTED = r'"(?:[^"\\]|\\.?)*+(?:"|$)'
_PARTS = re.compile(rf'(?:[^",]|{_QUOTED})++')
_PIECES = re.compile(rf'(?:[^";]|{_QUOTED})++')
_QUALITY = re.compile(r"0(?:\.\d*)?|1(?:\.0*)?", re.ASCII)
_UTF8 = ("charset", "utf-8")


class Wish(NamedTuple):
    """What one part of such a header names, in lower case, how much it is wanted (0 to 1), and whether parameters
    make it narrower."""

    name: str
    quality: float
    narrower: bool = False


def choose_media_type(call: "Call[Any, Any]", *offered: str) -> str:
    """The media type offered that the request wants most; raises Refused where it wants none.

    Of those wanted alike: the one that is named in full, then the one offered first.
    """
    wishes = read_wishes(_join_headers(call.request.scope["headers"], b"accept"))
    if not wishes:
        return offered[0]
    ranked = [_rank(media_type, wishes) for media_type in offered]
    best = max(ranked)
    if best[0] == 0:
        raise Refused("not_acceptable", f"This can be had as {' or '.join(offered)}.")
    return offered[ranked.index(best)]


def _rank(media_type: str, wishes: Iterable[Wish]) -> tuple[float, int]:
    """How much this type is wanted, by the narrowest range it is in, and how narrow that is. None of our types has
    parameters: a range with some (`charset=utf-8` is none) counts where no other names the type."""
    ranges = {media_type: 3, media_type.partition("/")[0] + "/*": 1, "*/*": 0}
    found = [(ranges[wish.name] - wish.narrower, wish.quality) for wish in wishes if wish.name in ranges]
    narrow, quality = max(found, default=(0, 0.0))
    return quality, narrow


def choose_coding(headers: Iterable[tuple[bytes, bytes]], *offered: str) -> str | None:
    """The content coding offered that the request wants most, the first of equals; None: it wants none of them more
    than the plain bytes."""
    return _choose_coding(_join_headers(headers, b"accept-encoding"), offered)


@lru_cache(1_000)
def _choose_coding(header: str, offered: tuple[str, ...]) -> str | None:
    wishes = {wish.name: wish.quality for wish in read_wishes(header)}
    others = wishes.get("*", 0.0)
    best = max(offered, key=lambda coding: wishes.get(coding, others))
    quality = wishes.get(best, others)
    return best if quality and quality >= wishes.get("identity", 0.0) else None


def _join_headers(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str:
    return b",".join([value for found, value in headers if found == name]).decode("latin-1")


@lru_cache(1_000)
def read_wishes(header: str) -> tuple[Wish, ...]:
    """The well-formed parts of `Accept` or `Accept-Encoding`; for a header without any, as for none, nothing."""
    return tuple(_read(header))


def _read(header: str) -> Iterator[Wish]:
    for part in _PARTS.findall(header):
        name, *parameters = [piece.strip() for piece in _PIECES.findall(part)] or [""]
        pairs = [parameter.lower().replace('"', "").partition("=")[::2] for parameter in parameters if parameter]
        qualities = [value for key, value in pairs if key == "q"]
        if _NAME.fullmatch(name) and len(qualities) < 2 and all(map(_QUALITY.fullmatch, qualities)):
            narrower = any(pair[0] != "q" and pair != _UTF8 for pair in pairs)
            yield Wish(name.lower(), float(qualities[0]) if qualities else 1.0, narrower)


def options_handlers(handlers: Iterable[HTTPRouteHandler]) -> list[HTTPRouteHandler]:
    """A handler of OPTIONS for every path of these handlers."""
    methods: dict[str, set[str]] = defaultdict(lambda: {"OPTIONS"})
    for handler in handlers:
        for path in handler.paths:
            methods[path] |= set(handler.http_methods)
    return [_options_handler(path, allow_header(allowed)) for path, allowed in methods.items()]


def allow_header(methods: Iterable[str]) -> str:
    """The value of `Allow` for these methods; GET implies HEAD."""
    return ", ".join(sorted({*methods, "HEAD"} if "GET" in methods else set(methods)))


def _options_handler(path: str, allowed: str) -> HTTPRouteHandler:
    async def options() -> Response[Any]:
        return Response(None, status_code=204, headers={"Allow": allowed})

    return HTTPRouteHandler(path, http_method="OPTIONS", name=f"options {path}", status_code=200)(options)
