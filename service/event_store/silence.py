"""How long a database may stay silent: whoever waits on a connection is then let go.

A server that died has closed its sockets. One that is frozen, or whose disk is, keeps them open and says nothing, and
a statement sent to it would wait for ever.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection, Connection

SILENCE = 20.0
"""Seconds: more than the writer waits for the log's row, and than a busy disk takes for a flush."""


def shut_off(connection: Connection[Any] | AsyncConnection[Any]) -> None:
    """End the connection under whoever waits on it, from any thread: for him, the server has closed it."""
    with suppress(psycopg.Error, OSError):
        wire = socket.socket(fileno=connection.fileno())
        try:
            wire.shutdown(socket.SHUT_RDWR)
        finally:
            wire.detach()


@contextmanager
def shut_off_after(connection: AsyncConnection[Any], seconds: float) -> Iterator[None]:
    """The block may use the connection for so many seconds."""
    timer = asyncio.get_running_loop().call_later(seconds, shut_off, connection)
    try:
        yield
    finally:
        timer.cancel()
