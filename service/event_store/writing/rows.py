"""The rows of an append, and the statements that store them.

In a pipeline all events of a batch are one statement, companions with `many` one per table, other companions one each.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, reduce
from struct import pack, unpack
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.pq import Format
from psycopg.pq.abc import PGresult

from service.event_store.errors import Fenced
from service.event_store.parameters import BYTEA, INT4, TEXT, UUID_, array, text
from service.event_store.writing.pipeline import Statement

CHANNEL = "kibitz_log"
"""The channel with the log's new head after every batch."""
URGENT = "kibitz_urgent"
"""The channel with players whose cached tokens every process must drop."""


class Row(NamedTuple):
    """One event to be stored."""

    stream: UUID
    version: int
    topic: str
    state: bytes


class Companion(NamedTuple):
    """A statement to run in the transaction of the events, such as an idempotency key: stored together or not at all.

    Its constraints must not be deferred (none of ours is), so that only its own append fails. `many`: the statement for
    several companions at once, with an array `$1`, `$2` for each parameter.
    """

    sql: str
    params: Sequence[Any] = ()
    many: str = ""


class Append(NamedTuple):
    """What one command stores: its events, in order, its companions, and the slot whose lease it needs, if any."""

    rows: tuple[Row, ...]
    companions: tuple[Companion, ...] = ()
    slot: int | None = None


# One statement: lock and update the log's row (none if the epoch moved on), insert the events at its positions. The
# unique index sees rows that the snapshot does not, so a version taken by a writer before us is a violation.
_WRITE = """
WITH taken AS (
    UPDATE log SET head = head + %(count)s WHERE epoch = %(epoch)s RETURNING head
), written AS (
    INSERT INTO events (stream, version, position, topic, state)
    SELECT row.stream, row.version, taken.head - %(count)s + row.place, row.topic, row.state
    FROM taken, unnest(%(streams)b::uuid[], %(versions)b::int[], %(topics)b::text[], %(states)b::bytea[])
        WITH ORDINALITY AS row (stream, version, topic, state, place)
)
SELECT head FROM taken
"""
_NOTIFYING = _WRITE.replace("SELECT head FROM taken", f"SELECT head, pg_notify('{CHANNEL}', head::text) FROM taken")
# The same for a pipeline, whose other statements follow at once: if the epoch moved on it must fail, by dividing by 0.
_KNOWN = "(SELECT coalesce(max(head), 0) / count(*) AS head FROM taken) AS known"
_PLACES = {
    "%(count)s": "$1::bigint", "%(epoch)s": "$2::bigint", "%(streams)b": "$3", "%(versions)b": "$4",
    "%(topics)b": "$5", "%(states)b": "$6", "SELECT head FROM taken":
    f"SELECT head, pg_notify('{CHANNEL}', head::text) FROM {_KNOWN}",
}  # fmt: skip
FLYING = reduce(lambda sql, place: sql.replace(place, _PLACES[place]), _PLACES, _WRITE).encode()
_NOTIFY = f"SELECT pg_notify('{CHANNEL}', head::text) FROM log"


def write(connection: Connection[Any], epoch: int, rows: Sequence[Row]) -> int:
    """Append rows; the new head. Raises Fenced, or psycopg's UniqueViolation."""
    return _write_rows(connection, _WRITE, epoch, rows)


def write_and_notify(connection: Connection[Any], epoch: int, rows: Sequence[Row]) -> int:
    """As `write`, and notify the followers."""
    return _write_rows(connection, _NOTIFYING, epoch, rows)


def notify(connection: Connection[Any]) -> None:
    """Notify the followers of the log's head."""
    connection.execute(_NOTIFY)


def _write_rows(connection: Connection[Any], sql: str, epoch: int, rows: Sequence[Row]) -> int:
    head = connection.execute(sql, _columns(epoch, rows), prepare=True).fetchone()
    if head is None:
        raise Fenced
    return int(head[0])


def _columns(epoch: int, rows: Sequence[Row]) -> dict[str, Any]:
    streams, versions, topics, states = zip(*rows, strict=True) if rows else ((), (), (), ())
    return {
        "epoch": epoch, "count": len(rows), "streams": list(streams), "versions": list(versions),
        "topics": list(topics), "states": list(states),
    }  # fmt: skip


def gathered_rows(appends: Iterable[Append]) -> list[Row]:
    """The rows of many appends, in order."""
    return [row for append in appends for row in append.rows]


def statements(epoch: int, appends: Sequence[Append]) -> Iterator[Statement]:
    """The statements that store these appends, all or nothing; raises one of UNFIT for a bad value."""
    yield _events(epoch, gathered_rows(appends))
    together: dict[str, list[Companion]] = {}
    for companion in (companion for append in appends for companion in append.companions):
        if companion.many:
            together.setdefault(companion.many, []).append(companion)
        else:
            yield Statement(_numbered_sql(companion.sql), [text(value) for value in companion.params])
    for sql, alike in together.items():
        columns = zip(*(companion.params for companion in alike), strict=True)
        yield Statement(sql.encode(), [text(column) for column in columns])


def head(results: Iterable[PGresult]) -> int:
    """The log's head, from the first statement's result."""
    found = next(iter(results)).get_value(0, 0)
    return int(unpack("!q", found or b"")[0])


def _events(epoch: int, stored: Sequence[Row]) -> Statement:
    streams, versions, topics, states = zip(*stored, strict=True) if stored else ((), (), (), ())
    columns = [
        array(UUID_, [stream.bytes for stream in streams]), array(INT4, [pack("!i", version) for version in versions]),
        array(TEXT, [topic.encode() for topic in topics]), array(BYTEA, states),
    ]  # fmt: skip
    return Statement(FLYING, [pack("!q", len(stored)), pack("!q", epoch), *columns], Format.BINARY)


@cache
def _numbered_sql(sql: str) -> bytes:
    """SQL with the driver's placeholders turned into the server's."""
    number = iter(range(1, 100))
    return re.sub("%s", lambda _: f"${next(number)}", sql).encode()
