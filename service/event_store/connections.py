"""Connections to PostgreSQL as the event store wants them, and the words for losing one."""

import select
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import AsyncConnection, Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import AsyncConnectionPool, ConnectionPool

from service.event_store.errors import StoreUnavailable

_DEFAULTS = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "tcp_user_timeout": 15_000}
MISTAKES = (psycopg.ProgrammingError, psycopg.DataError, psycopg.IntegrityError, psycopg.NotSupportedError)
"""Broken constraints, wrong SQL, values that do not fit: what the statement is to blame for, not the database."""
Rows = list[tuple[Any, ...]]


def settled(conninfo: str, purpose: str) -> str:
    """The connection string with our patience and name, where it does not say otherwise."""
    defaults: dict[str, Any] = {**_DEFAULTS, "application_name": f"kibitz {purpose}"}
    return make_conninfo(**{**defaults, **conninfo_to_dict(conninfo)})


def connect(conninfo: str, purpose: str) -> Connection[Any]:
    """A blocking connection that commits each statement by itself; raises StoreUnavailable."""
    with unavailability():
        return psycopg.connect(settled(conninfo, purpose), autocommit=True)


@contextmanager
def connected(conninfo: str, purpose: str) -> Iterator[Connection[Any]]:
    """Such a connection for as long as the block; losing it in there is StoreUnavailable, too."""
    with unavailability(), connect(conninfo, purpose) as connection:
        yield connection


@contextmanager
def unavailability() -> Iterator[None]:
    """Turns a database that is gone, stopping, full or read-only into StoreUnavailable.

    Wrong SQL, values that do not fit and broken constraints stay what they are: mistakes of ours, to be seen.
    """
    try:
        yield
    except MISTAKES:
        raise
    except (psycopg.Error, OSError) as error:
        raise StoreUnavailable(f"The database does not answer: {sentence(error)}") from error


def sentence(error: Exception) -> str:
    """The first line of what the driver said."""
    return (str(error) or type(error).__name__).splitlines()[0]


def alive(connection: Connection[Any] | AsyncConnection[Any]) -> bool:
    """Whether an idle connection still stands; no round trip, for a server that went away left word in the socket.

    Whatever a server says unasked to one that does not listen, a new connection is the cheap answer.
    """
    try:
        return not connection.closed and not _has_word(connection.fileno())
    except (psycopg.Error, OSError):
        return False


def _has_word(socket: int) -> bool:
    if not hasattr(select, "poll"):  # Windows; it has no low limit on descriptors either
        return bool(select.select([socket], [], [], 0)[0])
    waiting = select.poll()
    waiting.register(socket, select.POLLIN)
    return bool(waiting.poll(0))


# A connection is looked at before it is lent (`check`), so that a restarted server costs no reader an error. Attempts
# to reconnect are given up early: the next reader then starts a new one, instead of waiting for a long pause to end.
_RECONNECT_TIMEOUT = 1.0  # seconds


def pool_of(conninfo: str, size: int, patience: float) -> AsyncConnectionPool[AsyncConnection[Any]]:
    """A pool for reading, not yet open: up to `size` connections; a reader waits `patience` seconds for one."""
    return AsyncConnectionPool(
        settled(conninfo, "reader"),
        kwargs={"autocommit": True},
        min_size=1,
        max_size=size,
        open=False,
        check=_looked_at,
        timeout=patience,
        reconnect_timeout=_RECONNECT_TIMEOUT,
    )


def blocking_pool_of(conninfo: str, size: int, patience: float) -> ConnectionPool[Connection[Any]]:
    """The same for threads."""
    return ConnectionPool(
        settled(conninfo, "reader"),
        kwargs={"autocommit": True},
        min_size=1,
        max_size=size,
        open=False,
        check=_looked,
        timeout=patience,
        reconnect_timeout=_RECONNECT_TIMEOUT,
    )


async def _looked_at(connection: AsyncConnection[Any]) -> None:
    if not alive(connection):
        await connection.close()
        raise psycopg.OperationalError("the server has closed the connection")


def _looked(connection: Connection[Any]) -> None:
    if not alive(connection):
        connection.close()
        raise psycopg.OperationalError("the server has closed the connection")
