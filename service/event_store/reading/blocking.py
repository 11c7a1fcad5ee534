"""Reads records by blocking connections, for projections and command line tools.

Callers need not know whether records are in rows or in packed games.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from psycopg import Connection

from service.event_store.codec import AnyRecord, Codec, standard_codec
from service.event_store.connections import unavailability
from service.event_store.packing.logs import log_records, stream_records
from service.event_store.reading.decoding import Recorded, run_query

_OPENED = """
(SELECT position, stream FROM events WHERE version = 1 AND topic = 'game/opened' AND position > %(after)s
 ORDER BY position LIMIT %(most)s)
UNION
(SELECT first_position, game FROM packed_games WHERE first_position > %(after)s ORDER BY first_position LIMIT %(most)s)
ORDER BY 1 LIMIT %(most)s
"""
_PAGE = 1000


__all__ = ["SELECT_HEAD", "Recorded", "all_games", "read_head", "read_log", "read_stream"]

SELECT_HEAD = "SELECT head FROM log"


def read_log(connection: Connection[Any], after: int, limit: int, codec: Codec | None = None) -> list[Recorded]:
    """Up to `limit` records after this position, in the order of the log; raises StoreUnavailable."""
    return run_query(connection, log_records(after, limit, codec or standard_codec()))


def read_stream(
    connection: Connection[Any], stream: UUID, after: int = 0, codec: Codec | None = None
) -> list[AnyRecord]:
    """The records of one stream after this version; empty if there is no such stream; raises StoreUnavailable.

    Raises SealingKeyMissing for sealed records that are not revealed and whose key is missing.
    """
    return run_query(connection, stream_records(stream, after, codec or standard_codec()))


def read_head(connection: Connection[Any]) -> int:
    """The position of the newest record, 0 in an empty log; raises StoreUnavailable."""
    with unavailability():
        row = connection.execute(SELECT_HEAD).fetchone()
    return int(row[0]) if row else 0


def all_games(connection: Connection[Any], after: int = 0) -> Iterator[tuple[int, UUID]]:
    """Opening's position and id of every game opened after this position; raises StoreUnavailable.

    A game that is packed meanwhile is yielded exactly once.
    """
    while found := _page(connection, after):
        yield from found
        after = found[-1][0]


def _page(connection: Connection[Any], after: int) -> list[tuple[int, UUID]]:
    with unavailability():
        return connection.execute(_OPENED, {"after": after, "most": _PAGE}).fetchall()
