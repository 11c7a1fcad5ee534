"""A small HTTP/1.1 client for requests that are passed on: connections that are kept, one request at a time on each."""

import asyncio
from collections import defaultdict
from time import monotonic
from typing import Any, NamedTuple

import httptools

_IDLE = 3.0  # seconds: less than a server keeps a quiet connection, so that none is used that it is just closing
_CONNECT = 2.0
_OWN = frozenset((b"connection", b"keep-alive", b"transfer-encoding", b"content-length", b"date", b"server"))


class Unreached(Exception):
    """Nobody listens there: nothing of the request was sent."""


class BrokenOff(Exception):
    """The connection ended before the answer: the request may have been carried out or not."""


class Answer(NamedTuple):
    """Status, headers other than those of the connection, and body."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Connection(asyncio.Protocol):
    """One connection to another process."""

    def __init__(self) -> None:
        self._transport: Any = None
        self._parser: Any = None
        self._answer: asyncio.Future[Answer]
        self._headers: list[tuple[bytes, bytes]] = []
        self._body: list[bytes] = []
        self.quiet_since = 0.0

    async def ask(self, request: bytes) -> Answer:
        """Send the request and wait for the whole answer; raises BrokenOff."""
        self._answer = asyncio.get_running_loop().create_future()
        self._parser = httptools.HttpResponseParser(self)
        self._headers, self._body = [], []
        self._transport.write(request)
        return await self._answer

    @property
    def fit(self) -> bool:
        """Whether another request can go over it."""
        return not self._transport.is_closing() and monotonic() - self.quiet_since < _IDLE

    def close(self) -> None:
        """Let it go."""
        self._transport.close()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        if self._parser is not None and not self._answer.done():
            self._answer.set_exception(BrokenOff())

    def on_header(self, name: bytes, value: bytes) -> None:
        """The parser has found a header."""
        if (lower := name.lower()) not in _OWN:
            self._headers.append((lower, value))

    def on_body(self, part: bytes) -> None:
        """The parser has found a part of the body."""
        self._body.append(part)

    def on_message_complete(self) -> None:
        """The parser has found the end of the answer."""
        self.quiet_since = monotonic()
        if not self._parser.should_keep_alive():
            self._transport.close()
        if not self._answer.done():
            self._answer.set_result(Answer(self._parser.get_status_code(), self._headers, b"".join(self._body)))


class Client:
    """Connections to other processes, by address."""

    def __init__(self) -> None:
        self._quiet: defaultdict[str, list[Connection]] = defaultdict(list)
        self._busy: defaultdict[str, set[Connection]] = defaultdict(set)

    async def ask(self, address: str, request: bytes, seconds: float) -> Answer:
        """The answer of whoever listens there, in so many seconds; raises Unreached or BrokenOff."""
        connection = await self._connection(address)
        self._busy[address].add(connection)
        try:
            async with asyncio.timeout(seconds):
                answer = await connection.ask(request)
        except TimeoutError as error:
            raise BrokenOff from error
        finally:
            self._busy[address].discard(connection)
            if connection.quiet_since == 0.0:
                connection.close()
        self._quiet[address].append(connection)
        return answer

    async def _connection(self, address: str) -> Connection:
        quiet = self._quiet[address]
        while quiet:
            if (connection := quiet.pop()).fit:
                connection.quiet_since = 0.0
                return connection
            connection.close()
        host, _, port = address.rpartition(":")
        try:
            async with asyncio.timeout(_CONNECT):
                made = await asyncio.get_running_loop().create_connection(Connection, host.strip("[]"), int(port))
        except (OSError, TimeoutError, ValueError) as error:
            raise Unreached from error
        return made[1]

    def drop(self, address: str) -> None:
        """Who was there is gone: nobody waits for it any longer."""
        for connection in [*self._quiet.pop(address, ()), *self._busy.pop(address, ())]:
            connection.close()

    def close(self) -> None:
        """Let every connection go."""
        for address in {*self._quiet, *self._busy}:
            self.drop(address)
