"""One stream, read wherever it is: its rows in the log, its packed game, or both, one behind the other."""

from collections.abc import Iterable
from uuid import UUID

from service.event_store.codec import PLACE, AnyRecord, Codec
from service.event_store.connections import Rows
from service.event_store.packing.blob import Packed, unpacked
from service.event_store.reading.decoding import of_a_stream
from service.event_store.reading.multi_query import Asked

AT_ONCE = 500
"""Rows of one query: a long game is not decoded in one go, for others wait meanwhile."""
SELECT_STREAM = f"SELECT state, {PLACE} FROM events WHERE stream = %s AND version > %s ORDER BY version LIMIT {AT_ONCE}"
SELECT_PACKED = (
    "SELECT game, first_position, last_position, last_version, digest, body FROM packed_games WHERE game = %s"
)


def stream_records(stream: UUID, after: int, codec: Codec) -> Asked[list[AnyRecord]]:
    """The records of a stream behind this version. A game that is not packed costs one query.

    The log is asked first: what is packed between the two queries is found by the second, and never lost.
    """
    rows = yield SELECT_STREAM, (stream, after)
    late = yield from of_a_stream(rows, stream, codec)
    while len(rows) == AT_ONCE:
        rows = yield SELECT_STREAM, (stream, late[-1].version)
        late += yield from of_a_stream(rows, stream, codec)
    if late and late[0].version == after + 1:
        return late
    packed = yield SELECT_PACKED, (stream,)
    return [*_early(packed, after, late, codec), *late]


def _early(rows: Rows, after: int, late: list[AnyRecord], codec: Codec) -> Iterable[AnyRecord]:
    """The packed records behind this version and before those that stand in the log."""
    until = late[0].version if late else 2**31
    return [
        placed.record
        for row in rows
        for placed in unpacked(Packed(*row), codec)
        if after < placed.record.version < until
    ]
