"""Reads of several queries, written once for blocking and for async connections."""

from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from psycopg import Connection

from service.event_store.connections import Rows, unavailability

R = TypeVar("R")
Asked = Generator[tuple[str, Sequence[Any]], Rows, R]
"""Yields a statement and its parameters, is sent the rows, and returns what was read."""


def answered(connection: Connection[Any], asked: Asked[R]) -> R:
    """What is read by this connection; raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        try:
            sql, params = next(asked)
            while True:
                rows = cursor.execute(sql.encode(), params, prepare=True).fetchall()
                sql, params = asked.send(rows)
        except StopIteration as end:
            found: R = end.value
            return found
