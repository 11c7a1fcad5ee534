"""Representations: media types, conditional requests, compression, and headers that restrict browsers.

The sources: OWASP's lists for REST services and for HTTP headers; the Fetch standard (`X-Content-Type-Options`,
`Cross-Origin-Resource-Policy`); RFC 6797 (`Strict-Transport-Security`), which has effect on https only.
"""

import asyncio
import gzip
import re
import sys
from base64 import urlsafe_b64encode
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Any, NamedTuple

from cachetools import LRUCache
from litestar import Response
from litestar.handlers import HTTPRouteHandler

from service.http.call import Call, Operation
from service.http.replies import Reply
from service.problems import Refused

HeaderPairs = tuple[tuple[bytes, bytes], ...]

SAME_ORIGIN: HeaderPairs = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"same-origin"),
)
"""On every answer. With `no-referrer` browsers send `Origin: null` with our own forms too, and on plain HTTP nothing
else distinguishes them from another site's."""

CROSS_ORIGIN: HeaderPairs = (SAME_ORIGIN[0], (b"cross-origin-resource-policy", b"cross-origin"), SAME_ORIGIN[2])
"""Where other origins may read, instead of SAME_ORIGIN: their pages may show our pictures."""

DOCUMENTS: dict[str, str] = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""For documents, in addition to their Content-Security-Policy."""

DRAWING = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox", **DOCUMENTS}
"""For an SVG picture: a document in which no script runs."""

HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")

PRIVATE_CACHE = (b"cache-control", b"private, no-cache")
"""The default for a known caller: only their own cache keeps the answer, and revalidates it each time."""

SHARED_CACHE = (b"cache-control", b"no-cache")

NO_STORE = "no-store"
"""For an answer with a secret, such as a new token: no cache keeps it."""


if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


Headers = Iterable[tuple[bytes, bytes]]
NEVER_CHANGES = "max-age=86400, immutable"
"""For lasting answers: cached for a day only, because a reader's rights and a new build may change them."""
SHORT = 1_000
"""Bytes below which compressing gains nothing."""
_READ_AGAIN = 10_000
"""Bytes below which a digest is cached: views and frames are the same object until the next move, and presenting one
then costs half as much."""
_LONG = 50_000
"""Bytes from which a thread compresses, so that no other request waits for it."""
Coders = dict[str, Callable[[bytes], bytes]]
CODERS: Coders = {"zstd": zstd.compress, "gzip": partial(gzip.compress, mtime=0)}
"""How bytes are compressed, by the name of the coding, the best one first."""
HARD_CODERS: Coders = {**CODERS, "zstd": partial(zstd.compress, level=19)}
"""The same for bytes that are compressed once and sent for ever: a tenth smaller, a second for a megabyte."""
_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_compressed: LRUCache[tuple[str, str], bytes] = LRUCache(8_000_000, getsizeof=len)


async def present(described: Operation, headers: Headers, answer: Response[Any], has_caller: bool) -> Response[Any]:
    """The answer with ETag, Vary and coding for a request with these headers; a stream gets only `Vary`."""
    content: Any = answer.content
    vary = described.varies_by
    if type(answer) not in (Reply, Response) or answer.status_code not in (None, 200) or answer.cookies:
        if vary:
            answer.headers["Vary"] = ", ".join(vary)
        return answer
    body: bytes = content.encode() if isinstance(content, str) else content
    media_type = str(answer.media_type)
    if media_type.startswith("text/") and "charset" not in media_type:
        media_type += "; charset=utf-8"
    answer_headers = answer.headers
    tag = _make_tag(answer_headers.get("ETag"), media_type, body)
    coding = None
    if len(body) >= SHORT and _may_be_compressed(described, answer, media_type, has_caller):
        vary, coding = (*vary, "Accept-Encoding"), choose_coding(headers, *CODERS)
    answer_headers["ETag"] = f'"{tag}"' if coding is None else f'W/"{tag}"'
    if vary:
        answer_headers["Vary"] = ", ".join(vary)
    if _is_known(tag, headers):
        return Reply(b"", 304, media_type, answer_headers)
    if coding is None and type(answer) is Reply:
        answer.media_type = media_type
        return answer
    if coding is not None:
        body, answer_headers["Content-Encoding"] = await compress(tag, coding, body), coding
    return Reply(body, 200, media_type, answer_headers)


def answer_tagged(headers: Headers, body: bytes, media_type: str, extra: dict[str, str]) -> Reply:
    """These bytes under an ETag, or 304 where the request has them; for answers of no operation, such as pictures."""
    tag = _make_tag(None, media_type, body)
    is_current = _is_known(tag, headers)
    return Reply(b"" if is_current else body, 304 if is_current else 200, media_type, extra | {"ETag": f'"{tag}"'})


def _make_tag(version: str | None, media_type: str, body: bytes) -> str:
    """The ETag without its quotes: version and digest, or the digest alone."""
    digest = (_known_digest if len(body) < _READ_AGAIN else _compute_digest)(media_type, body)
    return digest if version is None else f"{version[1:-1]}.{digest}"


def _compute_digest(media_type: str, body: bytes) -> str:
    return urlsafe_b64encode(blake2b(body, digest_size=12, key=media_type.encode()[:64]).digest()).decode()


_known_digest = lru_cache(1_000)(_compute_digest)


def _is_known(tag: str, headers: Headers) -> bool:
    """Whether If-None-Match names this ETag, be it weak or strong (RFC 9110, 8.8.3.2), or all there may be."""
    for name, value in headers:
        if name == b"if-none-match":
            text = value.decode("latin-1").strip()
            if text == "*" or tag in _TAG.findall(text):
                return True
    return False


def _may_be_compressed(described: Operation, answer: Response[Any], media_type: str, has_caller: bool) -> bool:
    """Whether the length of the compressed bytes reveals nothing: see the README.

    False for secrets, for answers by cookie (`no-store`), and for a player's own view of a game under way.
    """
    cache_control = answer.headers.get("Cache-Control", "")
    if NO_STORE in cache_control or not media_type.startswith(("text/", "application/", "image/svg")):
        return False
    return not has_caller or not described.of_a_game or "immutable" in cache_control


async def compress(tag: str, coding: str, body: bytes, coders: Coders = CODERS) -> bytes:
    """These bytes, which the tag names, in this coding of CODERS; recent results are cached."""
    if (compressed := _compressed.get((tag, coding))) is not None:
        return compressed
    made = coders[coding](body) if len(body) < _LONG else await asyncio.to_thread(coders[coding], body)
    if len(made) < _compressed.maxsize:
        _compressed[tag, coding] = made
    return made


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
    """The name in one part of such a header, in lower case, its quality (0 to 1), and whether parameters narrow it."""

    name: str
    quality: float
    narrower: bool = False


def choose_media_type(call: Call[Any, Any], *offered: str) -> str:
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
    """The quality of this type, by the narrowest range it is in, and how narrow that is. Our types have no parameters:
    a range with some (`charset=utf-8` is none) counts where no other names the type."""
    ranges = {media_type: 3, media_type.partition("/")[0] + "/*": 1, "*/*": 0}
    matching = [(ranges[wish.name] - wish.narrower, wish.quality) for wish in wishes if wish.name in ranges]
    narrow, quality = max(matching, default=(0, 0.0))
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
    return b",".join([value for key, value in headers if key == name]).decode("latin-1")


@lru_cache(1_000)
def read_wishes(header: str) -> tuple[Wish, ...]:
    """The well-formed parts of `Accept` or `Accept-Encoding`; for a header without any, as for none, nothing."""
    return tuple(_parse_wishes(header))


def _parse_wishes(header: str) -> Iterator[Wish]:
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
    return [_make_options_handler(path, allow_header(allowed)) for path, allowed in methods.items()]


def allow_header(methods: Iterable[str]) -> str:
    """The value of `Allow` for these methods; GET implies HEAD."""
    return ", ".join(sorted({*methods, "HEAD"} if "GET" in methods else set(methods)))


def _make_options_handler(path: str, allowed: str) -> HTTPRouteHandler:
    async def options() -> Response[Any]:
        return Response(None, status_code=204, headers={"Allow": allowed})

    return HTTPRouteHandler(path, http_method="OPTIONS", name=f"options {path}", status_code=200)(options)
