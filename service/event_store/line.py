"""The writer's line to the database: one connection, renewed when it is lost, and the epoch it writes under."""

from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

from psycopg import Connection

from service.event_store.connections import alive, connect, unavailability
from service.event_store.errors import StoreUnavailable

_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0  # seconds
# Positions follow the order in which the log's row is locked, which only READ COMMITTED allows. A writer that stands
# still within a transaction must not hold the row for ever, nor wait for ever for one that does.
_SETTINGS = """
SET default_transaction_isolation = 'read committed';
SET idle_in_transaction_session_timeout = '10s';
SET lock_timeout = '15s'
"""
R = TypeVar("R")


class Line:
    """A connection for one thread. With `alone`, opening takes the log over and fences every writer before it."""

    def __init__(self, conninfo: str, alone: bool = False) -> None:
        self._conninfo = conninfo
        self._alone = alone
        self._connection: Connection[Any] | None = None
        self._pause = _FIRST_PAUSE
        self._not_before = 0.0
        self.epoch = -1

    def open(self) -> None:
        """Connect and learn or raise the epoch, which is then kept through every reconnection."""
        connection = self._connected()
        with unavailability():
            self.epoch = _taken_over(connection) if self._alone else _epoch(connection)

    def close(self) -> None:
        """Give the connection up."""
        if self._connection is not None:
            self._connection.close()

    def use(self, work: Callable[[Connection[Any]], R]) -> R:
        """Do this on a connection that stands; raises StoreUnavailable, and then the next use gets a new one."""
        connection = self._connected()
        try:
            with unavailability():
                return work(connection)
        except BaseException:
            connection.close()
            raise

    def _connected(self) -> Connection[Any]:
        if self._connection is None or not alive(self._connection):
            self.close()
            self._connection = self._reconnected()
        return self._connection

    def _reconnected(self) -> Connection[Any]:
        """A new connection; within the pause after a failure the answer is no, at once."""
        if monotonic() < self._not_before:
            raise StoreUnavailable("The database does not answer; it will be asked again in a moment.")
        try:
            connection = _prepared(self._conninfo)
        except StoreUnavailable:
            self._not_before = monotonic() + self._pause
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            raise
        self._pause = _FIRST_PAUSE
        return connection


def _prepared(conninfo: str) -> Connection[Any]:
    connection = connect(conninfo, "writer")
    with unavailability():
        connection.execute(_SETTINGS)
    return connection


def _epoch(connection: Connection[Any]) -> int:
    return _one(connection, "SELECT epoch FROM log")


def _taken_over(connection: Connection[Any]) -> int:
    return _one(connection, "UPDATE log SET epoch = epoch + 1 RETURNING epoch")


def _one(connection: Connection[Any], sql: str) -> int:
    row = connection.execute(sql.encode()).fetchone()
    if row is None:
        raise ValueError("the log has lost its row")
    return int(row[0])
