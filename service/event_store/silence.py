"""How long a database may stay silent before its connections are shut off.

A server that died has closed its sockets. A frozen one, or one with a frozen disk, keeps them open without answering,
and a statement would wait for ever.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection, Connection

SILENCE = 20.0
"""Seconds: longer than the writer waits for the log's row, and than a flush to a busy disk takes."""


def shut_off(connection: Connection[Any] | AsyncConnection[Any]) -> None:
    """Shut the connection down, from any thread; for a waiting user the server has closed it."""
    with suppress(psycopg.Error, OSError):
        wire = socket.socket(fileno=connection.fileno())
        try:
            wire.shutdown(socket.SHUT_RDWR)
        finally:
            wire.detach()


@contextmanager
def shut_off_after(connection: AsyncConnection[Any], seconds: float) -> Iterator[None]:
    """Shut the connection down if the block takes more than `seconds`."""
    timer = asyncio.get_running_loop().call_later(seconds, shut_off, connection)
    try:
        yield
    finally:
        timer.cancel()
