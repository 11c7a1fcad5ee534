"""How every answer that is read leaves: with an ETag and Vary, as 304 where the reader has it already, compressed.

The sources: RFC 9110 (8.8.3 ETag, 12.5.5 Vary, 13.1.2 If-None-Match, 15.4.5), RFC 8878 (zstd), RFC 1952 (gzip).

An ETag is the digest of media type and bytes, behind the version if the answer has one: two readers who see different
things get different ones. Compressed bytes have the same one, weak, because they are not the same to the byte.
"""

import asyncio
import gzip
import re
import sys
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache
from litestar import Response

from service.http.negotiation import choose_coding
from service.http.ready_response import Reply
from service.http.security_headers import NO_STORE

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from service.http.operation import Operation

Headers = Iterable[tuple[bytes, bytes]]
NEVER_CHANGES = "max-age=86400, immutable"
"""For what stays as it is: kept a day without a question, because a reader's rights and a new build may change it."""
SHORT = 1_000
"""Bytes below which compressing gains nothing."""
_READ_AGAIN = 10_000
"""Bytes below which a digest is remembered: looks and frames are the same object until the game goes on, and to present
one costs half as much then."""
_LONG = 50_000
"""Bytes from which a thread compresses, so that no other request waits for it."""
Coders = dict[str, Callable[[bytes], bytes]]
CODERS: Coders = {"zstd": zstd.compress, "gzip": partial(gzip.compress, mtime=0)}
"""How bytes are compressed, by the name of the coding, the best one first."""
HARD_CODERS: Coders = {**CODERS, "zstd": partial(zstd.compress, level=19)}
"""The same for what is compressed once and sent for ever: a tenth smaller, a second for a megabyte."""
_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_compressed: LRUCache[tuple[str, str], bytes] = LRUCache(8_000_000, getsizeof=len)


async def present(described: "Operation", headers: Headers, answer: Response[Any], known: bool) -> Response[Any]:
    """The answer as it leaves, to a request with these headers; of a stream only `Vary` is told, refusals are others.

    `known`: whether the answer is to a known caller.
    """
    content: Any = answer.content
    vary = described.varies_by
    if type(answer) not in (Reply, Response) or answer.status_code not in (None, 200) or answer.cookies:
        if vary:
            answer.headers["Vary"] = ", ".join(vary)
        return answer
    body: bytes = content.encode() if isinstance(content, str) else content
    media_type = _with_charset(str(answer.media_type))
    told = answer.headers
    tag = _tag(told.get("ETag"), media_type, body)
    coding = None
    if len(body) >= SHORT and _may_be_compressed(described, told.get("Cache-Control", ""), media_type, known):
        vary, coding = (*vary, "Accept-Encoding"), choose_coding(headers, *CODERS)
    told["ETag"] = f'"{tag}"' if coding is None else f'W/"{tag}"'
    if vary:
        told["Vary"] = ", ".join(vary)
    if _is_known(tag, headers):
        return Reply(b"", 304, media_type, told)
    if coding is None and type(answer) is Reply:
        answer.media_type = media_type
        return answer
    if coding is not None:
        body, told["Content-Encoding"] = await compress(tag, coding, body), coding
    return Reply(body, 200, media_type, told)


def answer_tagged(headers: Headers, body: bytes, media_type: str, told: dict[str, str]) -> Reply:
    """These bytes under an ETag, or 304 where the request has them, for what is no operation: a picture, say."""
    tag = _tag(None, media_type, body)
    known = _is_known(tag, headers)
    return Reply(b"" if known else body, 304 if known else 200, media_type, told | {"ETag": f'"{tag}"'})


def _with_charset(media_type: str) -> str:
    plain = media_type.startswith("text/") and "charset" not in media_type
    return f"{media_type}; charset=utf-8" if plain else media_type


def _tag(version: str | None, media_type: str, body: bytes) -> str:
    """The ETag without its quotes: version and digest, or the digest alone."""
    digest = (_known_digest if len(body) < _READ_AGAIN else _digest)(media_type, body)
    return digest if version is None else f"{version[1:-1]}.{digest}"


def _digest(media_type: str, body: bytes) -> str:
    return urlsafe_b64encode(blake2b(body, digest_size=12, key=media_type.encode()[:64]).digest()).decode()


_known_digest = lru_cache(1_000)(_digest)


def _is_known(tag: str, headers: Headers) -> bool:
    """Whether If-None-Match names this ETag, be it weak or strong (RFC 9110, 8.8.3.2), or all there may be."""
    for name, value in headers:
        if name == b"if-none-match":
            text = value.decode("latin-1").strip()
            if text == "*" or tag in _TAG.findall(text):
                return True
    return False


def _may_be_compressed(described: "Operation", cache_control: str, media_type: str, known: bool) -> bool:
    """Whether the length of the compressed bytes tells nobody anything: see the README.

    No secret and no answer by cookie (`no-store`), and nothing of a game under way that is for a player's eyes alone.
    """
    if NO_STORE in cache_control or not media_type.startswith(("text/", "application/", "image/svg")):
        return False
    return not known or not described.of_a_game or "immutable" in cache_control


async def compress(tag: str, coding: str, body: bytes, coders: Coders = CODERS) -> bytes:
    """These bytes, which the tag names, in this coding of CODERS; what was compressed lately is remembered."""
    if (found := _compressed.get((tag, coding))) is not None:
        return found
    made = coders[coding](body) if len(body) < _LONG else await asyncio.to_thread(coders[coding], body)
    if len(made) < _compressed.maxsize:
        _compressed[tag, coding] = made
    return made
