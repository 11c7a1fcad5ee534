"""uvicorn as we run it."""

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import uvicorn

from service.app import create_app
from service.cli.children import settle_garbage_collector
from service.cli.database import retry_while_away
from service.cli.ending import Refusal
from service.cli.keys import require_keys_of_others
from service.cli.listening import bound_socket, listening_sockets, stop_admitting
from service.event_store import schema
from service.event_store.errors import StoreUnavailable
from service.http.connections.protocol import bounded_protocol, upgraded_protocol
from service.settings import Settings

PATIENCE = 10
"""Seconds that a request under way has to end when the service stops; a stream has no end of its own."""
_HANDSHAKE = 0.1  # seconds within which a connection that has begun is queued
_MOMENT = 0.2  # seconds within which a request follows its connection
_TURN = 0.0005  # seconds after which a thread that folds a long game yields to the event loop; Python's own is 0.005


def configuration(app: Any, settings: Settings | None = None) -> uvicorn.Config:
    """uvicorn's configuration: our logging, since its own would log every path; our limits on connections."""
    settings = settings or Settings()
    return uvicorn.Config(
        app, lifespan="on", log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=PATIENCE,
        http=bounded_protocol(settings), timeout_keep_alive=settings.keep_alive_seconds,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS") or "127.0.0.1",
        ws=upgraded_protocol(settings), ws_max_size=settings.max_body_bytes, ws_per_message_deflate=False,
        ws_ping_interval=settings.heartbeat, ws_ping_timeout=settings.client_silence,
    )  # fmt: skip


def serve_on(
    settings: Settings, conninfo: str, listener: socket.socket, ready: Callable[[], None], *, shared: bool = False
) -> None:
    """Serve on this socket, and on a second one for requests forwarded by other processes; `ready` is called once up.

    `shared`: other processes go on accepting from the listener when this one ends. A database that is away at the start
    is awaited. Raises Refusal if the application does not start, SchemaError.
    """
    sockets, where = listening_sockets(settings.address, listener)
    if settings.metrics_port is not None:
        sockets.append(bound_socket(settings.metrics_host, settings.metrics_port))
    retry_while_away(lambda: _serve(settings, conninfo, where, sockets, ready, shared))


def _serve(
    settings: Settings, conninfo: str, where: str, sockets: list[socket.socket], ready: Callable[[], None],
    shared: bool,
) -> None:  # fmt: skip
    """One attempt to start and serve; raises StoreUnavailable if the database was away during the start."""
    session = settings.session_url or conninfo
    schema.check(session)
    require_keys_of_others(settings, session)
    app = create_app(settings, conninfo, where)
    server = Server(configuration(app, settings), ready, shared)
    log = uvicorn.server.logger
    log.addFilter(has_no_failure := lambda record: "failure" not in app.state)  # that is told in one line, as it ends
    try:
        server.run(sockets=sockets)
    except SystemExit:
        if server.should_exit:
            raise KeyboardInterrupt from None
        failure = app.state.get("failure")
        if isinstance(failure, StoreUnavailable):
            raise failure from None
        raise Refusal(str(failure or "The service could not be started; the log above says why.")) from None
    finally:
        log.removeFilter(has_no_failure)


class Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], shared: bool = False) -> None:
        super().__init__(config)
        self._ready = ready
        self._shared = shared

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            settle_garbage_collector()
            sys.setswitchinterval(_TURN)
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Streams break off at once, for clients resume them elsewhere; other requests are finished."""
        self.config.app.state.services.room.close()  # type: ignore[union-attr]
        await self._stop_listening(sockets or [])
        await super().shutdown(sockets)

    async def _stop_listening(self, sockets: list[socket.socket]) -> None:
        """Accept the connections that are queued, give them 0.2 seconds to send a request, and refuse later ones.

        Nobody is reset: who comes just before the end is refused a second later.
        """
        for listening in sockets[self._shared :]:
            stop_admitting(listening)
        await asyncio.sleep(_HANDSHAKE)
        come: list[socket.socket] = []
        for listening, server in zip(sockets, self.servers, strict=True):
            come += _queued_connections(listening)
            server.close()
            listening.close()
        for one in come:
            await asyncio.get_running_loop().connect_accepted_socket(self._protocol, one)
        await asyncio.sleep(_MOMENT)

    def _protocol(self) -> asyncio.Protocol:
        kind: Any = self.config.http_protocol_class
        made: asyncio.Protocol = kind(self.config, self.server_state, self.lifespan.state)
        return made


def _queued_connections(listening: socket.socket) -> Iterator[socket.socket]:
    """Connections not accepted yet, which closing the listener would reset."""
    listening.setblocking(False)
    with suppress(OSError):
        while True:
            yield listening.accept()[0]
