"""The port that the service listens on."""

import ctypes
import errno
import socket
import struct
import sys
from contextlib import suppress

from service.cli.ending import Refusal, Usage

_GONE_SECONDS, _UNSENT_BYTES = 60, 131_072
_SO_ATTACH_FILTER = 26
_DROP_NEW = ((0x30, 0, 0, 13), (0x54, 0, 0, 0x12), (0x15, 0, 1, 0x02), (0x06, 0, 0, 0), (0x06, 0, 0, 0xFFFFFFFF))
"""A filter of packets, in classic BPF: the TCP flags are loaded; SYN without ACK is dropped, all else is kept."""
_WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that has the port; raises Refusal, or Usage for what is no port."""
    if not 0 <= port <= 65535:
        raise Usage(f"There is no port {port}: ports run from 0 to 65535.")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise Refusal(f"There is no address {host} with port {port} on this machine: {_reason(error)}.") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _set_tcp_limits(listener)
        listener.bind(place)
    except OSError as error:
        listener.close()
        raise _port_refusal(host, port, error) from error
    return listener


def _set_tcp_limits(listener: socket.socket) -> None:
    """Set limits for all accepted connections: after 60 seconds without an acknowledgement a connection is closed;
    and at most 128 KiB of unsent data wait in the kernel, where Linux would take megabytes."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * _GONE_SECONDS)
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)


def stop_admitting(listener: socket.socket) -> None:
    """Drop the first packet of every new connection; who is connected or about to be is not touched.

    Closing a listener resets whoever was connected and not accepted a moment before. After this nobody is: the client's
    system sends its first packet again, within a second, and finds the port closed. Nothing is done elsewhere than on
    Linux, and where the system allows filters to root alone.
    """
    if sys.platform == "linux":
        code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in _DROP_NEW))
        program = struct.pack("HP", len(_DROP_NEW), ctypes.addressof(code))
        with suppress(PermissionError):
            listener.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)


def _port_refusal(host: str, port: int, error: OSError) -> Refusal:
    if error.errno == errno.EADDRINUSE:
        return Refusal(f"Port {port} of {host} is taken by another program: choose another one with --port.")
    return Refusal(f"Port {port} of {host} cannot be had: {_reason(error)}.")


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def listening_sockets(where: str | None, listener: socket.socket) -> tuple[list[socket.socket], str]:
    """The sockets to listen on, and where other processes reach one of them: `10.0.0.5:8001`.

    `where` is a host, by default this machine alone, or a host and a port: the listener's own, or one more.
    """
    host, _, port = (where or "").rpartition(":") if ":" in (where or "") else (where or "127.0.0.1", "", "0")
    if int(port) == listener.getsockname()[1]:
        return [listener], f"{host}:{port}"
    own = bound_socket(host.strip("[]"), int(port))
    return [listener, own], f"{host}:{own.getsockname()[1]}"


def address(listener: socket.socket) -> str:
    """The address a client on this machine uses: `http://127.0.0.1:8000`."""
    host, port = listener.getsockname()[:2]
    shown = _WILDCARDS.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"
