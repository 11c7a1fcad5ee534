"""Replies: an answer's bytes and headers, sent without the framework, and the link to a list's next page."""

from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
from litestar import Request, Response
from litestar.types import Receive, Scope

JSON, NDJSON = "application/json", "application/x-ndjson"
NEXT = "next-page"
"""Among an answer's headers until it is sent: the cursor of the next page; the operation makes `Link` from it."""


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
    return Reply(msgspec.json.encode(content), status, JSON, next_page(content) | named)


def next_page(content: Any) -> dict[str, str]:
    """NEXT for a page of a list after which there is another one."""
    following = getattr(content, "next", None)
    return {} if following is None else {NEXT: str(following)}


def next_link(path: str, query_string: bytes, cursor: str) -> str:
    """The value of `Link` (RFC 8288) for the same request with this cursor."""
    pairs = [pair for pair in parse_qsl(query_string.decode(), keep_blank_values=True) if pair[0] != "cursor"]
    return f'<{path}?{urlencode([*pairs, ("cursor", cursor)])}>; rel="next"'


async def send_reply(response: Response[Any], request: Request[Any, Any, Any]) -> None:
    """Send this response; a Reply goes out without the framework."""
    if type(response) is Reply and not response.cookies:
        media_type: bytes = response.media_type.encode()  # type: ignore[union-attr]
        head = [(b"content-type", media_type), (b"content-length", b"%d" % len(response.content))]
        if response.status_code == 304:  # its headers about content would describe the 200
            head.clear()
        for name, value in response.headers.items():
            head.append((name.lower().encode("latin-1"), value.encode("latin-1")))
        start: Any = {"type": "http.response.start", "status": response.status_code, "headers": head}
        await request.send(start | {"body": response.content})  # in one message: service.http.connections.answers
        return
    asgi = response.to_asgi_response(app=None, request=request, status_code=200)
    scope: Scope = request.scope
    receive: Receive = request.receive
    await asgi(scope, receive, request.send)
