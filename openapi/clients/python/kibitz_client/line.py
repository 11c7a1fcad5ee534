"""Commands and streams over one WebSocket, `/v1/play`, as a transport of httpx: who asks over it need not know.

`Kibitz(address, token, http=over_line())`. All else goes by HTTP as ever, and so does everything where the service, or
what lies between, has no line to give.
"""

import asyncio
import itertools
import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import httpx
import msgspec
from msgspec import Raw, Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from kibitz_client.calls import EVENTS, JSON

_PROTOCOL = Subprotocol("kibitz.play.v1")
_ID = "([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})"
_COMMANDS = re.compile(f"/v1/games/{_ID}/commands")
_EVENTS = re.compile(f"/v1/(?:games/{_ID}|(inbox|account))/events")
_SUBSCRIBE = {
    None: ("subscribe_game", {"seat", "spectator", "known", "after"}),
    "inbox": ("subscribe_inbox", set[str]()),
    "account": ("subscribe_account_events", {"after"}),
}
_FIRST, _LONGEST = 1.0, 60.0
"""Seconds after which a line that could not be had is asked for again: twice as many each time."""


def over_line() -> httpx.AsyncClient:
    """An HTTP client for one player, whose commands and streams go over one line."""
    return httpx.AsyncClient(timeout=30.0, transport=LineTransport())


class _Told(Struct, frozen=True):
    """What the service says of the message with this id; which other members there are depends on `type`."""

    type: str
    id: str | None = None
    answer: Raw = Raw(b"")
    log_position: int = 0
    problem: Raw = Raw(b"")
    retry_after: int | None = None
    event: str = ""
    event_id: str | None = None
    data: Raw = Raw(b"")

    def response(self) -> httpx.Response:
        """The answer that the request would have had."""
        if self.type == "accepted":
            headers = {"Content-Type": JSON, "Log-Position": str(self.log_position)}
            return httpx.Response(200, headers=headers, content=bytes(self.answer))
        if self.type == "ended":
            return httpx.Response(204)
        later = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        status = msgspec.json.decode(self.problem)["status"]
        return httpx.Response(status, headers=later, content=bytes(self.problem))

    def text(self) -> bytes:
        """The server-sent event that it is."""
        number = b"" if self.event_id is None else b"id: %s\n" % self.event_id.encode()
        return b"event: %s\n%sdata: %s\n\n" % (self.event.encode(), number, bytes(self.data))


_Heard = asyncio.Queue[_Told | None]


class _Line:
    """An open line."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._heard: dict[str, _Heard] = {}
        self._ids = map(str, itertools.count())
        self._listening = asyncio.create_task(self._listen())

    @property
    def is_open(self) -> bool:
        """Whether nothing has been heard of its end."""
        return not self._listening.done()

    async def aclose(self) -> None:
        """Close it."""
        await self._connection.close()
        await self._listening

    def ask(self) -> tuple[str, _Heard]:
        """A new id, and what is heard of it until it is forgotten."""
        number = next(self._ids)
        self._heard[number] = _Heard()
        return number, self._heard[number]

    def forget(self, number: str) -> None:
        """Hear no more of this id."""
        self._heard.pop(number, None)

    async def tell(self, message: dict[str, Any]) -> None:
        """Send a message; raises WriteError."""
        try:
            await self._connection.send(msgspec.json.encode(message).decode())
        except ConnectionClosed as error:
            raise httpx.WriteError("The line has broken off.") from error

    async def next_of(self, heard: _Heard) -> _Told:
        """The next thing that is told; raises RemoteProtocolError where the line breaks off before."""
        told = await heard.get() if self.is_open or not heard.empty() else None
        if told is None:
            raise httpx.RemoteProtocolError("The line has broken off.")
        return told

    async def _listen(self) -> None:
        with suppress(ConnectionClosed):
            async for text in self._connection:
                told = msgspec.json.decode(text, type=_Told)
                if told.id in self._heard:
                    self._heard[told.id].put_nowait(told)
        for heard in self._heard.values():
            heard.put_nowait(None)


class _Stream(httpx.AsyncByteStream):
    """A subscription as a stream of server-sent events."""

    def __init__(self, line: _Line) -> None:
        self._line = line
        self._number, self._heard = line.ask()
        self._told: _Told | None = None

    async def begin(self, message: dict[str, Any]) -> httpx.Response:
        """Subscribe; the answer to that, once something is told."""
        try:
            await self._line.tell(message | {"id": self._number})
            self._told = await self._line.next_of(self._heard)
        except BaseException:
            await self.aclose()
            raise
        if self._told.type == "event":
            return httpx.Response(200, headers={"Content-Type": EVENTS}, stream=self)
        self._line.forget(self._number)
        return self._told.response()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while self._told and self._told.type == "event":
            yield self._told.text()
            self._told = await self._line.next_of(self._heard)

    async def aclose(self) -> None:
        """Unsubscribe, where there is more to come."""
        self._line.forget(self._number)
        if self._told is None or self._told.event != "end":
            with suppress(httpx.WriteError):
                await self._line.tell({"type": "unsubscribe", "id": self._number})


class LineTransport(httpx.AsyncBaseTransport):
    """Sends commands, and asks for streams, over the line of who asks; one line at a time."""

    def __init__(self) -> None:
        self._http = httpx.AsyncClient()  # for all that is no message; through the proxies of the environment
        self._line: _Line | None = None
        self._whose: tuple[str, str] | None = None
        self._wait, self._not_before = _FIRST, 0.0
        self._opening = asyncio.Lock()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The answer to a request; raises TransportError."""
        command, subscription = _command_of(request), _subscription_of(request)
        line = await self._line_for(request) if command or subscription else None
        if line is not None and command:
            return await self._say(line, command, request.extensions["timeout"]["read"])
        if line is not None and subscription:
            return await _Stream(line).begin(subscription)
        return await self._http.send(request, stream=True)

    async def aclose(self) -> None:
        """Close the line and the connections."""
        if self._line is not None:
            await self._line.aclose()
        await self._http.aclose()

    async def _say(self, line: _Line, command: dict[str, Any], seconds: float | None) -> httpx.Response:
        number, heard = line.ask()
        try:
            async with asyncio.timeout(seconds):
                await line.tell(command | {"id": number})
                return (await line.next_of(heard)).response()
        except TimeoutError:
            raise httpx.ReadTimeout("The command is not answered.") from None
        finally:
            line.forget(number)

    async def _line_for(self, request: httpx.Request) -> _Line | None:
        """The line of this player, opened where it is not open; None where none can be had."""
        token = request.headers.get("authorization", "")
        address = request.url.copy_with(scheme="wss" if request.url.scheme == "https" else "ws", raw_path=b"/v1/play")
        async with self._opening:
            if self._whose == (str(address), token):
                if self._line is not None and self._line.is_open:
                    return self._line
                if time.monotonic() < self._not_before:
                    return None
            elif self._line is not None:
                await self._line.aclose()
            self._whose, self._line = (str(address), token), None
            head = {"Authorization": token} if token else {}
            try:
                connection = await connect(
                    str(address), subprotocols=[_PROTOCOL], additional_headers=head, max_size=None, open_timeout=10
                )
            except (OSError, TimeoutError, WebSocketException):
                self._not_before = time.monotonic() + self._wait
                self._wait = min(2 * self._wait, _LONGEST)
                return None
            self._line, self._wait = _Line(connection), _FIRST
            return self._line


def _command_of(request: httpx.Request) -> dict[str, Any] | None:
    """The message for a POST of one command; None for all else, and for what HTTP alone can refuse."""
    found, query = _COMMANDS.fullmatch(request.url.path), dict(request.url.params)
    if found is None or request.method != "POST" or not query.keys() <= {"seat"}:
        return None
    message: dict[str, Any] = {"type": "command", "game_id": found[1], "key": request.headers.get("idempotency-key")}
    try:
        message["command"] = json.loads(request.content)
        message["seat"] = int(query["seat"]) if query else None
        version = request.headers.get("if-match")
        message["version"] = None if version is None else int(version.strip('"'))
    except ValueError:
        return None
    if not isinstance(message["command"], dict):
        return None
    return message | {"command": msgspec.Raw(request.content)}  # to the byte: over HTTP its key may say it again


def _subscription_of(request: httpx.Request) -> dict[str, Any] | None:
    """The message for a GET of a live stream; None for all else."""
    found, query = _EVENTS.fullmatch(request.url.path), dict(request.url.params)
    if found is None or EVENTS not in request.headers.get("accept", ""):
        return None
    game_id, name, known = found[1], *_SUBSCRIBE[found[2]]
    if "last-event-id" in request.headers:
        query["after"] = request.headers["last-event-id"]
    if not query.keys() <= known:
        return None
    if game_id is None:
        return {"type": name, **query}
    numbers = {name: int(query[name]) for name in ("seat", "after") if query.get(name, "").isdecimal()}
    return {"type": name, "game_id": game_id, **query, **numbers, "spectator": query.get("spectator") == "true"}
