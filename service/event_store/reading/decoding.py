"""Reads of several queries, for blocking and for async connections, and rows of the log as records.

Keys of revealed games are learnt where they are needed.
"""

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from psycopg import Connection

from domain.record import Withheld
from service.event_store.codec import AnyRecord, Codec
from service.event_store.connections import Rows, unavailability
from service.keys.sealing import SealingKeyMissing

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


class Recorded(NamedTuple):
    """A record and its position in the log. Positions only grow and are never used twice."""

    position: int
    record: AnyRecord


SELECT_KEYS = """
SELECT stream, key, value FROM unsealed WHERE stream = ANY(%s)
UNION ALL SELECT NULL, id, NULL FROM sealing_keys WHERE given_up
"""


def decode_log_rows(rows: Rows, codec: Codec) -> MultiQuery[list[Recorded]]:
    """Rows of position, state and PLACE as records; Withheld where the key is missing."""
    batch = recorded_rows(rows, codec)
    streams = withheld_streams(batch)
    if streams and (yield from _learn_keys(streams, codec)):
        return recorded_rows(rows, codec)
    return batch


def decode_stream_rows(rows: Rows, stream: UUID, codec: Codec) -> MultiQuery[list[AnyRecord]]:
    """Rows of state and PLACE of one stream as records; raises SealingKeyMissing."""
    try:
        return records(rows, codec)
    except SealingKeyMissing:
        if not (yield from _learn_keys([stream], codec)):
            raise
        return records(rows, codec)


def _learn_keys(streams: Sequence[UUID], codec: Codec) -> MultiQuery[bool]:
    """Learn the keys of revealed streams, and which keys were given up; whether anything was new."""
    return codec.seals.learn((yield SELECT_KEYS, (list(streams),)))


def recorded_rows(rows: Rows, codec: Codec) -> list[Recorded]:
    """Rows of position, state and PLACE as records, Withheld where a key is missing."""
    decode = codec.decode_or_withhold
    return [Recorded(position, decode(state, sealed_at)) for position, state, sealed_at in rows]


def withheld_streams(batch: Sequence[Recorded]) -> list[UUID]:
    """The streams of these records that could not be unsealed."""
    return list({one.record.stream for one in batch if type(one.record.event) is Withheld})


def records(rows: Rows, codec: Codec) -> list[AnyRecord]:
    """Rows of state and PLACE as records; raises SealingKeyMissing."""
    return [codec.decode(state, sealed_at) for state, sealed_at in rows]
