"""Partitions of the log: made ahead, filled, and dropped once what they held is packed."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace
from psycopg import Connection

from domain.record import Record
from service.event_store.packing import partitions
from service.event_store.packing.partitions import Period, first_id, id_moment, periods
from service.event_store.store import EventStore
from tests.service.event_store.made import on_a_loop, record, records
from tests.service.worker.worker_logs import append

from .packed_logs import connection_to, counted, folded, log, pack, played, stream

MARCH = datetime(2024, 3, 10, 12, tzinfo=UTC)
JULY = datetime(2024, 7, 1, tzinfo=UTC)


def at(moment: datetime, number: int = 0) -> UUID:
    """An id that was made then."""
    return UUID(int=first_id(moment).int | 0x7 << 76 | 0b10 << 62 | number)


def moved(game: list[Record[Any, Any]], stream: UUID) -> list[Record[Any, Any]]:
    """The game under another id; nobody verifies it here."""
    return [replace(record, stream=stream) for record in game]


def where(connection: Connection[Any]) -> dict[str, set[UUID]]:
    """By partition the streams in it."""
    found: dict[str, set[UUID]] = {}
    for name, one in connection.execute("SELECT tableoid::regclass::text, stream FROM events"):
        found.setdefault(name, set()).add(one)
    return found


@pytest.fixture
def connection(database: str) -> Iterator[Connection[Any]]:
    with connection_to(database) as connection:
        yield connection


def test_periods_begin_at_midnight_and_follow_each_other() -> None:
    for length, begins, days in (("month", 1, 31), ("week", 4, 7), ("day", 10, 1)):
        first, second = list(periods(MARCH, length, 1))  # type: ignore[arg-type]
        assert first.begins == datetime(2024, 3, begins, tzinfo=UTC)
        assert first.ends == second.begins == first.begins + timedelta(days=days)
    assert [one.name for one in periods(datetime(2024, 11, 30, tzinfo=UTC), "month", 2)] == [
        "events_20241101", "events_20241201", "events_20250101",
    ]  # fmt: skip
    assert id_moment(first_id(MARCH)) == MARCH


def test_partitions_are_made_once_and_ahead(connection: Connection[Any]) -> None:
    made = list(partitions.make(connection, now=MARCH))
    assert [change.what for change in made] == ["made"] * 4
    assert list(partitions.make(connection, now=MARCH)) == []
    assert [change.partition for change in partitions.make(connection, now=MARCH + timedelta(days=31))] == [
        "events_20240701"
    ]
    found = partitions.existing_periods(connection)
    assert found[0] == Period(datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 4, 1, tzinfo=UTC))
    assert len(found) == 5


def test_another_length_begins_where_the_last_partition_ends(connection: Connection[Any]) -> None:
    list(partitions.make(connection, "month", 0, MARCH))
    made = list(partitions.make(connection, "week", 1, datetime(2024, 3, 30, tzinfo=UTC)))
    assert [change.partition for change in made] == ["events_20240401"]
    assert partitions.existing_periods(connection)[1].ends == datetime(2024, 4, 8, tzinfo=UTC)


def test_a_new_game_falls_into_the_partition_of_its_time(database: str, connection: Connection[Any]) -> None:
    list(partitions.make(connection, now=MARCH))
    june, later, earlier = at(datetime(2024, 6, 30, tzinfo=UTC)), at(JULY), at(datetime(2024, 2, 28, tzinfo=UTC))
    append(database, [record(one, 1) for one in (june, later, earlier)])
    assert where(connection) == {"events_20240601": {june}, "events_default": {later, earlier}}


def test_rows_that_came_before_their_partition_are_moved_into_it(database: str, connection: Connection[Any]) -> None:
    before = at(MARCH - timedelta(days=20))
    append(database, [*records(at(MARCH), 5), *records(before, 3), *records(at(MARCH, 2), 4)])
    known = log(database)
    (change, *_) = partitions.make(connection, now=MARCH)
    assert change == partitions.Change("events_20240301", "made", 9)
    assert where(connection) == {"events_20240301": {at(MARCH), at(MARCH, 2)}, "events_default": {before}}
    assert log(database) == known
    assert counted(database, "ONLY events_default") == 3


def test_a_move_of_too_many_rows_is_refused(
    database: str, connection: Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    append(database, records(at(MARCH), 5))
    monkeypatch.setattr(partitions, "MOST_MOVED", 4)
    (change,) = partitions.make(connection, ahead=0, now=MARCH)
    assert change.what == "not made: 5 rows of its time stand in the default partition"
    assert partitions.existing_periods(connection) == []


def test_a_partition_goes_once_its_games_are_packed_and_what_lives_on_stays(
    database: str, connection: Connection[Any]
) -> None:
    list(partitions.make(connection, ahead=1, now=MARCH))
    games = [moved(game, at(MARCH, number)) for number, game in enumerate(played(6))]
    player = records(at(MARCH, 100), 5)
    folded(database, [*games, player])
    known = log(database)
    assert [change.what for change in partitions.drop(connection, JULY, most_games=2)] == [
        "kept: 6 of its games are not packed", "dropped",
    ]  # fmt: skip
    pack(database)
    assert list(partitions.drop(connection, JULY)) == [partitions.Change("events_20240301", "dropped", 5)]
    assert where(connection) == {"events_default": {at(MARCH, 100)}}
    assert connection.execute("SELECT to_regclass('events_20240301')").fetchone() == (None,)
    assert log(database) == known
    append(database, [record(at(MARCH, 100), 6)])
    assert [one.version for one in stream(database, at(MARCH, 100))] == [1, 2, 3, 4, 5, 6]


def test_a_partition_whose_time_is_not_over_stays(connection: Connection[Any]) -> None:
    list(partitions.make(connection, ahead=0, now=MARCH))
    assert list(partitions.drop(connection, datetime(2024, 3, 31, 23, tzinfo=UTC))) == []
    assert len(list(partitions.drop(connection, datetime(2024, 4, 1, tzinfo=UTC)))) == 1


def test_the_few_games_that_never_ended_move_out_of_a_partition_that_goes(
    database: str, connection: Connection[Any]
) -> None:
    list(partitions.make(connection, ahead=0, now=MARCH))
    forgotten = moved(played(1)[0], at(MARCH))[:4]
    folded(database, [forgotten])
    pack(database)
    assert [change.what for change in partitions.drop(connection, JULY)] == ["dropped"]
    assert stream(database, at(MARCH)) == forgotten


def test_whoever_holds_the_log_is_not_waited_for(database: str, connection: Connection[Any]) -> None:
    list(partitions.make(connection, ahead=0, now=MARCH))
    with connection_to(database) as other, other.transaction():
        other.execute("SELECT count(*) FROM events")
        assert [change.what for change in partitions.drop(connection, JULY)] == [
            "busy: somebody holds the log; try again"
        ]
    assert len(partitions.existing_periods(connection)) == 1


@on_a_loop
async def test_appends_go_on_while_partitions_come_and_go(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "PATIENCE", "60s")
    lots, ended = Random(2), asyncio.Event()
    streams = [at(datetime(2024, month, 5, tzinfo=UTC), number) for month in range(3, 8) for number in range(4)]
    versions = dict.fromkeys(streams, 0)

    async def write(store: EventStore) -> None:
        while not ended.is_set():
            chosen = lots.choice(streams)
            versions[chosen] += 1
            await store.append([record(chosen, versions[chosen])])

    def change() -> None:
        with connection_to(database) as connection:
            for _ in range(4):
                made = list(partitions.make(connection, now=MARCH))
                dropped = list(partitions.drop(connection, JULY))
                assert len(made) + len(dropped) == 8

    async with EventStore(database) as store:
        writing = asyncio.create_task(write(store))
        with ThreadPoolExecutor(1) as threads:
            await asyncio.get_running_loop().run_in_executor(threads, change)
        ended.set()
        await writing
        for one, version in versions.items():
            assert [found.version for found in await store.records(one)] == list(range(1, version + 1))
    positions = [one.position for one in log(database)]
    assert positions == list(range(1, sum(versions.values()) + 1))
