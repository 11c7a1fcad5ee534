"""Answers that a connection gives without the application, and answers sent in one write, head and body together.

uvicorn writes each part of an answer as soon as it gets it, so a client would be woken by the head alone. A
`http.response.start` message may therefore carry the whole body (`body`, not part of ASGI); the layers around the
application pass it on like any other start.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

import msgspec
from litestar.types import ASGIApp, Receive, Send
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from service.http.refusals import MEDIA_TYPE
from service.problems import Problem

CYCLE = "uvicorn.cycle"
"""The key in the scope of uvicorn's request cycle; only set by our protocol."""


App = Callable[[Any, Any, Any], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


def raw_answer(problem: Problem, seconds: int | None = None) -> bytes:
    """The bytes of an answer with this problem and `Retry-After` (seconds); it closes the connection."""
    body = msgspec.json.encode(problem)
    line = f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}\r\n".encode()
    return line + b"".join(b"%b: %b\r\n" % header for header in _make_headers(body, seconds)) + b"\r\n" + body


def refusing_app(problem: Problem, seconds: int | None = None) -> App:
    """An application that answers every request with this problem and `Retry-After` (seconds), then closes."""
    body = msgspec.json.encode(problem)
    headers = _make_headers(body, seconds)

    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": problem.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return refuse


def _make_headers(body: bytes, seconds: int | None) -> Headers:
    later = [] if seconds is None else [(b"retry-after", b"%d" % seconds)]
    return [
        (b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body)),
        (b"x-content-type-options", b"nosniff"), (b"cross-origin-resource-policy", b"same-origin"),
        (b"referrer-policy", b"same-origin"), (b"cache-control", b"no-store"), (b"connection", b"close"), *later,
    ]  # fmt: skip


def with_whole_answers(app: ASGIApp) -> ASGIApp:
    """The outermost layer: a complete answer leaves in one write, or as two messages on any other server."""

    def serve(scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        def send_message(message: Any) -> Awaitable[None]:
            return _send_whole(scope, message, send) if "headers" in message and "body" in message else send(message)

        return app(scope, receive, send_message)

    return serve


async def _send_whole(scope: Any, message: Any, send: Send) -> None:
    """Do what uvicorn's `send` does for both messages; the headers contain Content-Length.

    Two messages if the server is not ours, an answer has begun, the client has left or its write buffer is full.
    """
    cycle, body = scope.pop(CYCLE, None), message.pop("body")  # it has the scope: left there, both would be garbage
    if cycle is None or cycle.disconnected or cycle.response_started or cycle.flow.write_paused:
        await send(message)
        await send({"type": "http.response.body", "body": body, "more_body": False})
        return
    headers = [*cycle.default_headers, *message["headers"]]
    if not cycle.keep_alive:
        headers.append((b"connection", b"close"))
    head = STATUS_LINE[message["status"]] + b"".join([b"%b: %b\r\n" % header for header in headers])
    if head.count(b"\n") != len(headers) + 1 or head.count(b"\r") != len(headers) + 1:
        raise RuntimeError("A header of the answer has a line break.")
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    cycle.transport.write(head + b"\r\n" + body)
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
