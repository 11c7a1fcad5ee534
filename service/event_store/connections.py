"""Connections to PostgreSQL: opening, the pool of readers, a lost, silent or replaced server.

Behind a pooler in transaction mode only a transaction has a server to itself. State that lives longer (advisory locks,
`LISTEN`, settings of a session, prepared statements) goes over the direct address: `session_url` of the settings.
"""

import asyncio
import select
import socket
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from time import monotonic
from typing import Any

import psycopg
import structlog
from psycopg import AsyncConnection, Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus

from service.event_store.errors import SessionsPooled, StoreUnavailable
from service.telemetry.background import end_process, start_task, start_thread

_DEFAULTS = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "tcp_user_timeout": 15_000}
_EACH_OF_SEVERAL = {"connect_timeout": 2}
"""Each host of an address is waited for by itself: one that hangs must leave time for the next."""
MISTAKES = (psycopg.ProgrammingError, psycopg.DataError, psycopg.IntegrityError, psycopg.NotSupportedError)
"""Broken constraints, wrong SQL, values that do not fit: errors of the statement, not of the database."""
NOT_THERE = (StoreUnavailable, psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn)
"""Errors of a replica that is gone, or has not replayed the last migration yet."""
Rows = list[tuple[Any, ...]]
_log = structlog.get_logger("store")


def conninfo_with_defaults(conninfo: str, purpose: str) -> str:
    """The connection string with our timeouts and name as defaults."""
    parameters = conninfo_to_dict(conninfo)
    several = _EACH_OF_SEVERAL if any("," in str(parameters.get(name, "")) for name in ("host", "hostaddr")) else {}
    defaults: dict[str, Any] = {**_DEFAULTS, **several, "application_name": f"kibitz {purpose}"}
    return make_conninfo(**{**defaults, **parameters})


def connect(conninfo: str, purpose: str) -> Connection[Any]:
    """A blocking connection in autocommit mode; raises StoreUnavailable."""
    with unavailability():
        return psycopg.connect(conninfo_with_defaults(conninfo, purpose), autocommit=True)


@contextmanager
def open_connection(conninfo: str, purpose: str) -> Iterator[Connection[Any]]:
    """A blocking connection for the block; losing it there raises StoreUnavailable, too.

    OSErrors of the block pass: an unwritable file or a gone reader is not the database's fault.
    """
    with unavailability((psycopg.Error,)), connect(conninfo, purpose) as connection:
        yield connection


def is_pooled(connection: Connection[Any]) -> bool:
    """Whether the connection goes through a pooler: the pid announced at connecting is not the server's own."""
    row = connection.execute("SELECT pg_backend_pid()").fetchone()
    return row is not None and int(row[0]) != connection.info.backend_pid


def require_sessions(conninfo: str) -> None:
    """Raises SessionsPooled where a pooler answers at this address, or StoreUnavailable."""
    with open_connection(conninfo, "check") as connection:
        if is_pooled(connection):
            raise SessionsPooled(
                "A pooler answers at DATABASE_URL, and some connections need sessions of their own: name the "
                "database's direct address in KIBITZ_SESSION_URL (or this one again, if the pooler keeps sessions)."
            )


@contextmanager
def unavailability(kinds: tuple[type[Exception], ...] = (psycopg.Error, OSError)) -> Iterator[None]:
    """Raises StoreUnavailable for errors of `kinds`: a database that is gone, stopping, full or read-only.

    MISTAKES pass unchanged: they are errors of this program.
    """
    try:
        yield
    except MISTAKES:
        raise
    except kinds as error:
        raise StoreUnavailable(f"The database does not answer: {sentence(error)}") from error


def sentence(error: Exception) -> str:
    """The first line of the driver's message."""
    return (str(error) or type(error).__name__).splitlines()[0]


def is_alive(connection: Connection[Any] | AsyncConnection[Any]) -> bool:
    """Whether an idle connection is usable; without a round trip, for a lost server leaves the socket readable.

    Any other message that no statement caused counts as lost, too: a new connection is cheap.
    """
    try:
        readable = select.poll()
        readable.register(connection.fileno(), select.POLLIN)
        return not readable.poll(0)
    except (psycopg.Error, OSError):
        return False


SILENCE = 20.0
"""Seconds: longer than the writer waits for the log's row, and than a flush to a busy disk takes."""


def shut_off(connection: Connection[Any] | AsyncConnection[Any]) -> None:
    """Shut the connection down, from any thread; its user sees it as closed by the server."""
    with suppress(psycopg.Error, OSError):
        wire = socket.socket(fileno=connection.fileno())
        try:
            wire.shutdown(socket.SHUT_RDWR)
        finally:
            wire.detach()


LOOK = 1.0
"""Seconds between two checks whether a statement is under way."""
_LOOKS = 5
"""After so many checks in a row that find one, the address is asked whether its server has the connection."""
_HAS_CONNECTION = "SELECT FROM pg_stat_activity WHERE pid = %s AND application_name = %s"


@contextmanager
def left_once_replaced(connection: Connection[Any] | AsyncConnection[Any], conninfo: str) -> Iterator[None]:
    """For the block: shut the connection down once the server at its address does not have it.

    A server that hangs while another has its place would be waited for as long as it hangs. A statement may take as
    long as it likes while its own server is the one that answers.
    """
    over, info = threading.Event(), connection.info
    identity = (info.backend_pid, info.parameter_status("application_name"))

    def watch() -> None:
        busy = 0
        while not over.wait(LOOK):
            busy = busy + 1 if connection.pgconn.transaction_status == TransactionStatus.ACTIVE else 0
            if busy >= _LOOKS and not _has_connection(conninfo, identity) and not over.is_set():
                _log.warning("silent server was replaced", backend=identity[0])
                shut_off(connection)
                return

    start_thread(watch, "replaced")
    try:
        yield
    finally:
        over.set()


def _has_connection(conninfo: str, identity: tuple[Any, ...]) -> bool:
    """Whether the server that answers has this connection; also if none answers."""
    with suppress(StoreUnavailable, psycopg.Error), open_connection(conninfo, "watch") as fresh:
        return fresh.execute(_HAS_CONNECTION, identity).fetchone() is not None
    return True


_PREPARED_AFTER = 5  # uses of a statement: psycopg's default
_PAUSE = 0.05  # seconds between two attempts to connect
_AGE = 3600.0  # seconds after which a connection is replaced
_CHECK = 1.0  # seconds between two checks of the connections that are lent


class Pool:
    """Up to `size` connections for reading on one event loop; raises StoreUnavailable after `patience` seconds.

    A borrower may be cancelled at any await and loses no connection: giving one back awaits nothing. (psycopg's
    asynchronous pool awaits its lock, and loses the connection of a borrower that is cancelled meanwhile.) Tasks of the
    pool make connections, and a borrower takes the first that is idle: a new one, or one that came back.
    """

    def __init__(self, conninfo: str, size: int, patience: float, silence: float, *, prepared: bool = True) -> None:
        """`silence`: seconds after which a borrowed connection is shut down. Without `prepared` no statement is
        prepared: behind a pooler the next use may be on another server connection."""
        self._conninfo, self._patience, self._silence = conninfo_with_defaults(conninfo, "reader"), patience, silence
        self._prepare_threshold = _PREPARED_AFTER if prepared else None
        self._size, self._free = size, asyncio.Semaphore(size)
        self._idle: list[tuple[float, AsyncConnection[Any]]] = []
        self._tasks, self._changed = set[asyncio.Task[None]](), asyncio.Event()
        self._lent, self._waiting, self._connecting = 0, 0, 0
        self._moved_at, self._is_closed = monotonic(), False
        self._counts = Counter[str]()

    async def open(self) -> None:
        """Begin to watch; connections are made when they are needed."""
        self._watching = start_task(self._end_if_stuck, "pool")

    async def close(self) -> None:
        """Close every connection; a lent one when it comes back."""
        self._is_closed = True
        self._changed.set()
        for task in (self._watching, *self._tasks):
            task.cancel()
        while self._idle:
            self._idle.pop()[1].pgconn.finish()

    def stats(self) -> dict[str, int]:
        """Counts of requests, of waits and their time, of errors; connections, and how many of them are idle."""
        available = len(self._idle)
        return {**self._counts, "pool_size": available + self._lent, "pool_available": available}

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection[Any]]:
        """A connection for the block, shut down if that takes more than `silence` seconds."""
        with unavailability():
            made_at, connection = await self._take()
            timer = asyncio.get_running_loop().call_later(self._silence, shut_off, connection)
            try:
                yield connection
            finally:
                timer.cancel()
                self._lent -= 1
                if self._is_closed or connection.pgconn.transaction_status != TransactionStatus.IDLE:
                    connection.pgconn.finish()
                else:
                    self._idle.append((made_at, connection))
                self._release_place()

    async def _take(self) -> tuple[float, AsyncConnection[Any]]:
        """An idle connection and when it was made. No await is between the last one here and the borrower's `try`."""
        began = monotonic()
        self._counts["requests_num"] += 1
        self._counts["requests_queued"] += self._free.locked()
        try:
            async with asyncio.timeout(self._patience):
                await self._free.acquire()
                self._counts["requests_wait_ms"] += int((monotonic() - began) * 1000)
                self._waiting += 1
                try:
                    while (lent := self._take_idle()) is None:
                        self._begin_to_connect()
                        self._changed.clear()
                        await self._changed.wait()
                except BaseException:
                    self._release_place()
                    raise
                finally:
                    self._waiting -= 1
        except TimeoutError:
            self._counts["requests_errors"] += 1
            raise psycopg.OperationalError(f"no connection within {self._patience:g} s") from None
        self._lent, self._moved_at = self._lent + 1, monotonic()
        return lent

    def _take_idle(self) -> tuple[float, AsyncConnection[Any]] | None:
        """The idle connection that was used last; lost and old ones are closed."""
        while self._idle:
            made_at, connection = self._idle.pop()
            if is_alive(connection) and monotonic() - made_at < _AGE:
                return made_at, connection
            connection.pgconn.finish()
        return None

    def _begin_to_connect(self) -> None:
        """Begin to make a connection, unless enough are on the way; raises OperationalError once closed."""
        if self._is_closed:
            raise psycopg.OperationalError("the pool is closed")
        if self._connecting < min(self._waiting, self._size - self._lent):
            self._connecting += 1
            self._tasks.add(task := asyncio.create_task(self._connect()))
            task.add_done_callback(self._tasks.discard)

    async def _connect(self) -> None:
        """Add a new connection, tried again while a reader waits: readers see no restart of the server."""
        try:
            while self._waiting:
                try:
                    connection = await AsyncConnection.connect(
                        self._conninfo, autocommit=True, prepare_threshold=self._prepare_threshold
                    )
                except (psycopg.Error, OSError):
                    await asyncio.sleep(_PAUSE)
                else:
                    self._idle.append((monotonic(), connection))
                    self._changed.set()
                    return
        finally:  # a callback would run one turn of the loop later, and readers until then wait for this ended task
            self._connecting -= 1

    def _release_place(self) -> None:
        self._moved_at = monotonic()
        self._free.release()
        self._changed.set()

    async def _end_if_stuck(self) -> None:
        """End the process when every connection stays lent for too long though the database answers.

        Its supervisor starts another process, which can read.
        """
        while True:
            await asyncio.sleep(_CHECK)
            if self._lent == self._size and monotonic() - self._moved_at > self._silence + self._patience:
                with suppress(psycopg.OperationalError):
                    await (await AsyncConnection.connect(self._conninfo)).close()
                    end_process("no connection to the database came back to its pool, though the database answers")
