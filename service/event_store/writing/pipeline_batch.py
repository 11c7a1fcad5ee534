"""A batch as the statements of one flight: all its events in one, rows of one table together, the rest one by one."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from struct import pack, unpack

from psycopg.pq import Format
from psycopg.pq.abc import PGresult

from service.event_store.parameters import BYTEA, INT4, TEXT, UUID_, array, text
from service.event_store.writing import rows
from service.event_store.writing.pipeline import Statement
from service.event_store.writing.rows import Append, Companion, Row


def statements(epoch: int, appends: Sequence[Append]) -> Iterator[Statement]:
    """What stores these appends, all or nothing; raises one of UNFIT for a value that has no bytes."""
    yield _events(epoch, rows.gathered(appends))
    together: dict[str, list[Companion]] = {}
    for companion in (companion for append in appends for companion in append.companions):
        if companion.many:
            together.setdefault(companion.many, []).append(companion)
        else:
            yield Statement(_numbered(companion.sql), [text(value) for value in companion.params])
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
    return Statement(rows.FLYING, [pack("!q", len(stored)), pack("!q", epoch), *columns], Format.BINARY)


@cache
def _numbered(sql: str) -> bytes:
    """The driver's placeholders as the server's."""
    number = iter(range(1, 100))
    return re.sub("%s", lambda _: f"${next(number)}", sql).encode()
