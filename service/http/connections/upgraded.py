"""A connection that has become a WebSocket: uvicorn's own protocol for those, with our bounds and a graceful end."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from service.settings import Settings

SOCKET = "socket"
"""The key in the scope of the GET that a WebSocket begins with of its `Socket`."""
_SILENT = 4408
_QUIET = logging.getLogger("connections")
_OF_CLIENTS = ("Invalid UTF-8 sequence received from client.", "ASGI callable returned without completing handshake.")
"""uvicorn's error messages for faults of a client: bytes that are no text, and a refused upgrade."""
_QUIET.addFilter(lambda record: record.msg not in _OF_CLIENTS)
_LAST_READ = 10.0  # seconds for a client that read too slowly to read the buffer and the close code


class Socket(NamedTuple):
    """A WebSocket's two ends, and the subprotocols that its client speaks."""

    receive: Callable[[], Any]
    send: Callable[[Any], Any]
    subprotocols: list[str]


class UpgradedProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that ends when its client reads too slowly or answers no ping; at the service's end it is drained."""

    settings: ClassVar[Settings]
    release: Callable[[], None] = staticmethod(lambda: None)
    """Called when the connection is lost: uncounts it."""
    _stall_timer: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.app = self._begin
        self.logger = self.conn.logger = _QUIET
        self.conn.debug = False  # else the log would hold messages, with their tokens

    async def _begin(self, scope: Any, receive: Any, send: Any) -> None:
        """Begin as a GET through all layers of the application: the answer 101 accepts, any other is a refusal."""

        async def answer(message: Any) -> None:
            accepted = message.get("status") == 101
            await send({**message, "type": "websocket.accept" if accepted else f"websocket.{message['type']}"})

        socket = Socket(receive, send, scope["subprotocols"])
        scheme = "https" if scope["scheme"] == "wss" else "http"
        plain = {**scope, "type": "http", "method": "GET", "scheme": scheme, "extensions": {}, SOCKET: socket}
        await self.config.loaded_app(plain, receive, answer)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer and give the place back."""
        self._cancel()
        super().connection_lost(exc)
        self.release()

    def pause_writing(self) -> None:
        """The write buffer is full: start the timer."""
        super().pause_writing()
        self._stall_timer = self.loop.call_later(self.settings.client_silence, self.keepalive_timeout)

    def resume_writing(self) -> None:
        """The client has read something: stop the timer."""
        super().resume_writing()
        if not self.close_sent:
            self._cancel()

    def keepalive_timeout(self) -> None:
        """Close with a code of its own; drop unread output. Abort a client that closes and reads nothing."""
        if self.transport.is_closing():
            self.transport.abort()
        if self.close_sent or self.transport.is_closing():
            return
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": _SILENT})
        self.conn.send_close(_SILENT, "Too slow.")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.writable.set()
        if self.read_paused:  # a socket closed with something unread would take back what it has sent
            self.read_paused = False
            self.transport.resume_reading()
        self._cancel()
        self.close_timer = self.loop.call_later(_LAST_READ, self.transport.abort)

    def handle_ping(self) -> None:
        """Answer a ping, unless the client does not read: only its newest must be answered (RFC 6455, 5.5.3)."""
        if self.writable.is_set():
            super().handle_ping()
        elif self.conn.writes:
            self.conn.writes.pop()

    def handle_cont(self, event: Frame) -> None:
        """Take the next piece of a message; an empty one is none, for they would be kept without number."""
        if event.data or event.fin:
            super().handle_cont(event)

    def shutdown(self) -> None:
        """Let the application answer open requests and then close; uvicorn would close at once."""
        if self.handshake_complete and not self.close_sent:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": 1012})
        elif self.handshake_initiated:
            super().shutdown()

    async def send(self, message: Any) -> None:
        """Send messages, `texts` as bytes; those of one turn of the loop leave in one write. Raises ClientDisconnected
        once a close was sent, also while the buffer was full."""
        await self.writable.wait()
        if self.close_sent or self.disconnected or self.conn.state not in (State.CONNECTING, State.OPEN):
            raise ClientDisconnected
        if message["type"] != "websocket.send":
            await super().send(message)
            return
        if not self.conn.writes:
            self.loop.call_soon(self._flush)
        for text in message["texts"]:
            self.conn.send_text(text)

    def _flush(self) -> None:
        if output := self.conn.data_to_send():
            self.transport.write(b"".join(output))

    def _cancel(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None
