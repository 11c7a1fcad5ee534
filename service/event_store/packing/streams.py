"""One stream, read from its rows in the log, its packed game, or both."""

from collections.abc import Iterable
from uuid import UUID

from service.event_store.codec import PLACE, AnyRecord, Codec
from service.event_store.connections import Rows
from service.event_store.packing.blob import Packed, unpacked_records
from service.event_store.reading.decoding import decode_stream_rows
from service.event_store.reading.multi_query import MultiQuery

AT_ONCE = 500
"""Rows of one query: a long game is decoded in parts, so that others do not wait for it."""
SELECT_STREAM = f"SELECT state, {PLACE} FROM events WHERE stream = %s AND version > %s ORDER BY version LIMIT {AT_ONCE}"
SELECT_PACKED = (
    "SELECT game, first_position, last_position, last_version, digest, body FROM packed_games WHERE game = %s"
)


def stream_records(stream: UUID, after: int, codec: Codec) -> MultiQuery[list[AnyRecord]]:
    """The records of a stream after this version. A game that is not packed takes one query.

    The log is read first, so that a game packed between the two queries is found by the second.
    """
    rows = yield SELECT_STREAM, (stream, after)
    late = yield from decode_stream_rows(rows, stream, codec)
    while len(rows) == AT_ONCE:
        rows = yield SELECT_STREAM, (stream, late[-1].version)
        late += yield from decode_stream_rows(rows, stream, codec)
    if late and late[0].version == after + 1:
        return late
    packed = yield SELECT_PACKED, (stream,)
    return [*_packed_before(packed, after, late, codec), *late]


def _packed_before(rows: Rows, after: int, late: list[AnyRecord], codec: Codec) -> Iterable[AnyRecord]:
    """The packed records after this version and before those in the log."""
    until = late[0].version if late else 2**31
    return [
        placed.record
        for row in rows
        for placed in unpacked_records(Packed(*row), codec)
        if after < placed.record.version < until
    ]
