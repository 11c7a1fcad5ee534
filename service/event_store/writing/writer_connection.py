"""The writer's connection to the database, renewed when lost, and the fence of its commits.

The fence knows the leases as the writer read them; its commits fail once the leases have changed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

from psycopg import Connection

from service.event_store.connections import connect, is_alive, shut_off, unavailability
from service.event_store.errors import Fenced, NotLeased, StoreUnavailable
from service.event_store.writing.pipeline import NotPipelined
from service.event_store.writing.rows import Append, Outcome, commit

_READ = "SELECT epoch, ARRAY(SELECT slot FROM leases WHERE process = %s) FROM log"
_TRIES = 20


class Fence:
    """The log's epoch as this writer read it, and the slots leased to its process at that epoch.

    Leases change only together with the epoch, and every append checks the epoch under the log's row lock.
    `process`: None for a writer without leases, whose appends need none.
    """

    def __init__(self) -> None:
        self.process: int | None = None
        self.epoch = -1
        self._slots: frozenset[int] = frozenset()

    def read(self, connection: Connection[Any]) -> None:
        """Read epoch and leases."""
        row = connection.execute(_READ, (self.process,)).fetchone()
        if row is None:
            raise ValueError("the log has lost its row")
        self.epoch, self._slots = int(row[0]), frozenset(row[1])

    def admits(self, append: Append) -> bool:
        """Whether the append needs no lease, or its slot is leased to us."""
        return append.slot is None or append.slot in self._slots

    def commit(self, connection: Connection[Any], appends: Sequence[Append], *, refused: bool = False) -> list[Outcome]:
        """Store these appends, in order; NotLeased for those whose slot is another's. Raises what `commit` raises.

        `refused`: they were refused all at once before, so they go one by one.
        """
        if not all(map(self.admits, appends)):
            self.read(connection)
        for _ in range(_TRIES):
            try:
                return self._commit_admitted(connection, appends, refused)
            except Fenced:
                self.read(connection)
        raise Fenced

    def _commit_admitted(self, connection: Connection[Any], appends: Sequence[Append], refused: bool) -> list[Outcome]:
        admitted = [append for append in appends if self.admits(append)]
        stored = iter(commit(connection, self.epoch, admitted, refused=refused) if admitted else ())
        return [next(stored) if self.admits(append) else NotLeased(append.slot) for append in appends]


_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.25  # seconds: a standby may be promoted at any moment
# Positions follow the order in which the log's row is locked, which needs READ COMMITTED. A writer that hangs within a
# transaction must not hold the row for ever, nor must others wait for it for ever.
_SETTINGS = """
SET default_transaction_isolation = 'read committed';
SET idle_in_transaction_session_timeout = '10s';
SET lock_timeout = '15s'
"""
R = TypeVar("R")


class WriterConnection:
    """The writer's connection, used by one thread at a time."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: Connection[Any] | None = None
        self._pause = _FIRST_PAUSE
        self._not_before = 0.0
        self._in_use_since: float | None = None
        self.fence = Fence()

    @property
    def backend(self) -> int:
        """The number of the server process; 0 while not connected."""
        connection = self._connection
        return 0 if connection is None or connection.closed else connection.info.backend_pid

    def open(self) -> None:
        """Connect and read the epoch, which stays through reconnections."""
        connection = self._current_connection()
        with unavailability():
            self.fence.read(connection)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    def use(self, work: Callable[[Connection[Any]], R]) -> R:
        """Run this on a working connection; raises StoreUnavailable, after which the next use reconnects."""
        connection = self._current_connection()
        with self.in_use(connection):
            return work(connection)

    @property
    def standing(self) -> Connection[Any] | None:
        """The connection, if it works; does not reconnect."""
        connection = self._connection
        return connection if connection is not None and is_alive(connection) else None

    @contextmanager
    def in_use(self, connection: Connection[Any]) -> Iterator[None]:
        """Any error in the block closes the connection; losing it raises StoreUnavailable."""
        self._in_use_since = monotonic()
        try:
            with unavailability():
                yield
        except NotPipelined:
            raise
        except BaseException:
            connection.close()
            raise
        finally:
            self._in_use_since = None

    def relieve(self, seconds: float) -> None:
        """From another thread: end a use that lasts longer than `seconds`, with StoreUnavailable."""
        since, connection = self._in_use_since, self._connection
        if since is not None and connection is not None and monotonic() - since > seconds:
            shut_off(connection)

    def _current_connection(self) -> Connection[Any]:
        if self._connection is None or not is_alive(self._connection):
            self.close()
            self._connection = self._reconnect()
        return self._connection

    def _reconnect(self) -> Connection[Any]:
        """A new connection; within the pause after a failure raises StoreUnavailable at once."""
        if monotonic() < self._not_before:
            raise StoreUnavailable("The database does not answer; it will be asked again in a moment.")
        try:
            connection = _prepared_connection(self._conninfo)
        except StoreUnavailable:
            self._not_before = monotonic() + self._pause
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            raise
        self._pause = _FIRST_PAUSE
        return connection


def _prepared_connection(conninfo: str) -> Connection[Any]:
    connection = connect(conninfo, "writer")
    connection.prepare_threshold = None  # else psycopg drops all prepared statements, the pipeline's too, on rollback
    with unavailability():
        connection.execute(_SETTINGS)
    return connection
