"""Requests that may be forwarded: a body that can be read twice, and the request as the game's owner gets it."""

import re
from collections.abc import Awaitable
from typing import Any, NamedTuple
from uuid import UUID

from litestar.types import Receive, Send

from service.cluster.client import Answer, Request

HOP = b"kibitz-hop"
"""The header of a forwarded request: the owner's secret, the client's scheme and address."""
MISDIRECTED = 421
_SAFE = ("GET", "HEAD", "OPTIONS")
_GAME = re.compile(r"(?:/v1)?/games/([^/]+)(?:/|$)")
_OF_CONNECTION = frozenset(
    (b"connection", b"keep-alive", b"te", b"upgrade", b"expect", b"transfer-encoding", b"content-length", HOP)
)


class TooLarge(Exception):
    """The body has more bytes than any operation takes."""


class ForwardHeader(NamedTuple):
    """The content of a forwarded request's header."""

    secret: bytes
    scheme: str
    client: str


def changed_game(scope: Any) -> UUID | None:
    """The game that a request may change; None for any other request."""
    if scope["type"] != "http" or scope["method"] in _SAFE or (found := _GAME.match(scope["path"])) is None:
        return None
    try:
        return UUID(found[1])
    except ValueError:
        return None


def forward_header(scope: Any) -> ForwardHeader | None:
    """The header's content; None if it is missing or unreadable."""
    said = next((value for name, value in scope["headers"] if name == HOP), b"").split(b" ")
    return ForwardHeader(said[0], said[1].decode("latin-1"), said[2].decode("latin-1")) if len(said) == 3 else None


def request_to_owner(scope: Any, body: bytes, secret: str) -> Request:
    """The request as the game's owner gets it."""
    query = b"?" + scope["query_string"] if scope["query_string"] else b""
    client = scope["client"][0] if scope["client"] else ""
    said = b" ".join(word.encode("latin-1") for word in (secret, scope["scheme"], client))
    headers = [(name, value) for name, value in scope["headers"] if name not in _OF_CONNECTION]
    headers += [(b"content-length", b"%d" % len(body)), (HOP, said)]
    return Request(scope["method"], scope["raw_path"] + query, headers, body)


class RoutedRequest:
    """A request that may be forwarded: its body is kept, and an answer is suppressed if it belongs elsewhere."""

    def __init__(self, game: UUID, receive: Receive, send: Send, most_bytes: int) -> None:
        self.game = game
        self._receive, self._send, self._most = receive, send, most_bytes
        self._heard: list[Any] = []
        self._next = 0
        self.elsewhere = False
        """Set when the game turns out to be another process's: our answer is then not sent."""

    def begin(self) -> None:
        """Read the body from its beginning again."""
        self._next, self.elsewhere = 0, False

    async def receive(self) -> Any:
        """The next part of the body, from the client or kept."""
        if self._next == len(self._heard):
            self._heard.append(await self._receive())
        self._next += 1
        return self._heard[self._next - 1]

    def send(self, message: Any) -> Awaitable[None]:
        """Send a part of the answer, unless the request belongs to another process."""
        return _send_nothing() if self.elsewhere else self._send(message)

    async def body(self) -> bytes:
        """The whole body; raises TooLarge, or ConnectionError where the client has gone."""
        self.begin()
        parts = [await self._part()]
        while parts[-1].get("more_body"):
            parts.append(await self._part())
        return b"".join(part.get("body", b"") for part in parts)

    async def _part(self) -> Any:
        part: Any = await self.receive()
        if part["type"] == "http.disconnect":
            raise ConnectionError
        if sum(len(heard.get("body", b"")) for heard in self._heard) > self._most:
            raise TooLarge
        return part

    async def answer(self, answer: Answer) -> None:
        """Send the owner's answer to the client."""
        headers = [*answer.headers, (b"content-length", b"%d" % len(answer.body))]
        if answer.status in (204, 304):
            headers.pop()
        await self._send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": answer.body, "more_body": False})


async def _send_nothing() -> None:
    return None
