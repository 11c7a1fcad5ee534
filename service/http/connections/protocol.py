"""One connection: uvicorn's own protocol, which has no bound on the time and the length of a request.

What uvicorn's settings leave open: `limit_concurrency` answers 503 also on connections that were there before, and
closes no idle one; `timeout_keep_alive` starts at the end of an answer, so never on a connection that sends nothing or
half a request; `h11_max_incomplete_event_size` is for the other parser.

uvicorn stops sending to a client that reads too slowly, and then waits for ever: an unread stream would keep
its game, its place and its buffers. Such a connection is cut off. A client that vanished without closing is found by
the kernel (`service.cli.server`).
"""

import asyncio
import logging
from collections import Counter, deque
from functools import partial
from typing import Any, ClassVar, Literal

import httptools
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from websockets.exceptions import InvalidMessage

from service.http.connections.answers import CYCLE, App, raw_answer, refusing_app
from service.http.connections.files import allowed_connections
from service.http.connections.upgraded import UpgradedProtocol
from service.http.front import network
from service.problems import problem
from service.settings import Settings


class StalledWriteProtocol(HttpToolsProtocol):
    """A connection that is cut off when its write buffer has been full for `client_silence` seconds."""

    settings: ClassVar[Settings]
    _stall_timer: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """The write buffer is full: start the timer."""
        super().pause_writing()
        self._stall_timer = self.loop.call_later(self.settings.client_silence, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read something: stop the timer."""
        super().resume_writing()
        self._cancel_abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._cancel_abort()
        super().connection_lost(exc)

    def _cancel_abort(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None


LINE = b"/v1/play"
"""The path of the only WebSocket."""
_RETRY = 5  # seconds
_BUSY_APP = refusing_app(problem("busy", "Too many connections are open here; try again soon."), _RETRY)
_TOO_MANY_APP = refusing_app(problem("too_many_requests", "Too many connections are open from your address."), _RETRY)


class OpenConnections:
    """The connections of one process, by address."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._open: Counter[bytes] = Counter()
        self.total = 0

    def begin(self, address: bytes) -> None:
        """Count a connection of this address."""
        self.total += 1
        self._open[address] += 1

    def end(self, address: bytes) -> None:
        """Count one less; an address without connections is dropped."""
        self.total -= 1
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def refusal(self, address: bytes, proxy: bool) -> App | None:
        """The application that refuses a connection too many; None: allowed. A proxy has no bound per address."""
        if self.total > self._most:
            return _BUSY_APP
        return _TOO_MANY_APP if not proxy and self._open[address] > self._most_of_one else None

    @property
    def overrun(self) -> bool:
        """Whether so many are open that new ones are closed without an answer."""
        return self.total > self._most + self._most // 4 + 16


Phase = Literal["head", "body"]
_TOO_SLOW_RAW = raw_answer(problem("too_slow", "The request did not come whole in time."))
_UNREADABLE_RAW = raw_answer(problem("malformed", "This is no HTTP request."))
_TOO_LONG = problem("head_too_large", "Request line and headers are too long.")
_TOO_LONG_RAW, _TOO_LONG_APP = raw_answer(_TOO_LONG), refusing_app(_TOO_LONG)
_REFUSED_SECONDS = 2.0
_LOG = logging.getLogger("connections")
_LOG.setLevel(logging.ERROR)  # else strangers could fill our log with uvicorn's warnings


class BoundedProtocol(StalledWriteProtocol):
    """A connection with bounds on time and length; `bounded_protocol` makes the class for given settings."""

    open_connections: ClassVar[OpenConnections]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = _LOG
        self._allowed_app: Any = self.app
        self._timer: asyncio.TimerHandle | None = None
        self._timed: tuple[Any, Phase] = (None, "head")
        self._head_bytes_left = self.settings.max_head_bytes
        self._upgraded, self._has_body = False, False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection; one too many gets an application that refuses."""
        super().connection_made(transport)
        self._address = network(self.client[0]) if self.client else b""
        self.open_connections.begin(self._address)
        refusal = self.open_connections.refusal(self._address, self._is_from_proxy())
        if self.open_connections.overrun:
            transport.abort()
        if refusal is not None:
            self.app = self._allowed_app = refusal
        self._start_timer((None, "head"), self.settings.head_seconds if refusal is None else _REFUSED_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self.open_connections.end(self._address)
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the data, and start a timer for an unfinished request. Runs for every request."""
        if len(data) > self._head_bytes_left:
            self.app = self._answer_measured
        self._unset_keepalive_if_required()
        try:
            self._parse(data)
        except httptools.HttpParserError:
            self.send_400_response("")
        cycle = self.cycle
        if cycle is None or cycle.more_body or cycle.scope is not self.scope:
            self._time_unfinished(len(data))
        elif self._timer is not None:
            self._stop_timer()

    def on_headers_complete(self) -> None:
        """Leave the cycle in the scope, so that the application can answer in one write; what comes later is no header.

        uvicorn would put trailers among the headers (RFC 9110, 6.5.1).
        """
        super().on_headers_complete()
        cycle: Any = self.cycle
        if cycle is not None and cycle.scope is self.scope:
            scope: Any = cycle.scope
            scope[CYCLE] = cycle
            self.headers = deque(maxlen=0)  # type: ignore[assignment]

    def on_body(self, body: bytes) -> None:
        """Note that the data has a piece of the body: data without one (trailers, ends of chunks) has a bound."""
        self._has_body = True
        super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        """Unreadable bytes count as a request; beyond the quota they get no answer."""
        quotas = getattr(getattr(self.config.app, "state", None), "requests", None)
        if quotas is None or self._is_from_proxy() or quotas.take(self._address, self._address).requests >= 0:
            self.transport.write(_UNREADABLE_RAW)
        self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over, still counted; too long a head is answered here."""
        if len(self.url) + _measure_headers(self.headers) > self.settings.max_head_bytes:
            self.transport.write(_TOO_LONG_RAW)
            self.transport.close()
            return
        self._stop_timer()
        self._upgraded = True
        super().handle_websocket_upgrade()
        upgraded: Any = self.transport.get_protocol()
        upgraded.release = partial(self.open_connections.end, self._address)
        if upgraded.handshake_initiated:
            return
        if isinstance(upgraded.conn.handshake_exc, InvalidMessage):
            self.send_400_response("")
        else:  # websockets takes fewer and shorter headers
            self.transport.write(_TOO_LONG_RAW)
            self.transport.close()

    def _parse(self, data: bytes) -> None:
        """Feed the parser, which stops behind a head that offers another protocol; raises HttpParserError.

        An offer that is not taken is ignored (RFC 9110, 7.8): a new parser gets the same head without it, then the
        rest; the one that has stopped may hold the connection closed.
        """
        rest: bytes | memoryview = data
        while True:
            try:
                return self.parser.feed_data(rest)
            except httptools.HttpParserUpgrade as stopped:
                rest = memoryview(rest)[stopped.args[0] :]
            if self._begins_websocket():
                return self.handle_websocket_upgrade()
            self.parser = httptools.HttpRequestParser(self)
            self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
            self.parser.feed_data(self._drop_offer())

    def _should_upgrade(self) -> bool:
        """Leave every head that offers another protocol to `_parse`: no request begins with it."""
        return True

    def _begins_websocket(self) -> bool:
        """Whether this head begins a WebSocket: at its one path, and with every answer sent."""
        offers = self.scope["method"] == "GET" and self._get_upgrade() == b"websocket"
        owed = self.cycle is not None and not self.cycle.response_complete
        at_its_path = self.scope["http_version"] == "1.1" and self.url.partition(b"?")[0] == LINE
        return offers and at_its_path and not owed and self.app is self._allowed_app is self.config.loaded_app

    def _drop_offer(self) -> bytes:
        """The head that the parser stopped behind, without `Upgrade`; raises HttpParserError for a tunnel."""
        if self.scope["method"] == "CONNECT":
            raise httptools.HttpParserError
        if len(self.url) + _measure_headers(self.headers) > self.settings.max_head_bytes:
            self.app = _TOO_LONG_APP
        method, version = self.scope["method"].encode(), self.scope["http_version"].encode()
        headers = [b"%b: %b\r\n" % header for header in self.headers if header[0] != b"upgrade"]
        return b"%b %b HTTP/%b\r\n%b\r\n" % (method, self.url, version, b"".join(headers))

    def _is_from_proxy(self) -> bool:
        loaded = self.config.loaded_app
        return isinstance(loaded, ProxyHeadersMiddleware) and (self.client or ("",))[0] in loaded.trusted_hosts

    def _time_unfinished(self, length: int) -> None:
        if self.scope is None or self.transport.is_closing() or self._upgraded:
            return
        if (phase := self._find_phase()) == "head":  # its first piece may hold earlier requests
            is_first = self._timed != (self.scope, "head")
            self._take_head_bytes(len(self.url) + _measure_headers(self.headers) if is_first else length)
        elif self._has_body:
            self._has_body, self._head_bytes_left = False, self.settings.max_head_bytes
        else:
            self._take_head_bytes(length)
        if self._timed != (self.scope, phase):
            self._start_timer((self.scope, phase), getattr(self.settings, f"{phase}_seconds"))

    def _find_phase(self) -> Phase:
        """Which part of the request is incomplete."""
        return "head" if self.cycle is None or self.cycle.scope is not self.scope else "body"

    def _take_head_bytes(self, length: int) -> None:
        self._head_bytes_left -= length
        if self._head_bytes_left < 0:
            self._close_with(_TOO_LONG_RAW)

    async def _answer_measured(self, scope: Any, receive: Any, send: Any) -> None:
        """The application behind a check of the head's length, for data that may hold too long a head."""
        long = len(scope["raw_path"]) + len(scope["query_string"]) + _measure_headers(scope["headers"])
        app: App = _TOO_LONG_APP if long > self.settings.max_head_bytes else self._allowed_app
        await app(scope, receive, send)

    def _start_timer(self, timed: tuple[Any, Phase], seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timed = timed
        self._timer = self.loop.call_later(seconds, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timed = None, (None, "head")
        self._head_bytes_left = self.settings.max_head_bytes

    def _time_out(self) -> None:
        if not self.transport.is_closing():
            self._close_with(_TOO_SLOW_RAW)

    def _close_with(self, refusal: bytes) -> None:
        """Close, with this problem if a request has begun and has no answer yet."""
        if self.scope is not None and self._find_phase() == "head":
            self.transport.write(refusal)
        elif self.cycle is not None and not self.cycle.response_started:
            self.cycle.disconnected = True
            self.transport.write(refusal)
        self.transport.close()


def _measure_headers(headers: list[tuple[bytes, bytes]]) -> int:
    return sum(len(name) + len(value) + 4 for name, value in headers)


def bounded_protocol(settings: Settings) -> type[BoundedProtocol]:
    """The class of connections with these settings; its instances share one count."""
    counted = OpenConnections(allowed_connections(settings.max_connections), settings.max_connections_per_address)
    return type("BoundedHere", (BoundedProtocol,), {"settings": settings, "open_connections": counted})


def upgraded_protocol(settings: Settings) -> type[UpgradedProtocol]:
    """The class of connections that have become WebSockets."""
    return type("UpgradedHere", (UpgradedProtocol,), {"settings": settings})
