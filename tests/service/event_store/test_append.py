"""Appending: all or nothing per command, one winner per version, no gaps, companions together with their events."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Sequence
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from service.event_store.errors import (
    DuplicateCompanion,
    Fenced,
    StaleVersion,
    StoreUnavailable,
    UnknownTopic,
)
from service.event_store.store import EventStore
from service.event_store.writer import Companion

from .made import KEYS, key_of, log_held, on_a_loop, record, records, waiting_for_a_lock
from .test_codec import Whispered


async def outcomes(appends: Sequence[Awaitable[int]]) -> list[Any]:
    return await asyncio.gather(*appends, return_exceptions=True)


def kinds(found: Sequence[Any]) -> Counter[str]:
    return Counter(type(outcome).__name__ for outcome in found)


async def one_batch(store: EventStore, appends: Sequence[Awaitable[int]]) -> list[Any]:
    """These appends in one transaction: they queue while the writer waits behind somebody for a first append."""
    with log_held(store.conninfo):
        first = asyncio.ensure_future(store.append([record(uuid4(), 1)]))
        while not await asyncio.to_thread(waiting_for_a_lock, store.conninfo):
            await asyncio.sleep(0.01)
        queued = [asyncio.ensure_future(append) for append in appends]
        await asyncio.sleep(0)
    await first
    return await outcomes(queued)


async def positions(store: EventStore) -> list[int]:
    return [position for (position,) in await store.query("SELECT position FROM events ORDER BY position")]


@on_a_loop
async def test_an_append_says_the_position_of_its_last_record_and_is_read_back(database: str) -> None:
    async with EventStore(database) as store:
        one, other = uuid4(), uuid4()
        assert await store.append(records(one, 3)) == 3
        assert await store.append(records(other, 2)) == 5
        assert await store.append(records(one, 2, after=3)) == 7
        assert await store.records(one) == records(one, 5)
        assert await store.records(one, after=3) == records(one, 2, after=3)
        assert await store.records(uuid4()) == []
        assert [found.position for found in await store.read_after(2, 3)] == [3, 4, 5]
        assert await store.head() == 7


@on_a_loop
async def test_of_racing_appends_on_one_version_exactly_one_wins_within_one_batch(database: str) -> None:
    async with EventStore(database) as store:
        stream = uuid4()
        found = await one_batch(store, [store.append([record(stream, 1)]) for _ in range(20)])
        assert kinds(found) == {"int": 1, "StaleVersion": 19}
        assert await positions(store) == [1, 2]


@on_a_loop
async def test_of_racing_appends_on_one_version_exactly_one_wins_across_stores(database: str) -> None:
    async with EventStore(database) as one, EventStore(database) as other:
        stream = uuid4()
        for version in range(1, 51):
            found = await outcomes([store.append([record(stream, version)]) for store in (one, other)])
            assert kinds(found) == {"int": 1, "StaleVersion": 1}
        assert await one.records(stream) == records(stream, 50)
        assert await positions(other) == list(range(1, 51))


@on_a_loop
async def test_a_conflict_fails_only_its_own_command_and_takes_no_position(database: str) -> None:
    async with EventStore(database) as store:
        taken, streams = uuid4(), [uuid4() for _ in range(6)]
        await store.append([record(taken, 1)])
        appends = [store.append(records(stream, 2)) for stream in streams]
        appends.insert(3, store.append([*records(uuid4(), 2), record(taken, 1)]))
        found = await one_batch(store, appends)
        assert isinstance(found.pop(3), StaleVersion)
        assert found == [4, 6, 8, 10, 12, 14]
        assert await positions(store) == list(range(1, 15))


@on_a_loop
async def test_a_stale_version_names_the_stream_that_moved_on(database: str) -> None:
    async with EventStore(database) as store:
        fresh, stale = uuid4(), uuid4()
        await store.append(records(stale, 4))
        with pytest.raises(StaleVersion) as refusal:
            await store.append([record(fresh, 1), record(stale, 4)])
        assert refusal.value.stream == stale
        assert await store.records(fresh) == []


@on_a_loop
async def test_records_and_companions_are_stored_together_or_not_at_all(database: str) -> None:
    async with EventStore(database) as store:
        player, stream = uuid4(), uuid4()
        await store.append([record(stream, 1)], [key_of(player, "first"), key_of(player, "second")])
        with pytest.raises(StaleVersion):
            await store.append([record(stream, 1)], [key_of(player, "third")])
        with pytest.raises(DuplicateCompanion) as refusal:
            await store.append([record(stream, 2)], [key_of(player, "fourth"), key_of(player, "first")])
        assert refusal.value.constraint == "idempotency_keys_pkey"
        assert await store.query(KEYS) == [("first",), ("second",)]
        assert await store.records(stream) == [record(stream, 1)]
        assert await store.append([record(stream, 2)]) == 2


@on_a_loop
async def test_a_duplicate_companion_fails_only_its_own_command(database: str) -> None:
    async with EventStore(database) as store:
        player = uuid4()
        appends = [store.append([record(uuid4(), 1)], [key_of(player, f"key {n // 2}")]) for n in range(8)]
        found = await one_batch(store, appends)
        assert kinds(found) == {"int": 4, "DuplicateCompanion": 4}
        assert len(await store.query(KEYS)) == 4
        assert await positions(store) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("companion", "mistake"),
    [
        (Companion("INSERT INTO no_such_table VALUES (1)"), psycopg.errors.UndefinedTable),
        (Companion("INSERT INTO idempotency_keys (key) VALUES (%s)", ("alone",)), psycopg.errors.NotNullViolation),
        (Companion("INSERT INTO idempotency_keys (key) VALUES (%s, %s)", ("one",)), psycopg.ProgrammingError),
        (Companion("INSERT INTO idempotency_keys (key) VALUES (%s)", (object(),)), psycopg.ProgrammingError),
    ],
    ids=["no such table", "a column is missing", "a value is missing", "no such type"],
)
def test_a_wrong_companion_shows_its_mistake_to_its_own_command_only(
    database: str, companion: Companion, mistake: type[Exception]
) -> None:
    @on_a_loop
    async def told() -> None:
        async with EventStore(database) as store:
            right, wrong = uuid4(), uuid4()
            appends = [store.append([record(wrong, 1)], [companion]), store.append([record(right, 1)])]
            found = await one_batch(store, appends)
            assert isinstance(found[0], mistake)
            assert found[1] == 2
            assert await store.records(wrong) == []

    told()


@on_a_loop
async def test_companions_run_in_their_order(database: str) -> None:
    async with EventStore(database) as store:
        player = uuid4()
        forget = Companion("DELETE FROM idempotency_keys WHERE key = %s", ("again",))
        await store.append([], [key_of(player, "again"), forget, key_of(player, "again")])
        assert await store.query(KEYS) == [("again",)]


@on_a_loop
async def test_companions_without_records_are_stored_and_say_the_head(database: str) -> None:
    async with EventStore(database) as store:
        await store.append(records(uuid4(), 3))
        assert await store.append([], [key_of(uuid4(), "key")]) == 3
        assert await store.query(KEYS) == [("key",)]


@on_a_loop
async def test_a_record_that_could_not_be_read_back_is_refused(database: str) -> None:
    from msgspec.structs import replace

    async with EventStore(database) as store:
        with pytest.raises(UnknownTopic, match="toy/whispered"):
            await store.append([replace(record(uuid4(), 1), event=Whispered("knave"))])
        assert await store.head() == 0


@on_a_loop
async def test_more_appends_than_one_batch_holds_are_all_stored(database: str) -> None:
    async with EventStore(database) as store:
        found = await outcomes([store.append(records(uuid4(), 2)) for _ in range(1000)])
        assert sorted(found) == list(range(2, 2001, 2))


@on_a_loop
async def test_an_append_whose_caller_was_cancelled_is_stored_all_the_same(database: str) -> None:
    async with EventStore(database) as store:
        stream = uuid4()
        with log_held(database):
            abandoned = asyncio.ensure_future(store.append([record(stream, 1)]))
            await asyncio.sleep(0)
            abandoned.cancel()
        assert await store.append([record(uuid4(), 1)]) == 2
        assert await store.records(stream) == [record(stream, 1)]


@on_a_loop
async def test_nobody_is_answered_while_the_transaction_is_open(database: str) -> None:
    async with EventStore(database) as store:
        with log_held(database):
            append = asyncio.ensure_future(store.append([record(uuid4(), 1)]))
            while not await asyncio.to_thread(waiting_for_a_lock, database):
                await asyncio.sleep(0.01)
            assert not append.done()
        assert await append == 1


@on_a_loop
async def test_closing_stores_and_answers_what_has_queued(database: str) -> None:
    store = EventStore(database)
    await store.open()
    queued = [asyncio.ensure_future(store.append([record(uuid4(), 1)])) for _ in range(300)]
    await asyncio.sleep(0)
    await store.close()
    assert sorted(await outcomes(queued)) == list(range(1, 301))
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.append([record(uuid4(), 1)])


@on_a_loop
async def test_a_writer_that_takes_the_log_over_fences_those_before_it(database: str) -> None:
    async with EventStore(database) as earlier:
        stream: UUID = uuid4()
        await earlier.append([record(stream, 1)])
        async with EventStore(database, alone=True) as owner:
            for companions in ([], [key_of(stream, "late")]):
                with pytest.raises(Fenced):
                    await earlier.append([record(stream, 2)], companions)
            assert await owner.append([record(stream, 2)]) == 2
            assert await earlier.records(stream) == records(stream, 2)
            assert await owner.query(KEYS) == []
