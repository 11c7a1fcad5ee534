"""Reading the log: one stream, the log in order, or some topics, from rows and packed games alike.

A read of several queries is a generator (MultiQuery), which a blocking connection (`run_query`) or the async store
runs. Keys of revealed games are learnt where they are needed.
"""

from bisect import bisect_right
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import suppress
from operator import itemgetter
from threading import Lock
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from cachetools import LRUCache
from psycopg import Connection

from domain.record import Withheld
from service.event_store.codec import (
    PLACE,
    AnyRecord,
    Codec,
    Packed,
    Recorded,
    standard_codec,
    topic_of,
    unpacked_records,
)
from service.event_store.connections import Rows, unavailability
from service.keys.sealing import SealingKeyMissing

R = TypeVar("R")
MultiQuery = Generator[tuple[str, Sequence[Any]], Rows, R]
"""A generator that yields statements with parameters, is sent their rows, and returns the result."""
_position = itemgetter(0)


def run_query(connection: Connection[Any], query: MultiQuery[R]) -> R:
    """Run the queries on this connection; their result. Raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        try:
            sql, params = next(query)
            while True:
                rows = cursor.execute(sql.encode(), params, prepare=True).fetchall()
                sql, params = query.send(rows)
        except StopIteration as end:
            result: R = end.value
            return result


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


SELECT_HEAD = "SELECT head FROM log"


def read_head(connection: Connection[Any]) -> int:
    """The position of the newest record, 0 in an empty log; raises StoreUnavailable."""
    with unavailability():
        row = connection.execute(SELECT_HEAD).fetchone()
    return int(row[0]) if row else 0


_OPENED = """
(SELECT position, stream FROM events WHERE version = 1 AND topic = 'game/opened' AND position > %(after)s
 ORDER BY position LIMIT %(most)s)
UNION
(SELECT first_position, game FROM packed_games WHERE first_position > %(after)s ORDER BY first_position LIMIT %(most)s)
ORDER BY 1 LIMIT %(most)s
"""


def all_games(connection: Connection[Any], after: int = 0) -> Iterator[tuple[int, UUID]]:
    """Opening's position and id of every game opened after this position; raises StoreUnavailable.

    A game that is packed meanwhile is yielded exactly once.
    """
    while True:
        with unavailability():
            page = connection.execute(_OPENED, {"after": after, "most": 1000}).fetchall()
        if not page:
            return
        yield from page
        after = page[-1][0]


# One stream.

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
    until = late[0].version if late else 2**31
    early = [record for row in packed for _, record in unpacked_records(Packed(*row), codec)]
    return [*(record for record in early if after < record.version < until), *late]


def decode_stream_rows(rows: Rows, stream: UUID, codec: Codec) -> MultiQuery[list[AnyRecord]]:
    """Rows of state and PLACE of one stream as records; raises SealingKeyMissing."""
    try:
        return [codec.decode(state, sealed_at) for state, sealed_at in rows]
    except SealingKeyMissing:
        if not (yield from _learn_keys([stream], codec)):
            raise
        return [codec.decode(state, sealed_at) for state, sealed_at in rows]


_SELECT_KEYS = """
SELECT stream, key, value FROM unsealed WHERE stream = ANY(%s)
UNION ALL SELECT NULL, id, NULL FROM sealing_keys WHERE given_up
"""


def _learn_keys(streams: Sequence[UUID], codec: Codec) -> MultiQuery[bool]:
    """Learn the keys of revealed streams, and which keys were given up; whether anything was new."""
    return codec.seals.learn((yield _SELECT_KEYS, (list(streams),)))


# The log in order.

_SELECT_LOG = f"""
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
    rows = yield _SELECT_LOG, (after, limit)
    (head,) = (position for position, state, _ in rows if state is None)
    rows = sorted((row for row in rows if row[1] is not None), key=_position)
    last = rows[-1][0] if len(rows) == limit else max(head, after)
    if len(rows) == last - after:
        return (yield from decode_log_rows(rows, codec))
    records: list[Recorded] = []
    while len(records) < limit and after < head:
        until = min(after + max(limit - len(records), _LEAST_WINDOW), head)
        rows = yield _ROWS, (after, until)  # first: games packed meanwhile are then read twice, not lost
        window = yield from decode_log_rows(rows, codec)
        if packed := (yield from _overlapping_records(after, until, codec)):
            window = sorted({placed.position: placed for placed in (*packed, *window)}.values(), key=_position)
        records += window
        after = until
        if not window:  # skip the gap
            ((following,),) = yield _NEXT, (until, until)
            after = head if following is None else max(until, following - 1)
    return records[:limit]


def decode_log_rows(rows: Rows, codec: Codec) -> MultiQuery[list[Recorded]]:
    """Rows of position, state and PLACE as records; Withheld where the key is missing."""
    decode = codec.decode_or_withhold
    batch = [Recorded(position, decode(state, sealed_at)) for position, state, sealed_at in rows]
    streams = withheld_streams(batch)
    if streams and (yield from _learn_keys(streams, codec)):
        return [Recorded(position, decode(state, sealed_at)) for position, state, sealed_at in rows]
    return batch


def withheld_streams(batch: Sequence[Recorded]) -> list[UUID]:
    """The streams of these records that could not be unsealed."""
    return list({record.stream for _, record in batch if type(record.event) is Withheld})


class UnpackedCache:
    """An LRU cache of unpacked games by game and digest, up to `most` records in all; thread-safe.

    A follower of the log meets the same game again and again, a few records at a time.
    """

    def __init__(self, most: int = 200_000) -> None:
        self._games: LRUCache[tuple[UUID, bytes], list[Recorded]] = LRUCache(most, len)
        self._lock = Lock()

    def get(self, key: tuple[UUID, bytes]) -> list[Recorded] | None:
        """The records of this game, if cached."""
        with self._lock:
            return self._games.get(key)

    def keep(self, row: Packed, codec: Codec) -> list[Recorded]:
        """Unpack and cache this row; its records. Raises DamagedGame, UnknownTopic or UnreadableRecord."""
        game = unpacked_records(row, codec)
        with self._lock, suppress(ValueError):  # one game alone may exceed the capacity
            self._games[row.game, bytes(row.digest)] = game
        return game


UNPACKED = UnpackedCache()
"""The process's cache; entries stay valid, for records never change."""
_OVERLAPPING = (
    "SELECT game, digest FROM packed_games"
    " WHERE int8range(first_position, last_position, '[]') && int8range(%s, %s, '(]')"
)
_BODIES = (
    "SELECT game, first_position, last_position, last_version, digest, body FROM packed_games WHERE game = ANY(%s)"
)


def _overlapping_records(after: int, until: int, codec: Codec) -> MultiQuery[list[Recorded]]:
    """Every packed record between these positions, in no order; cached games are not read again."""
    keys = [(game, bytes(digest)) for game, digest in (yield _OVERLAPPING, (after, until))]
    cached = {key: game for key in keys if (game := UNPACKED.get(key)) is not None}
    missing = [key[0] for key in keys if key not in cached]
    rows = (yield _BODIES, (missing,)) if missing else []
    games = [*cached.values(), *(UNPACKED.keep(Packed(*row), codec) for row in rows)]
    return [
        placed
        for game in games
        for placed in game[bisect_right(game, after, key=_position) : bisect_right(game, until, key=_position)]
    ]


# Some topics: read models ignore most events, which are neither fetched nor decoded.

LENGTH = 20
"""How many positions are searched at most, as a multiple of `limit`."""
Topics = Collection[str] | None
"""Tags of events; None: all."""
# The head's row has no state, and a place only if games are packed in the range. One statement is one snapshot: it sees
# the log whole up to that head.
_SELECT_TOPICS = f"""
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
    return run_query(connection, _topic_records(after, limit, topics, codec or standard_codec()))


def _topic_records(after: int, limit: int, topics: Topics, codec: Codec) -> MultiQuery[TopicBatch]:
    until = after + LENGTH * limit
    rows = yield _SELECT_TOPICS, (after, until, topics is None, list(topics or ()), limit, after, until)
    ((head, _, has_packed),) = (row for row in rows if row[1] is None)
    rows = sorted((row for row in rows if row[1] is not None), key=_position)
    end = rows[-1][0] if len(rows) == limit else max(after, min(head, until))
    records = yield from decode_log_rows(rows, codec)
    if has_packed is not None:
        packed = yield from _overlapping_records(after, end, codec)
        records = sorted({placed.position: placed for placed in (*packed, *records)}.values(), key=_position)
        events = ((placed, placed.record.event) for placed in records)
        records = [
            placed for placed, event in events
            if topics is None or (event.topic if isinstance(event, Withheld) else topic_of(type(event))) in topics
        ]  # fmt: skip
    if len(records) > limit:
        records, end = records[:limit], records[limit - 1].position
    return TopicBatch(records, end, head)
