"""Every game of the store, packed or not, in the order of opening."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from psycopg import Connection

from service.event_store.connections import unavailability

_OPENED = """
(SELECT position, stream FROM events WHERE version = 1 AND topic = 'game/opened' AND position > %(after)s
 ORDER BY position LIMIT %(most)s)
UNION
(SELECT first_position, game FROM packed_games WHERE first_position > %(after)s ORDER BY first_position LIMIT %(most)s)
ORDER BY 1 LIMIT %(most)s
"""
_PAGE = 1000


def all_games(connection: Connection[Any], after: int = 0) -> Iterator[tuple[int, UUID]]:
    """Position of the opening and id of every game that was opened behind this position; raises StoreUnavailable.

    A game that is packed meanwhile is not left out, and not told twice.
    """
    while found := _page(connection, after):
        yield from found
        after = found[-1][0]


def _page(connection: Connection[Any], after: int) -> list[tuple[int, UUID]]:
    with unavailability():
        return connection.execute(_OPENED, {"after": after, "most": _PAGE}).fetchall()
