"""The log for blocking code in threads: with connections of its own, or those of a running `EventStore`."""

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import psycopg
from eventsourcing import persistence as library
from psycopg import Connection

from service.event_store.connections import Rows, connect, is_alive, unavailability
from service.event_store.errors import DuplicateCompanion, StaleVersion, StoreUnavailable
from service.event_store.writing.rows import Append, Companion, Row
from service.event_store.writing.writer import Answer, Writer
from service.event_store.writing.writer_connection import WriterConnection

if TYPE_CHECKING:
    from service.event_store.store import EventStore

R = TypeVar("R")


class Log(Protocol):
    """What the library's recorders need of a log."""

    def insert(self, rows: Sequence[Row], companions: Sequence[Companion] = ()) -> int:
        """Append rows, and companions with them; the position of the last, once durable."""

    def select(self, sql: str, params: Sequence[Any]) -> Rows:
        """The rows of a reading statement."""

    def listen(self) -> str:
        """The database's address, for a listening connection."""

    def close(self) -> None:
        """Commit what has queued and close the connections."""


@contextmanager
def library_errors() -> Iterator[None]:
    """Turns our errors and the driver's into the library's, which its callers and retries expect."""
    try:
        with unavailability():
            yield
    except (StaleVersion, DuplicateCompanion, psycopg.IntegrityError) as error:
        raise library.IntegrityError(str(error)) from error
    except StoreUnavailable as error:
        raise library.OperationalError(str(error)) from error
    except psycopg.DataError as error:
        raise library.DataError(str(error)) from error
    except psycopg.ProgrammingError as error:
        raise library.ProgrammingError(str(error)) from error


class OwnLog:
    """One database's log, with a group writer, a connection for each thread that reads, and the library's errors.

    Opened at once; raises the library's OperationalError when the database is not there.
    """

    def __init__(self, conninfo: str) -> None:
        self.conninfo = conninfo
        self._writer = Writer(WriterConnection(conninfo), _deliver)
        self._idle: list[Connection[Any]] = []
        with library_errors():
            self._writer.open()

    def insert(self, rows: Sequence[Row], companions: Sequence[Companion] = ()) -> int:
        answer: Future[int] = Future()
        with library_errors():
            self._writer.submit(Append(tuple(rows), tuple(companions)), answer)
            return answer.result()

    def select(self, sql: str, params: Sequence[Any]) -> Rows:
        with library_errors():
            connection = self._connection()
            try:
                with connection.cursor(binary=True) as cursor:
                    return cursor.execute(sql.encode(), params).fetchall()
            finally:
                self._idle.append(connection)

    def _connection(self) -> Connection[Any]:
        with suppress(IndexError):
            while not is_alive(connection := self._idle.pop()):
                connection.close()
            return connection
        return connect(self.conninfo, "reader")

    def listen(self) -> str:
        return self.conninfo

    def close(self) -> None:
        self._writer.close()
        while self._idle:
            self._idle.pop().close()


class SharedLog:
    """The log of a running `EventStore`, for threads beside its event loop: its group writer, its pool, its errors.

    The store's errors are not turned into the library's, whose retries would only delay the answer.
    """

    def __init__(self, store: "EventStore") -> None:
        self._store = store

    def insert(self, rows: Sequence[Row], companions: Sequence[Companion] = ()) -> int:
        return self._wait_for(self._store.append_rows(rows, companions))

    def select(self, sql: str, params: Sequence[Any]) -> Rows:
        return self._wait_for(self._store.query(sql, params))

    def listen(self) -> str:
        return self._store.session

    def close(self) -> None:
        """Does nothing: the store belongs to its opener."""

    def _wait_for(self, work: Coroutine[Any, Any, R]) -> R:
        return asyncio.run_coroutine_threadsafe(work, self._store.loop).result()


def _deliver(answers: list[Answer]) -> None:
    for future, outcome in answers:
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
