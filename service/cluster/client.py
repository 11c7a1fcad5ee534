"""Requests to other processes of the service, over connections that httpx keeps open."""

import asyncio
import socket
import sys
from contextlib import suppress
from typing import NamedTuple

import httpx

from service.telemetry.background import start_task

Headers = list[tuple[bytes, bytes]]
_LIMITS = httpx.Limits(keepalive_expiry=3.0)  # seconds: shorter than a server's own keep-alive
CONNECT = 2.0
"""Seconds to connect, and after which a connection whose packets are not acknowledged is given up."""
_SOCKET = [(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1_000 * CONNECT))] if sys.platform == "linux" else []
_OF_CONNECTION = frozenset((b"connection", b"keep-alive", b"transfer-encoding", b"content-length", b"date", b"server"))


class Unreached(Exception):
    """No process listens there: nothing of the request was sent."""


class BrokenOff(Exception):
    """The connection ended before the answer: the request may or may not have been carried out."""


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


async def can_connect(address: str) -> bool:
    """Whether a process listens at this address."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(CONNECT):
            _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except (OSError, ValueError):  # TimeoutError is an OSError
        return False
    writer.transport.abort()
    return True


class Client:
    """Asks other processes, by address (`10.0.0.5:8001`)."""

    def __init__(self) -> None:
        self._clients: dict[str, httpx.AsyncClient] = {}
        self._waiting: dict[str, set[asyncio.Task[Answer]]] = {}

    async def ask(self, address: str, request: Request, seconds: float) -> Answer:
        """The answer of the process at this address within `seconds`; raises Unreached or BrokenOff."""
        task = asyncio.create_task(self._answer(address, request, seconds))
        waiting = self._waiting.setdefault(address, set())
        waiting.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if caller is None or not caller.cancelling():  # `drop` cancelled it, nobody the caller
                raise BrokenOff from None
            raise
        finally:
            waiting.discard(task)

    async def _answer(self, address: str, request: Request, seconds: float) -> Answer:
        try:
            async with asyncio.timeout(seconds):
                return await self._send(self._client_of(address), address, request)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise Unreached from error
        except (httpx.TransportError, TimeoutError, AttributeError) as error:
            # AttributeError: anyio asks a connection that was reset as soon as it was made for its socket.
            raise BrokenOff from error

    def _client_of(self, address: str) -> httpx.AsyncClient:
        if address not in self._clients:
            timeout = httpx.Timeout(None, connect=CONNECT)
            transport = httpx.AsyncHTTPTransport(limits=_LIMITS, trust_env=False, socket_options=_SOCKET)
            self._clients[address] = httpx.AsyncClient(transport=transport, timeout=timeout, trust_env=False)
        return self._clients[address]

    async def _send(self, client: httpx.AsyncClient, address: str, request: Request) -> Answer:
        """Send the request unchanged; the answer is neither decoded nor redirected."""
        asked = httpx.Request(
            request.method, f"http://{address}/", headers=request.headers, content=request.body,
            extensions={"target": request.target, "timeout": client.timeout.as_dict()},
        )  # fmt: skip
        answer = await client.send(asked, stream=True)
        try:
            body = b"".join([part async for part in answer.aiter_raw()])
        finally:
            await answer.aclose()
        headers = [(name.lower(), value) for name, value in answer.headers.raw if name.lower() not in _OF_CONNECTION]
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
