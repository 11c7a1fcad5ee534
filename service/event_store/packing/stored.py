"""Packed games in the form of the eventsourcing library: stream, version, topic, state and position."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from service.event_store.codec import standard_codec
from service.event_store.connections import Rows
from service.event_store.packing.blob import Packed, unpacked_records
from service.event_store.packing.logs import SELECT_PACKED, log_records
from service.event_store.reading.decoding import MultiQuery, Recorded

Select = Callable[[str, Sequence[Any]], Rows]
R = TypeVar("R")
_BEHIND = """
SELECT EXISTS (
    SELECT FROM packed_games WHERE int8range(first_position, last_position, '[]') && int8range(%s, NULL, '()'))
"""
_BATCH = 500


class StoredRow(NamedTuple):
    """A packed record in the form of a row of `events`."""

    stream: UUID
    version: int
    topic: str
    state: bytes
    position: int


def stream_rows(select: Select, stream: UUID | str) -> list[StoredRow]:
    """The packed records of this stream; empty where it is not packed."""
    codec = standard_codec()
    return [
        _stored_row(one) for row in select(SELECT_PACKED, [stream]) for one in unpacked_records(Packed(*row), codec)
    ]


def has_packed_behind(select: Select, position: int) -> bool:
    """Whether any packed game has records after this position."""
    ((some,),) = select(_BEHIND, [position])
    return bool(some)


def log_rows(select: Select, after: int) -> Iterator[StoredRow]:
    """The log after this position up to its head, packed or not."""
    while batch := _run_query(select, log_records(after, _BATCH, standard_codec())):
        yield from map(_stored_row, batch)
        after = batch[-1].position


def _stored_row(placed: Recorded) -> StoredRow:
    return StoredRow(*standard_codec().row(placed.record), placed.position)


def _run_query(select: Select, asked: MultiQuery[R]) -> R:
    try:
        wanted = next(asked)
        while True:
            wanted = asked.send(select(*wanted))
    except StopIteration as end:
        found: R = end.value
        return found
