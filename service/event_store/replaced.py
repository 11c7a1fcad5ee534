"""A server that hangs while another has its place: who waits for its answer would wait as long as it hangs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import psycopg
import structlog
from psycopg import AsyncConnection, Connection
from psycopg.pq import TransactionStatus

from service.event_store.connections import open_connection, shut_off
from service.event_store.errors import StoreUnavailable
from service.telemetry.background import start_thread

LOOK = 1.0
"""Seconds between two looks whether a statement is under way."""
_LOOKS = 5
"""So many in a row that find one, and the address is asked whose it is."""
_KNOWN = "SELECT FROM pg_stat_activity WHERE pid = %s AND application_name = %s"
_log = structlog.get_logger("store")


@contextmanager
def left_once_replaced(connection: Connection[Any] | AsyncConnection[Any], conninfo: str) -> Iterator[None]:
    """For the block: shut the connection down once the server at its address knows nothing of it.

    A statement may take as long as it likes, as long as its own server is the one that answers.
    """
    over, info = threading.Event(), connection.info
    said = (info.backend_pid, info.parameter_status("application_name"))
    start_thread(partial(_watch, connection, conninfo, said, over), "replaced")
    try:
        yield
    finally:
        over.set()


def _watch(
    connection: Connection[Any] | AsyncConnection[Any], conninfo: str, said: tuple[Any, ...], over: threading.Event
) -> None:
    looks = 0
    while not over.wait(LOOK):
        under_way = connection.pgconn.transaction_status == TransactionStatus.ACTIVE
        looks = looks + 1 if under_way else 0
        if looks >= _LOOKS and not _is_known(conninfo, said) and not over.is_set():
            _log.warning("silent server was replaced", backend=said[0])
            return shut_off(connection)
    return None


def _is_known(conninfo: str, said: tuple[Any, ...]) -> bool:
    """Whether the server that answers has this connection; also if none answers."""
    with suppress(StoreUnavailable, psycopg.Error), open_connection(conninfo, "watch") as fresh:
        return fresh.execute(_KNOWN, said).fetchone() is not None
    return True
