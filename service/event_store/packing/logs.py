"""One stream, or the log in order, whether the records are in rows, in packed games or in both."""

from collections.abc import Iterable
from operator import itemgetter
from uuid import UUID

from service.event_store.codec import PLACE, AnyRecord, Codec
from service.event_store.connections import Rows
from service.event_store.packing.blob import Packed, unpacked_records
from service.event_store.packing.overlapping import overlapping_records
from service.event_store.reading.decoding import MultiQuery, Recorded, decode_log_rows, decode_stream_rows

SELECT_LOG = f"""
(SELECT position, state, {PLACE} FROM events WHERE position > %s ORDER BY position LIMIT %s)
UNION ALL SELECT head, NULL, NULL FROM log
"""
_ROWS = f"SELECT position, state, {PLACE} FROM events WHERE position > %s AND position <= %s ORDER BY position"
_NEXT = """
SELECT least((SELECT min(position) FROM events WHERE position > %s),
             (SELECT min(first_position) FROM packed_games WHERE first_position > %s))
"""
_LEAST_WINDOW = 500


def log_records(after: int, limit: int, codec: Codec) -> MultiQuery[list[Recorded]]:
    """Up to `limit` records after this position, in the order of the log; fewer only at its head.

    Positions are dense: rows without a gap are complete, and take one query. Gaps may be filled by packed games.
    """
    rows = yield SELECT_LOG, (after, limit)
    (head,) = (position for position, state, _ in rows if state is None)
    rows = sorted((row for row in rows if row[1] is not None), key=itemgetter(0))
    last = rows[-1][0] if len(rows) == limit else max(head, after)
    if len(rows) == last - after:
        return (yield from decode_log_rows(rows, codec))
    return (yield from _read_mixed(after, limit, head, codec))


def _read_mixed(after: int, limit: int, head: int, codec: Codec) -> MultiQuery[list[Recorded]]:
    found: list[Recorded] = []
    while len(found) < limit and after < head:
        until = min(after + max(limit - len(found), _LEAST_WINDOW), head)
        rows = yield _ROWS, (after, until)  # first: games packed meanwhile are then read twice, not lost
        window = yield from decode_log_rows(rows, codec)
        if packed := (yield from overlapping_records(after, until, codec)):
            window = sorted({placed.position: placed for placed in (*packed, *window)}.values(), key=itemgetter(0))
        found += window
        after = until
        if not window:  # skip the gap
            ((following,),) = yield _NEXT, (until, until)
            after = head if following is None else max(until, following - 1)
    return found[:limit]


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
