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
        window = yield from _read_window(after, until, codec)
        found += window
        after = until if window else (yield from _place_before_next(until, head))
    return found[:limit]


def _place_before_next(position: int, head: int) -> MultiQuery[int]:
    """The position before the next record after this one; skips long gaps."""
    ((following,),) = yield _NEXT, (position, position)
    return head if following is None else max(position, following - 1)


def _read_window(after: int, until: int, codec: Codec) -> MultiQuery[list[Recorded]]:
    """The records between two positions. Rows are read first: games packed meanwhile are found twice, not lost."""
    rows = yield _ROWS, (after, until)
    found = yield from decode_log_rows(rows, codec)
    packed = yield from overlapping_records(after, until, codec)
    return _merge_by_position(found, packed)


def _merge_by_position(found: list[Recorded], packed: list[Recorded]) -> list[Recorded]:
    """Both together, each position once."""
    if not packed:
        return found
    both = {placed.position: placed for placed in (*packed, *found)}
    return [both[position] for position in sorted(both)]


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
