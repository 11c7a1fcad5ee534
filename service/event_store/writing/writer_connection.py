"""The writer's line to the database: one connection, renewed when it is lost, and the fence it writes behind.

The fence is what a writer knows of the leases, and the commit that holds only while they stand so.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

from psycopg import Connection

from service.event_store.connections import alive, connect, unavailability
from service.event_store.errors import Fenced, NotLeased, StoreUnavailable
from service.event_store.silence import shut_off
from service.event_store.writing.batch import Outcome, commit
from service.event_store.writing.pipeline import Grounded
from service.event_store.writing.rows import Append

_READ = "SELECT epoch, ARRAY(SELECT slot FROM leases WHERE process = %s) FROM log"
_TRIES = 20


class Fence:
    """The log's epoch as this writer read it, and the slots that were leased to its process then.

    Leases change only together with the epoch, and every append finds out under the log's row lock whether the epoch
    still stands. `process` is None for a writer that has no leases: it appends what needs none.
    """

    def __init__(self) -> None:
        self.process: int | None = None
        self.epoch = -1
        self._slots: frozenset[int] = frozenset()

    def read(self, connection: Connection[Any]) -> None:
        """How the leases stand now."""
        row = connection.execute(_READ, (self.process,)).fetchone()
        if row is None:
            raise ValueError("the log has lost its row")
        self.epoch, self._slots = int(row[0]), frozenset(row[1])

    def admits(self, append: Append) -> bool:
        """Whether the append needs no lease, or its slot is leased to us."""
        return append.slot is None or append.slot in self._slots

    def commit(self, connection: Connection[Any], appends: Sequence[Append], *, refused: bool = False) -> list[Outcome]:
        """Store these appends, in order; NotLeased for those whose slot is another's. Raises what `commit` raises.

        `refused`: all at once they were, and are not tried so again.
        """
        if not all(map(self.admits, appends)):
            self.read(connection)
        for _ in range(_TRIES):
            try:
                return self._committed(connection, appends, refused)
            except Fenced:
                self.read(connection)
        raise Fenced

    def _committed(self, connection: Connection[Any], appends: Sequence[Append], refused: bool) -> list[Outcome]:
        admitted = [append for append in appends if self.admits(append)]
        stored = iter(commit(connection, self.epoch, admitted, refused=refused) if admitted else ())
        return [next(stored) if self.admits(append) else NotLeased(append.slot) for append in appends]


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
    """A connection for one thread."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: Connection[Any] | None = None
        self._pause = _FIRST_PAUSE
        self._not_before = 0.0
        self._in_use_since: float | None = None
        self.fence = Fence()

    @property
    def backend(self) -> int:
        """The number of the server process at the other end, 0 while there is none."""
        connection = self._connection
        return 0 if connection is None or connection.closed else connection.info.backend_pid

    def open(self) -> None:
        """Connect and learn the epoch, which is then kept through every reconnection."""
        connection = self._connected()
        with unavailability():
            self.fence.read(connection)

    def close(self) -> None:
        """Give the connection up."""
        if self._connection is not None:
            self._connection.close()

    def use(self, work: Callable[[Connection[Any]], R]) -> R:
        """Do this on a connection that stands; raises StoreUnavailable, and then the next use gets a new one."""
        connection = self._connected()
        with self.used(connection):
            return work(connection)

    @property
    def standing(self) -> Connection[Any] | None:
        """The connection, if it stands; nobody is asked for a new one."""
        connection = self._connection
        return connection if connection is not None and alive(connection) else None

    @contextmanager
    def used(self, connection: Connection[Any]) -> Iterator[None]:
        """Whatever goes wrong in the block ends the connection; losing it is StoreUnavailable."""
        self._in_use_since = monotonic()
        try:
            with unavailability():
                yield
        except Grounded:
            raise
        except BaseException:
            connection.close()
            raise
        finally:
            self._in_use_since = None

    def relieve(self, seconds: float) -> None:
        """From another thread: a use that has lasted longer than this ends with StoreUnavailable."""
        since, connection = self._in_use_since, self._connection
        if since is not None and connection is not None and monotonic() - since > seconds:
            shut_off(connection)

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
    connection.prepare_threshold = None  # else psycopg drops every prepared statement after a rollback, the wire's, too
    with unavailability():
        connection.execute(_SETTINGS)
    return connection
