"""uvicorn as we run it, and the port that it listens on."""

import asyncio
import ctypes
import errno
import os
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from service.app import create_app
from service.cli.children import settle_garbage_collector
from service.cli.ending import Refusal, Usage
from service.cli.store import require_keys_of_others, retry_while_away
from service.event_store import schema
from service.event_store.errors import StoreUnavailable
from service.http.connections.protocol import bounded_protocol, upgraded_protocol
from service.settings import Settings

_SHUTDOWN_SECONDS = 10  # that a request under way has to end when the service stops; a stream has no end of its own
_HANDSHAKE = 0.1  # seconds within which a connection that has begun is queued
_MOMENT = 0.2  # seconds within which a request follows its connection
_TURN = 0.0005  # seconds after which a thread that folds a long game yields to the event loop; Python's own is 0.005
_GONE_SECONDS, _UNSENT_BYTES = 60, 131_072
_SO_ATTACH_FILTER = 26
_DROP_NEW = ((0x30, 0, 0, 13), (0x54, 0, 0, 0x12), (0x15, 0, 1, 0x02), (0x06, 0, 0, 0), (0x06, 0, 0, 0xFFFFFFFF))
"""A filter of packets, in classic BPF: the TCP flags are loaded; SYN without ACK is dropped, all else passes."""
_WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}


def configuration(app: Any, settings: Settings | None = None) -> uvicorn.Config:
    """uvicorn's configuration: our logging, since its own would log every path; our limits on connections."""
    settings = settings or Settings()
    return uvicorn.Config(
        app, lifespan="on", log_config=None, access_log=False, server_header=False,
        http=bounded_protocol(settings), timeout_keep_alive=settings.keep_alive_seconds,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
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
    sockets, peer_address = _listening_sockets(settings.address, listener)
    if settings.metrics_port is not None:
        sockets.append(bound_socket(settings.metrics_host, settings.metrics_port))

    def serve() -> None:
        session = settings.session_url or conninfo
        schema.check(session)
        require_keys_of_others(settings, session)
        app = create_app(settings, conninfo, peer_address)
        server = Server(configuration(app, settings), ready, shared)
        log = uvicorn.server.logger
        log.addFilter(has_no_failure := lambda record: "failure" not in app.state)  # the end tells it in one line
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

    retry_while_away(serve)


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
        self.config.app.state.parts.room.close()  # type: ignore[union-attr]
        await self._stop_listening(sockets or [])
        await super().shutdown(sockets)

    async def _stop_listening(self, sockets: list[socket.socket]) -> None:
        """Accept the queued connections, which closing the listener would reset; give them 0.2 seconds to send a
        request; refuse later ones: a caller who comes just before the end is refused a second later.
        """
        for listening in sockets[self._shared :]:
            stop_admitting(listening)
        await asyncio.sleep(_HANDSHAKE)
        queued: list[socket.socket] = []
        for listening, server in zip(sockets, self.servers, strict=True):
            listening.setblocking(False)
            with suppress(OSError):
                while True:
                    queued.append(listening.accept()[0])
            server.close()
            listening.close()
        protocol: Any = self.config.http_protocol_class
        for connection in queued:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: protocol(self.config, self.server_state, self.lifespan.state), connection
            )
        await asyncio.sleep(_MOMENT)


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that has the port, with limits for all accepted connections; raises Refusal, Usage for an invalid port.

    After 60 seconds without an acknowledgement a connection is closed; at most 128 KiB of unsent data wait in the
    kernel, where Linux would take megabytes.
    """
    if not 0 <= port <= 65535:
        raise Usage(f"There is no port {port}: ports run from 0 to 65535.")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise Refusal(f"There is no address {host} with port {port} on this machine: {_reason(error)}.") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * _GONE_SECONDS)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)
        listener.bind(place)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            taken = f"Port {port} of {host} is taken by another program: choose another one with --port."
            raise Refusal(taken) from error
        raise Refusal(f"Port {port} of {host} cannot be had: {_reason(error)}.") from error
    return listener


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def stop_admitting(listener: socket.socket) -> None:
    """Drop the first packet of every new connection; a client that is connected or about to be is not touched.

    Closing a listener resets clients who were connected and not accepted a moment before. After this there are none:
    the client's system sends its first packet again, within a second, and finds the port closed. Does nothing where
    there is no such filter (elsewhere than on Linux), or where the system allows filters to root alone.
    """
    if sys.platform == "linux":
        code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in _DROP_NEW))
        program = struct.pack("HP", len(_DROP_NEW), ctypes.addressof(code))
        with suppress(PermissionError):
            listener.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)


def _listening_sockets(address: str | None, listener: socket.socket) -> tuple[list[socket.socket], str]:
    """The sockets to listen on, and where other processes reach one of them: `10.0.0.5:8001`.

    `address` is a host, by default this machine alone, or a host and a port: the listener's own, or one more.
    """
    host, _, port = (address or "").rpartition(":") if ":" in (address or "") else (address or "127.0.0.1", "", "0")
    if int(port) == listener.getsockname()[1]:
        return [listener], f"{host}:{port}"
    own = bound_socket(host.strip("[]"), int(port))
    return [listener, own], f"{host}:{own.getsockname()[1]}"


def client_address(listener: socket.socket) -> str:
    """The address a client on this machine uses: `http://127.0.0.1:8000`."""
    host, port = listener.getsockname()[:2]
    return f"http://{_WILDCARDS.get(host, f'[{host}]' if ':' in host else host)}:{port}"
