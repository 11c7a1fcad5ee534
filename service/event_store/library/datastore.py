"""The log as blocking code in many threads uses it: a group writer whose answers are waited for, and a pool."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import psycopg
from eventsourcing import persistence as library

from service.event_store.connections import Rows, blocking_pool_of, unavailability
from service.event_store.errors import DuplicateCompanion, StaleVersion, StoreUnavailable
from service.event_store.writing.rows import Append, Row
from service.event_store.writing.writer import Answer, Writer
from service.event_store.writing.writer_connection import Line


@contextmanager
def library_errors() -> Iterator[None]:
    """Our errors and the driver's as the library's, so that its callers and its retries know them."""
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


class LogDatastore:
    """One database's log. Opened at once; raises the library's OperationalError when the database is not there."""

    def __init__(self, conninfo: str) -> None:
        self.conninfo = conninfo
        self._writer = Writer(Line(conninfo), _deliver)
        self._pool = blocking_pool_of(conninfo, size=8, patience=10.0)
        with library_errors():
            self._writer.open()
            self._pool.open()

    def insert(self, rows: Sequence[Row]) -> int:
        """Append rows with whatever else has queued; the position of the last, once durable."""
        answer: Future[int] = Future()
        with library_errors():
            self._writer.submit(Append(tuple(rows)), answer)
            return answer.result()

    def select(self, sql: str, params: Sequence[Any]) -> Rows:
        """The rows of a reading statement."""
        with library_errors(), self._pool.connection() as connection, connection.cursor(binary=True) as cursor:
            return cursor.execute(sql.encode(), params).fetchall()

    def close(self) -> None:
        """Commit what has queued and let the connections go."""
        self._writer.close()
        self._pool.close()


def _deliver(answers: list[Answer]) -> None:
    for future, outcome in answers:
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
