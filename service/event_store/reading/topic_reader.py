"""Reads the events of some topics: read models ignore most events, which are neither fetched nor decoded."""

from collections.abc import Collection
from operator import itemgetter
from typing import Any, NamedTuple

from psycopg import Connection

from domain.record import Withheld
from service.event_store.codec import PLACE, AnyRecord, Codec, standard_codec, topic_of
from service.event_store.connections import Rows
from service.event_store.packing.overlapping import overlapping_records
from service.event_store.reading.decoding import MultiQuery, Recorded, decode_log_rows, run_query

LENGTH = 20
"""How many positions are searched at most, as a multiple of `limit`."""
Topics = Collection[str] | None
"""Tags of events; None: all."""
# The head's row has no state, and a place only if games are packed in the range. One statement is one snapshot: it sees
# the log whole up to that head.
_SELECT = f"""
(SELECT position, state, {PLACE} AS place FROM events
 WHERE position > %s AND position <= %s AND (%s OR topic = ANY(%s)) ORDER BY position LIMIT %s)
UNION ALL SELECT head, NULL, CASE WHEN EXISTS (
    SELECT FROM packed_games WHERE int8range(first_position, last_position, '[]') && int8range(%s, %s, '(]')
) THEN ''::bytea END FROM log
"""


class TopicBatch(NamedTuple):
    """The records of some topics, the position up to which the log was searched, and its head."""

    records: list[Recorded]
    upto: int
    head: int


def read_topics(
    connection: Connection[Any], after: int, limit: int, topics: Topics, codec: Codec | None = None
) -> TopicBatch:
    """Up to `limit` records of these topics after this position; raises StoreUnavailable.

    `upto` is how far the log was searched. Packed games are unpacked whole.
    """
    return run_query(connection, _read_topics(after, limit, topics, codec or standard_codec()))


def _read_topics(after: int, limit: int, topics: Topics, codec: Codec) -> MultiQuery[TopicBatch]:
    until = after + LENGTH * limit
    found = yield _SELECT, (after, until, topics is None, list(topics or ()), limit, after, until)
    ((head, _, packed),) = (row for row in found if row[1] is None)
    rows = sorted((row for row in found if row[1] is not None), key=itemgetter(0))
    end = rows[-1][0] if len(rows) == limit else max(after, min(head, until))
    records = yield from (
        _read_mixed(rows, after, end, topics, codec) if packed is not None else decode_log_rows(rows, codec)
    )
    if len(records) > limit:
        records, end = records[:limit], records[limit - 1].position
    return TopicBatch(records, end, head)


def _read_mixed(rows: Rows, after: int, until: int, topics: Topics, codec: Codec) -> MultiQuery[list[Recorded]]:
    """The rows and the packed records between these positions; each position once."""
    found = yield from decode_log_rows(rows, codec)
    packed = yield from overlapping_records(after, until, codec)
    both = {one.position: one for one in (*packed, *found) if topics is None or _topic(one.record) in topics}
    return [both[position] for position in sorted(both)]


def _topic(record: AnyRecord) -> str:
    return record.event.topic if isinstance(record.event, Withheld) else topic_of(type(record.event))
