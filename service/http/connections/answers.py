"""What a connection answers by itself, without the application: bytes and small applications."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

import msgspec

from service.http.refusals import MEDIA_TYPE
from service.problems import Problem

App = Callable[[Any, Any, Any], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


def raw(told: Problem, seconds: int | None = None) -> bytes:
    """A whole answer with this problem, and when to come back; the connection closes after it."""
    body = msgspec.json.encode(told)
    line = f"HTTP/1.1 {told.status} {HTTPStatus(told.status).phrase}\r\n".encode()
    return line + b"".join(b"%b: %b\r\n" % header for header in _headers(body, seconds)) + b"\r\n" + body


def refusing(told: Problem, seconds: int | None = None) -> App:
    """An application that answers every request with this problem, and when to come back; the connection closes."""
    body = msgspec.json.encode(told)
    headers = _headers(body, seconds)

    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": told.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return refuse


def _headers(body: bytes, seconds: int | None) -> Headers:
    later = [] if seconds is None else [(b"retry-after", b"%d" % seconds)]
    return [
        (b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body)),
        (b"x-content-type-options", b"nosniff"), (b"cross-origin-resource-policy", b"same-origin"),
        (b"referrer-policy", b"same-origin"), (b"cache-control", b"no-store"), (b"connection", b"close"), *later,
    ]  # fmt: skip
