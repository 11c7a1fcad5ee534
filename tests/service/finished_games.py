"""Logs of very many finished games, written past the service: copies of a few that were played."""

from collections.abc import Iterator, Sequence
from functools import cache
from uuid import UUID

import psycopg
from msgspec.structs import replace

from domain.play.aggregate import AnyRecord
from service.event_store.codec import standard_codec
from tests.domain.whole_records import records

KEYS = ("klondike", "golf", "spite_and_malice")
_COPY = "COPY events (stream, version, position, topic, state) FROM STDIN"


@cache
def played(moves: int) -> tuple[tuple[AnyRecord, ...], ...]:
    """A game of each of these types, given up after so many moves."""
    return tuple(records(key, moves) for key in KEYS)


def stored(conninfo: str, count: int, moves: int = 8) -> None:
    """So many finished games behind what the log holds already, ids counting up; digests are copied too."""
    with psycopg.connect(conninfo) as connection:
        row = connection.execute("SELECT head FROM log FOR UPDATE").fetchone()
        position = int(row[0]) if row else 0
        with connection.cursor().copy(_COPY) as copy:
            for fields in _rows(played(moves), count, position):
                copy.write_row(fields)
                position = int(fields[2])
        connection.execute("UPDATE log SET head = %s", (position,))


def _rows(
    games: Sequence[Sequence[AnyRecord]], count: int, position: int
) -> Iterator[tuple[UUID, int, int, str, bytes]]:
    codec = standard_codec()
    for number in range(count):
        stream = UUID(int=(position + 1) << 64 | number)
        for record in games[number % len(games)]:
            position += 1
            yield stream, record.version, position, codec.topic(record), codec.encode(replace(record, stream=stream))
