"""Connections to PostgreSQL as the event store needs them, and the errors of losing one.

Behind a pooler in transaction mode only a transaction has a server to itself. State that lives longer (advisory locks,
`LISTEN`, settings of a session, prepared statements) goes over the direct address: `session_url` of the settings.
"""

import asyncio
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection, Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import AsyncConnectionPool, ConnectionPool

from service.event_store.errors import SessionsPooled, StoreUnavailable

_DEFAULTS = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "tcp_user_timeout": 15_000}
_EACH_OF_SEVERAL = {"connect_timeout": 2}
"""Each host of an address is waited for by itself: one that hangs must leave time for the next."""
MISTAKES = (psycopg.ProgrammingError, psycopg.DataError, psycopg.IntegrityError, psycopg.NotSupportedError)
"""Broken constraints, wrong SQL, values that do not fit: errors of the statement, not of the database."""
NOT_THERE = (StoreUnavailable, psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn)
"""Errors of a replica that is gone, or has not replayed the last migration yet."""
Rows = list[tuple[Any, ...]]


def conninfo_with_defaults(conninfo: str, purpose: str) -> str:
    """The connection string with our timeouts and name as defaults."""
    given = conninfo_to_dict(conninfo)
    several = _EACH_OF_SEVERAL if any("," in str(given.get(name, "")) for name in ("host", "hostaddr")) else {}
    defaults: dict[str, Any] = {**_DEFAULTS, **several, "application_name": f"kibitz {purpose}"}
    return make_conninfo(**{**defaults, **given})


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
    """Whether there is a pooler in between: the pid announced at connecting is not the server's own."""
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

    MISTAKES pass unchanged: they are ours, and must be seen.
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

    Any other unasked message counts as lost, too: a new connection is cheap.
    """
    try:
        return not connection.closed and not _is_readable(connection.fileno())
    except (psycopg.Error, OSError):
        return False


def _is_readable(socket: int) -> bool:
    if not hasattr(select, "poll"):  # Windows; it has no low limit on descriptors either
        return bool(select.select([socket], [], [], 0)[0])
    waiting = select.poll()
    waiting.register(socket, select.POLLIN)
    return bool(waiting.poll(0))


# The pool checks a connection before it lends it (`check`), so that readers do not see a server's restart. Attempts to
# reconnect are given up early: the next reader then starts a new one, instead of waiting for a long pause to end.
_RECONNECT_TIMEOUT = 0.25  # seconds


_PREPARED_AFTER = 5  # uses of a statement: psycopg's default


def pool_of(
    conninfo: str, size: int, patience: float, *, prepared: bool = True
) -> AsyncConnectionPool[AsyncConnection[Any]]:
    """A pool for reading, not yet open: up to `size` connections; a reader waits `patience` seconds for one.

    Without `prepared` no statement is prepared: behind a pooler the next use may be on another server connection.
    """
    return AsyncConnectionPool(
        conninfo_with_defaults(conninfo, "reader"),
        kwargs={"autocommit": True, "prepare_threshold": _PREPARED_AFTER if prepared else None},
        min_size=1,
        max_size=size,
        open=False,
        check=_check_alive,
        timeout=patience,
        reconnect_timeout=_RECONNECT_TIMEOUT,
    )


def blocking_pool_of(conninfo: str, size: int, patience: float) -> ConnectionPool[Connection[Any]]:
    """The same for threads."""
    return ConnectionPool(
        conninfo_with_defaults(conninfo, "reader"),
        kwargs={"autocommit": True},
        min_size=1,
        max_size=size,
        open=False,
        check=_check_alive_blocking,
        timeout=patience,
        reconnect_timeout=_RECONNECT_TIMEOUT,
    )


async def _check_alive(connection: AsyncConnection[Any]) -> None:
    if not is_alive(connection):
        await connection.close()
        raise psycopg.OperationalError("the server has closed the connection")


def _check_alive_blocking(connection: Connection[Any]) -> None:
    if not is_alive(connection):
        connection.close()
        raise psycopg.OperationalError("the server has closed the connection")


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
