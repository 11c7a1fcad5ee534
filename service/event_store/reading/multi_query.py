"""Reads of several queries, written once for blocking and for async connections."""

from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from psycopg import Connection

from service.event_store.connections import Rows, unavailability

R = TypeVar("R")
MultiQuery = Generator[tuple[str, Sequence[Any]], Rows, R]
"""A generator that yields statements with parameters, is sent their rows, and returns the result."""


def run_query(connection: Connection[Any], asked: MultiQuery[R]) -> R:
    """Run the reads on this connection; their result. Raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        try:
            sql, params = next(asked)
            while True:
                rows = cursor.execute(sql.encode(), params, prepare=True).fetchall()
                sql, params = asked.send(rows)
        except StopIteration as end:
            found: R = end.value
            return found
