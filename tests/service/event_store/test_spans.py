"""Spans of the log: the records of some topics, how far it was looked through; which positions are others'."""

from collections.abc import Iterator
from random import Random
from typing import Any

import psycopg
import pytest
from psycopg import Connection

from projections import PROJECTIONS
from service.event_store import reading
from service.event_store.codec import Recorded
from service.event_store.log_positions import OwnPositions
from service.event_store.reading import Topics, read_head, read_log, read_topics
from tests.service.event_store.packed_logs import filled, pack

TOPICS = frozenset().union(*(projection.topics or () for projection in PROJECTIONS.values()))


@pytest.fixture
def connection(database: str) -> Iterator[Connection[Any]]:
    filled(database, 6)
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


def of(connection: Connection[Any], topics: Topics) -> list[Recorded]:
    """The records of these topics, picked out of the whole log."""
    log = read_log(connection, 0, 10**6)
    return [one for one in log if topics is None or type(one.record.event).__struct_config__.tag in topics]


def joined(connection: Connection[Any], topics: Topics, limit: int) -> list[Recorded]:
    """What spans that follow on each other give, from the first position to the head."""
    found, after = list[Recorded](), 0
    while True:
        span = read_topics(connection, after, limit, topics)
        assert all(after < one.position <= span.upto <= span.head for one in span.records)
        found += span.records
        if span.upto == span.head:
            return found
        assert span.upto > after
        after = span.upto


@pytest.mark.parametrize("packing", [False, True], ids=["rows", "packed"])
@pytest.mark.parametrize("topics", [TOPICS, frozenset({"game/finished"}), frozenset(), None])
def test_spans_hold_every_record_of_their_topics_once(
    connection: Connection[Any], database: str, monkeypatch: pytest.MonkeyPatch, packing: bool, topics: Topics
) -> None:
    monkeypatch.setattr(reading, "LENGTH", 2)
    if packing:
        assert pack(database)
    for limit in (1, 7, 50, 10**6):
        assert joined(connection, topics, limit) == of(connection, topics)


def test_a_span_without_records_still_goes_on_to_the_head(connection: Connection[Any]) -> None:
    head = read_head(connection)
    assert read_topics(connection, 0, 1000, frozenset()) == ([], head, head)
    assert read_topics(connection, head, 1000, None) == ([], head, head)
    assert read_topics(connection, 0, 1, frozenset()) == ([], reading.LENGTH, head)


def test_fewer_records_are_read_than_there_are(connection: Connection[Any]) -> None:
    """The log would show nothing if its events were all read."""
    assert 0 < len(of(connection, TOPICS)) < len(of(connection, None))


def test_what_is_between_ones_own_is_others() -> None:
    own = OwnPositions()
    for first, last in ((3, 4), (5, 5), (9, 10), (4, 3)):
        own.add(first, last)
    assert own.others(0, 12) == [(1, 2), (6, 8), (11, 12)]
    assert own.others(2, 5) == []
    assert own.others(4, 7) == [(6, 7)]
    own.drop(5)
    assert own.others(5, 10) == [(6, 8)]


def test_any_division_of_the_log_is_told_apart() -> None:
    lots = Random(1)
    for _ in range(200):
        own, mine, at = OwnPositions(), set[int](), 0
        for _ in range(lots.randint(0, 8)):
            first = at + lots.randint(1, 4)
            at = first + lots.randint(0, 3)
            own.add(first, at)
            mine |= set(range(first, at + 1))
        after, upto = lots.randint(0, 10), lots.randint(0, 40)
        told = [position for first, last in own.others(after, upto) for position in range(first, last + 1)]
        assert told == [position for position in range(after + 1, upto + 1) if position not in mine]
