"""Responses whose bytes are ready: the framework renders nothing."""

from typing import Any

import msgspec
from litestar import Request, Response
from litestar.types import Receive, Scope, Send

JSON = "application/json"


class Reply(Response[bytes]):
    """A response of ready bytes, with the attributes that middleware and framework read."""

    def __init__(self, content: bytes, status: int, media_type: str, headers: dict[str, str]) -> None:
        self.content = content
        self.status_code = status
        self.media_type = media_type
        self.headers = headers
        self.cookies = []
        self.background = None
        self.encoding = "utf-8"
        self.response_type_encoders = {}


def reply(content: Any, status: int = 200, **headers: str) -> Reply:
    """A JSON response; header names have `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(msgspec.json.encode(content), status, JSON, named)


async def answer(response: Response[Any], request: Request[Any, Any, Any]) -> None:
    """Send this response; a Reply goes out without the framework."""
    if type(response) is Reply and not response.cookies:
        await _send(response, request.send)
        return
    asgi = response.to_asgi_response(app=None, request=request, status_code=200)
    scope: Scope = request.scope
    receive: Receive = request.receive
    await asgi(scope, receive, request.send)


async def _send(ready: Reply, send: Send) -> None:
    head = [
        (b"content-type", ready.media_type.encode()),  # type: ignore[union-attr]
        (b"content-length", b"%d" % len(ready.content)),
        *((name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in ready.headers.items()),
    ]
    start: Any = {"type": "http.response.start", "status": ready.status_code or 200, "headers": head}
    await send(start | {"body": ready.content})  # whole: service.http.connections.answers
