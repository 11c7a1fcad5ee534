"""Reading records by blocking connections: for projections, command line tools and whatever is not async."""

from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from service.event_store.codec import AnyRecord, Codec, standard_codec
from service.event_store.connections import unavailability

SELECT_STREAM = "SELECT state FROM events WHERE stream = %s AND version > %s ORDER BY version"
SELECT_LOG = "SELECT position, state FROM events WHERE position > %s ORDER BY position LIMIT %s"
SELECT_HEAD = "SELECT head FROM log"


class Recorded(NamedTuple):
    """A record and its position in the log. Positions only grow; where old games were packed some are missing."""

    position: int
    record: AnyRecord


def read_log(connection: Connection[Any], after: int, limit: int, codec: Codec | None = None) -> list[Recorded]:
    """Up to `limit` records behind this position, in the order of the log; raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        found = cursor.execute(SELECT_LOG, [after, limit], prepare=True).fetchall()
    return recorded(found, codec or standard_codec())


def read_stream(
    connection: Connection[Any], stream: UUID, after: int = 0, codec: Codec | None = None
) -> list[AnyRecord]:
    """The records of one stream behind this version; none if there is no such stream; raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        found = cursor.execute(SELECT_STREAM, [stream, after], prepare=True).fetchall()
    return records(found, codec or standard_codec())


def read_head(connection: Connection[Any]) -> int:
    """The position of the newest record, 0 in an empty log; raises StoreUnavailable."""
    with unavailability():
        row = connection.execute(SELECT_HEAD).fetchone()
    return int(row[0]) if row else 0


def recorded(found: list[tuple[Any, ...]], codec: Codec) -> list[Recorded]:
    """Rows of SELECT_LOG as records."""
    return [Recorded(position, codec.decode(state)) for position, state in found]


def records(found: list[tuple[Any, ...]], codec: Codec) -> list[AnyRecord]:
    """Rows of SELECT_STREAM as records."""
    return [codec.decode(state) for (state,) in found]
