"""Forwarding: a request that changes another process's game is sent to that process, and its answer sent back.

Only the owner's secret proves that a request was forwarded. A forwarded request is never forwarded again: a process
that does not own the game answers 421, and the sender looks up the owner again.
"""

import asyncio
import re
import socket
import sys
from collections.abc import Awaitable
from contextlib import suppress
from hmac import compare_digest
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

import httpx
from litestar.types import ASGIApp, Receive, Send

from service.cluster.leases import CONNECT, Leases
from service.event_store.errors import StoreUnavailable
from service.http.bodies import too_large
from service.http.refusals import send_problem
from service.problems import problem
from service.telemetry.background import start_task
from service.telemetry.metrics import FORWARDED

PATIENCE = 5.0
"""Seconds to find the owner; then the client gets `unavailable`."""
HOP = b"kibitz-hop"
"""The header of a forwarded request: the owner's secret, the client's scheme and address."""
MISDIRECTED = 421
_ANSWER = 15.0  # seconds for the owner to answer: longer than it takes to notice that it is gone
_PAUSE = 0.02  # seconds between two lookups of the owner
_SAFE = ("GET", "HEAD", "OPTIONS")
_GAME = re.compile(r"(?:/v1)?/games/([^/]+)(?:/|$)")
_LIMITS = httpx.Limits(keepalive_expiry=3.0)  # seconds: shorter than a server's own keep-alive
# A connection whose packets are not acknowledged for so long is given up.
_SOCKET = [(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1_000 * CONNECT))] if sys.platform == "linux" else []
_HOP_BY_HOP = frozenset((b"connection", b"keep-alive", b"transfer-encoding", b"content-length"))
_NOT_SENT = _HOP_BY_HOP | {b"te", b"upgrade", b"expect", HOP}
_NOT_RETURNED = _HOP_BY_HOP | {b"date", b"server"}
Headers = list[tuple[bytes, bytes]]


class Unreached(Exception):
    """No process listens there: nothing of the request was sent."""


class BrokenOff(Exception):
    """The connection ended before the answer: the request may or may not have been carried out."""


class TooLarge(Exception):
    """The body has more bytes than any operation takes."""


class Request(NamedTuple):
    """Method, target as it stood in the request line, headers and body."""

    method: str
    target: bytes
    headers: Headers
    body: bytes


class Answer(NamedTuple):
    """Status, headers other than those of the connection, and body."""

    status: int
    headers: Headers
    body: bytes


class ForwardHeader(NamedTuple):
    """The content of a forwarded request's header."""

    secret: bytes
    scheme: str
    client: str


class Client:
    """Sends requests to other processes, by address (`10.0.0.5:8001`), over connections that httpx keeps open."""

    def __init__(self) -> None:
        self._clients: dict[str, httpx.AsyncClient] = {}
        self._waiting: dict[str, set[asyncio.Task[Answer]]] = {}

    async def ask(self, address: str, request: Request, seconds: float) -> Answer:
        """The answer of the process at this address within `seconds`; raises Unreached or BrokenOff."""
        task = asyncio.create_task(self._send(address, request, seconds))
        waiting = self._waiting.setdefault(address, set())
        waiting.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if caller is None or not caller.cancelling():  # `drop` cancelled the task
                raise BrokenOff from None
            raise
        finally:
            waiting.discard(task)

    async def _send(self, address: str, request: Request, seconds: float) -> Answer:
        """Send the request unchanged; the answer is neither decoded nor redirected."""
        if address not in self._clients:
            timeout = httpx.Timeout(None, connect=CONNECT)
            transport = httpx.AsyncHTTPTransport(limits=_LIMITS, trust_env=False, socket_options=_SOCKET)
            self._clients[address] = httpx.AsyncClient(transport=transport, timeout=timeout, trust_env=False)
        client = self._clients[address]
        try:
            async with asyncio.timeout(seconds):
                message = httpx.Request(
                    request.method, f"http://{address}/", headers=request.headers, content=request.body,
                    extensions={"target": request.target, "timeout": client.timeout.as_dict()},
                )  # fmt: skip
                answer = await client.send(message, stream=True)
                try:
                    body = b"".join([part async for part in answer.aiter_raw()])
                finally:
                    await answer.aclose()
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise Unreached from error
        except (httpx.TransportError, TimeoutError, AttributeError) as error:
            # AttributeError: anyio asks a connection that was reset as soon as it was made for its socket.
            raise BrokenOff from error
        headers = [(name.lower(), value) for name, value in answer.headers.raw if name.lower() not in _NOT_RETURNED]
        return Answer(answer.status_code, headers, body)

    def drop(self, address: str) -> None:
        """The process there is gone: cancel requests to it and close its connections."""
        for task in self._waiting.pop(address, set()):
            task.cancel()
        if (client := self._clients.pop(address, None)) is not None:
            with suppress(RuntimeError):  # the loop has ended, and the process will close its connections
                start_task(client.aclose, "forwarding-closes")

    def close(self) -> None:
        """Close every connection."""
        for address in {*self._clients, *self._waiting}:
            self.drop(address)


def changed_game(scope: Any) -> UUID | None:
    """The game that a request may change; None for any other request."""
    if scope["type"] != "http" or scope["method"] in _SAFE or (match := _GAME.match(scope["path"])) is None:
        return None
    try:
        return UUID(match[1])
    except ValueError:
        return None


def forward_header(scope: Any) -> ForwardHeader | None:
    """The header's content; None if it is missing or unreadable."""
    words = next((value for name, value in scope["headers"] if name == HOP), b"").split(b" ")
    return ForwardHeader(words[0], words[1].decode("latin-1"), words[2].decode("latin-1")) if len(words) == 3 else None


def request_to_owner(scope: Any, body: bytes, secret: str) -> Request:
    """The request as the game's owner gets it."""
    query = b"?" + scope["query_string"] if scope["query_string"] else b""
    client = scope["client"][0] if scope["client"] else ""
    hop = b" ".join(word.encode("latin-1") for word in (secret, scope["scheme"], client))
    headers = [(name, value) for name, value in scope["headers"] if name not in _NOT_SENT]
    headers += [(b"content-length", b"%d" % len(body)), (HOP, hop)]
    return Request(scope["method"], scope["raw_path"] + query, headers, body)


class RoutedRequest:
    """A request that may be forwarded: its body is kept, and an answer is suppressed if it belongs elsewhere."""

    def __init__(self, game: UUID, receive: Receive, send: Send, most_bytes: int) -> None:
        self.game = game
        self._receive, self._send, self._most = receive, send, most_bytes
        self._messages: list[Any] = []
        self._next = 0
        self.elsewhere = False
        """Set when the game turns out to be another process's: our answer is then not sent."""

    def begin(self) -> None:
        """Read the body from its beginning again."""
        self._next, self.elsewhere = 0, False

    async def receive(self) -> Any:
        """The next part of the body, from the client or kept."""
        if self._next == len(self._messages):
            self._messages.append(await self._receive())
        self._next += 1
        return self._messages[self._next - 1]

    async def send(self, message: Any) -> None:
        """Send a part of the answer, unless the request belongs to another process."""
        if not self.elsewhere:
            await self._send(message)

    async def body(self) -> bytes:
        """The whole body; raises TooLarge, or ConnectionError where the client has gone."""
        self.begin()
        parts: list[bytes] = []
        more = True
        while more:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError
            parts.append(message.get("body", b""))
            if sum(map(len, parts)) > self._most:
                raise TooLarge
            more = message.get("more_body", False)
        return b"".join(parts)

    async def answer(self, answer: Answer) -> None:
        """Send the owner's answer to the client."""
        headers = [*answer.headers, (b"content-length", b"%d" % len(answer.body))]
        if answer.status in (204, 304):
            headers.pop()
        await self._send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": answer.body, "more_body": False})


class Forwarding:
    """The application for our own games; the owner's for games of other processes."""

    def __init__(self, app: ASGIApp, leases: Leases, most_bytes: int) -> None:
        self._app, self._leases, self._most = app, leases, most_bytes
        self._client = Client()
        leases.on_gone = self._client.drop

    def __call__(self, scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve or forward a request. A process without peers forwards nothing."""
        if not self._leases.has_peers or (game := changed_game(scope)) is None:
            return self._app(scope, receive, send)
        routed = RoutedRequest(game, receive, send, self._most)
        if self._leases.holds(game) and forward_header(scope) is None:
            return self._try_here(scope, routed)
        return self._route(scope, routed)

    def close(self) -> None:
        """Close every connection to other processes."""
        self._client.close()

    async def _try_here(self, scope: Any, routed: RoutedRequest) -> None:
        """Serve here, as the owner we believe to be; forward if we turn out not to be."""
        fresh = _copied_scope(scope)
        scope["routed"] = routed
        await self._app(scope, routed.receive, routed.send)
        if routed.elsewhere:
            await self._route(fresh, routed)

    async def _route(self, scope: Any, routed: RoutedRequest) -> None:
        """Serve here or at the owner, until one of them has answered or time is over."""
        was_forwarded, hop = False, forward_header(scope)
        if hop is not None and compare_digest(hop.secret, self._leases.secret.encode()):
            was_forwarded, scope["client"], scope["scheme"] = True, (hop.client, 0), hop.scheme
        try:
            deadline = monotonic() + PATIENCE
            while monotonic() < deadline:
                if await self._run_here(scope, routed, was_forwarded):
                    return
                if was_forwarded:
                    await routed.answer(Answer(MISDIRECTED, [(HOP, b"no")], b""))
                    return
                if await self._run_at_owner(scope, routed):
                    return
                await self._leases.refresh()
                await asyncio.sleep(_PAUSE)
            await _answer_unavailable(routed)
        except ConnectionError:
            return
        except StoreUnavailable:
            await _answer_unavailable(routed)
        except TooLarge:
            await send_problem(routed.send, too_large(self._most).problem)

    async def _run_here(self, scope: Any, routed: RoutedRequest, was_forwarded: bool) -> bool:
        """Serve here, if the game is ours or its owner cannot be reached; for a forwarded request look up the owner
        before saying no.
        """
        leases, game = self._leases, routed.game
        if not leases.holds(game) and not leases.is_cut_off(game):
            if not was_forwarded and leases.other_owner(game) is not None:
                return False
            if not await leases.recheck_owner(game):
                return False
        routed.begin()
        await self._app(_copied_scope(scope) | {"routed": routed}, routed.receive, routed.send)
        return not routed.elsewhere

    async def _run_at_owner(self, scope: Any, routed: RoutedRequest) -> bool:
        """Forward to the owner; False: not carried out, or safe to repeat. If the connection breaks off the outcome is
        unknown.
        """
        if (owner := self._leases.other_owner(routed.game)) is None:
            return False
        request = request_to_owner(scope, await routed.body(), owner.secret)
        routed.begin()
        try:
            answer = await self._client.ask(owner.address, request, _ANSWER)
        except Unreached:
            FORWARDED("unreached").inc()
            self._leases.note_way(owner, reached=False)
            return False
        except BrokenOff:
            FORWARDED("broken").inc()
            if any(name == b"idempotency-key" for name, _ in request.headers):
                return False  # the key tells whether it was carried out, at every process
            await _answer_unavailable(routed)
            return True
        if answer.status == MISDIRECTED and (HOP, b"no") in answer.headers:
            return False
        FORWARDED("answered").inc()
        await routed.answer(answer)
        return True


def _copied_scope(scope: Any) -> Any:
    """A copy of the scope, to serve the request again."""
    return {**scope, "state": dict(scope.get("state") or ())}


async def _answer_unavailable(routed: RoutedRequest) -> None:
    routed.elsewhere = False
    detail = "The game's process cannot be reached; the request was carried out or not: its Idempotency-Key tells."
    await send_problem(routed.send, problem("unavailable", detail), 1)
