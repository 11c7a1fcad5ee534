"""The order of the log: dense, in commit order, and complete for whoever follows it while others write."""

import asyncio
from contextlib import aclosing
from random import Random
from uuid import UUID, uuid4

import psycopg

from service.event_store.codec import Recorded
from service.event_store.errors import DuplicateCompanion, StaleVersion
from service.event_store.reading import read_log
from service.event_store.store import EventStore

from .made import follow, key_of, on_a_loop, records

WRITERS, STEPS = 4, 150


async def write(store: EventStore, shared: list[UUID], seed: int) -> set[tuple[UUID, int]]:
    """Steps of one to four records on streams that others write, too; every fifth with a key that somebody has used."""
    lots, stored = Random(seed), set()
    for number in range(STEPS):
        stream = lots.choice(shared)
        step = records(stream, lots.randint(1, 4), after=len(await store.records(stream)))
        text = "used" if number % 5 == 0 else f"{seed} {number}"
        try:
            await store.append(step, [key_of(shared[0], text)])
        except (StaleVersion, DuplicateCompanion):
            continue
        stored |= {(record.stream, record.version) for record in step}
    return stored


async def followed(store: EventStore, until: "asyncio.Future[int]") -> list[Recorded]:
    """What a follower is given, up to the position that is known in the end."""
    given: list[Recorded] = []
    async with aclosing(follow(store, 0)) as batches:
        async for batch in batches:
            given += batch
            if until.done() and given[-1].position >= until.result():
                break
    return given


async def look_again_and_again(database: str, until: "asyncio.Future[int]") -> list[int]:
    """A reader by position that never waits for a notification."""
    seen: list[int] = [0]
    with psycopg.connect(database, autocommit=True) as connection:
        while not until.done() or seen[-1] < until.result():
            seen += [found.position for found in await asyncio.to_thread(read_log, connection, seen[-1], 50)]
    return seen[1:]


@on_a_loop
async def test_a_database_that_is_stricter_by_default_does_not_turn_races_into_failures(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'".encode())
    async with EventStore(database) as one, EventStore(database) as other:
        shared = [uuid4()]
        stored = await asyncio.gather(*(write(store, shared, seed) for seed, store in enumerate([one, other])))
        assert [found.record for found in await one.read_after(0, 2000)] == records(shared[0], len(set.union(*stored)))


@on_a_loop
async def test_positions_are_dense_and_a_follower_misses_nothing_while_four_writers_conflict(database: str) -> None:
    stores = [EventStore(database) for _ in range(WRITERS)]
    for store in stores:
        await store.open()
    shared, end = [uuid4() for _ in range(5)], asyncio.get_running_loop().create_future()
    following = asyncio.ensure_future(followed(stores[0], end))
    looking = asyncio.ensure_future(look_again_and_again(database, end))
    stored = await asyncio.gather(*(write(store, shared, seed) for seed, store in enumerate(stores)))
    end.set_result(await stores[0].head() + 1)
    last = await stores[0].append(records(uuid4(), 1))
    given, seen = await following, await looking
    for store in stores:
        await store.close()
    acknowledged = set.union(*stored)
    assert [found.position for found in given] == seen == list(range(1, last + 1))
    assert {(found.record.stream, found.record.version) for found in given[:-1]} == acknowledged
    assert len(acknowledged) == sum(map(len, stored))
