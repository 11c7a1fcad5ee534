"""Appending: all or nothing per command, one winner per version, no gaps, companions together with their events."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from prometheus_client import REGISTRY

from service.event_store.errors import DuplicateCompanion, NotLeased, StaleVersion, StoreUnavailable, UnknownTopic
from service.event_store.reading import AT_ONCE, stream_records
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.live import idempotency

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
        (key_of(uuid4(), "cut\0off"), psycopg.DataError),
    ],
    ids=["no such table", "a column is missing", "a value is missing", "no such type", "what no text may hold"],
)
@on_a_loop
async def test_a_wrong_companion_shows_its_mistake_to_its_own_command_only(
    database: str, companion: Companion, mistake: type[Exception]
) -> None:
    async with EventStore(database) as store:
        right, wrong = uuid4(), uuid4()
        appends = [store.append([record(wrong, 1)], [companion]), store.append([record(right, 1)])]
        found = await one_batch(store, appends)
        assert isinstance(found[0], mistake)
        assert found[1] == 2
        assert await store.records(wrong) == []
        assert await store.query(KEYS) == []


@on_a_loop
async def test_companions_run_in_their_order_and_without_records_say_the_head(database: str) -> None:
    async with EventStore(database) as store:
        player = uuid4()
        await store.append(records(uuid4(), 3))
        forget = Companion("DELETE FROM idempotency_keys WHERE key = %s", ("again",))
        assert await store.append([], [key_of(player, "again"), forget, key_of(player, "again")]) == 3
        assert await store.query(KEYS) == [("again",)]


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


MOVE = (
    "WITH raised AS (UPDATE log SET epoch = epoch + 1 RETURNING epoch)"
    " UPDATE leases SET process = %s FROM raised WHERE slot = %s"
)


def lease(database: str, slot: int, process: int) -> None:
    """The games of this slot belong to that process from now on."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(MOVE, (process, slot))


@on_a_loop
async def test_what_needs_a_lease_is_stored_by_its_holder_alone(database: str) -> None:
    lease(database, 3, 71)
    async with EventStore(database) as owner, EventStore(database) as other:
        owner.lease_to(71)
        other.lease_to(72)
        stream: UUID = uuid4()
        for companions in ([], [key_of(stream, "not mine")]):
            with pytest.raises(NotLeased):
                await other.append([record(stream, 1)], companions, slot=3)
        assert await owner.append([record(stream, 1)], slot=3) == 1
        assert await other.append([record(stream, 2)]) == 2
        assert await other.query(KEYS) == []


@on_a_loop
async def test_a_lease_that_is_lost_while_appends_wait_refuses_those_that_need_it_and_no_others(database: str) -> None:
    lease(database, 3, 71)
    lease(database, 4, 71)
    async with EventStore(database) as owner:
        owner.lease_to(71)
        lost, kept, free = uuid4(), uuid4(), uuid4()
        await owner.append([record(lost, 1)], slot=3)
        with psycopg.connect(database) as connection:
            connection.execute(MOVE, (72, 3))
            queued = [
                asyncio.ensure_future(owner.append([record(lost, 2)], slot=3)),
                asyncio.ensure_future(owner.append([record(kept, 1)], [key_of(kept, "k")], slot=4)),
                asyncio.ensure_future(owner.append([record(lost, 3)], [key_of(lost, "l")], slot=3)),
                asyncio.ensure_future(owner.append([record(free, 1)])),
            ]
            while not await asyncio.to_thread(waiting_for_a_lock, database):
                await asyncio.sleep(0.01)
        done = await asyncio.gather(*queued, return_exceptions=True)
        assert [type(one) for one in done] == [NotLeased, int, NotLeased, int]
        assert await owner.records(lost) == records(lost, 1)
        assert await owner.query(KEYS) == [("k",)]
        lease(database, 3, 71)
        assert await owner.append([record(lost, 2)], slot=3) == 4


WORDS = ["plain", 'a "quoted" word', "back\\slash", "{brace, comma}", "NULL", "", "line\nbreak", "ключ 🂡"]


@on_a_loop
async def test_keys_that_are_stored_together_come_back_as_they_were(database: str) -> None:
    async with EventStore(database) as store:
        streams = [uuid4() for _ in WORDS]
        pairs = list(zip(streams, WORDS, strict=True))
        await asyncio.gather(*(store.append([record(stream, 1)], [many(stream, word)]) for stream, word in pairs))
        kept = await store.query("SELECT stream, key, body_hash, seat, answer FROM idempotency_keys")
        assert sorted(kept) == sorted((stream, word, b"\x00\\\xff", None, b"") for stream, word in pairs)


def many(stream: UUID, word: str) -> Companion:
    """An idempotency key as commands keep it."""
    key = idempotency.Key(stream, "play", stream, word, b"\x00\\\xff")
    return idempotency.use_companion(key, stream, 1, 1, None, b"")


def ways() -> tuple[float, ...]:
    """How many batches were pipelined, and how many were stored one by one."""
    values = (REGISTRY.get_sample_value("kibitz_append_batches_total", {"way": way}) for way in ("flight", "thorough"))
    return tuple(value or 0.0 for value in values)


async def taken_version(store: EventStore, stream: UUID) -> None:
    with pytest.raises(StaleVersion):
        await store.append([record(stream, 1)])


async def taken_key(store: EventStore, stream: UUID) -> None:
    with pytest.raises(DuplicateCompanion):
        await store.append([record(uuid4(), 1)], [key_of(stream, "one")])


async def wrong_companion(store: EventStore, stream: UUID) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable):
        await store.append([record(uuid4(), 1)], [Companion("INSERT INTO nothing VALUES (%s)", (1,))])


async def raised_epoch(store: EventStore, stream: UUID) -> None:
    fresh = uuid4()
    with psycopg.connect(store.conninfo) as connection:
        connection.execute("UPDATE log SET epoch = epoch + 1")
    await store.append([record(fresh, 1)], [many(fresh, "once")])
    assert await store.query("SELECT key FROM idempotency_keys WHERE stream = %s", [fresh]) == [("once",)]


async def dropped_statements(store: EventStore, stream: UUID) -> None:
    connection = store._writer_connection.usable
    assert connection is not None
    await asyncio.to_thread(connection.execute, "DEALLOCATE ALL")
    await store.append([record(uuid4(), 1)])


@pytest.mark.parametrize("refused", [taken_version, taken_key, wrong_companion, raised_epoch, dropped_statements])
@on_a_loop
async def test_a_refusal_is_stored_one_by_one_and_what_follows_is_pipelined(
    refused: Callable[[EventStore, UUID], Awaitable[None]], database: str, caplog: pytest.LogCaptureFixture
) -> None:
    stream = uuid4()
    async with EventStore(database) as store:
        await store.append([record(stream, 1)], [key_of(stream, "one")])
        for number in range(3):
            pipelined, one_by_one = ways()
            await refused(store, stream)
            assert ways() == (pipelined, one_by_one + 1)
            for version in (1, 2):
                await store.append([record(uuid4(), version)], [key_of(stream, f"{number} {version}")])
            assert ways() == (pipelined + 2, one_by_one + 1)
    assert caplog.records == []


@on_a_loop
async def test_a_long_stream_is_read_piece_by_piece_and_others_are_served_in_between(database: str) -> None:
    async with EventStore(database) as store:
        long, exact = uuid4(), uuid4()
        await store.append(records(long, 2 * AT_ONCE + 7))
        await store.append(records(exact, AT_ONCE))
        assert await store.records(long) == records(long, 2 * AT_ONCE + 7)
        assert await store.records(long, after=AT_ONCE) == records(long, AT_ONCE + 7, after=AT_ONCE)
        assert await store.records(exact) == records(exact, AT_ONCE)
        pieces = stream_records(long, 0, store.codec)
        wanted, sizes = next(pieces), []
        with suppress(StopIteration):
            while True:
                rows = await store.query(*wanted)
                sizes.append(len(rows))
                wanted = pieces.send(rows)
        assert sizes == [AT_ONCE, AT_ONCE, 7]
