"""Following the log: what is there, then what comes, from whichever process, through lost connections."""

import asyncio
from contextlib import aclosing
from uuid import UUID, uuid4

import psycopg
import pytest

from service.event_store.codec import Recorded
from service.event_store.reading import read_head, read_log, read_stream
from service.event_store.store import EventStore
from service.event_store.writing.rows import CHANNEL

from .made import cut_off, follow, on_a_loop, records
from .test_append import one_batch


async def first(store: EventStore, count: int, after: int = 0) -> list[Recorded]:
    found: list[Recorded] = []
    async with aclosing(follow(store, after)) as batches:
        async for batch in batches:
            found += batch
            if len(found) >= count:
                break
    return found


def streams(found: list[Recorded]) -> list[UUID]:
    return [recorded.record.stream for recorded in found]


@on_a_loop
async def test_a_follower_is_given_what_is_there_and_then_what_comes(database: str) -> None:
    async with EventStore(database) as store:
        one, other = uuid4(), uuid4()
        await store.append(records(one, 2))
        following = asyncio.ensure_future(first(store, 4))
        await asyncio.sleep(0.1)
        await store.append(records(other, 2))
        assert await following == [
            Recorded(at, record) for at, record in enumerate(records(one, 2) + records(other, 2), 1)
        ]


@on_a_loop
async def test_a_follower_starts_behind_its_position(database: str) -> None:
    async with EventStore(database) as store:
        await store.append(records(uuid4(), 1200))
        found = await first(store, 1190, after=10)
        assert [recorded.position for recorded in found] == list(range(11, 1201))


@on_a_loop
async def test_a_notification_from_another_store_wakes_every_follower(database: str) -> None:
    async with EventStore(database) as store, EventStore(database) as other:
        stream = uuid4()
        following = [asyncio.ensure_future(first(store, 1)) for _ in range(3)]
        await asyncio.sleep(0.1)
        await other.append(records(stream, 1))
        assert [streams(found) for found in await asyncio.gather(*following)] == [[stream]] * 3


@on_a_loop
async def test_every_batch_tells_the_new_head_even_one_in_which_somebody_was_refused(database: str) -> None:
    async with EventStore(database) as store:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}".encode())
            taken = records(uuid4(), 1)
            await store.append(taken)
            await one_batch(store, [store.append(taken), store.append(records(uuid4(), 3))])
            heard = [notification.payload for notification in connection.notifies(timeout=60, stop_after=3)]
        assert heard == ["1", "2", "5"]


@on_a_loop
async def test_blocking_readers_read_the_same(database: str) -> None:
    async with EventStore(database) as store:
        stream = uuid4()
        await store.append(records(stream, 5))
        with psycopg.connect(database) as connection:
            assert read_stream(connection, stream, after=2) == await store.records(stream, after=2)
            assert read_log(connection, 1, 3) == await store.read_after(1, 3)
            assert read_head(connection) == await store.head() == 5


@pytest.mark.parametrize("lost", [("kibitz reader", "kibitz writer", "kibitz listener"), ("kibitz listener",)])
@on_a_loop
async def test_a_follower_survives_lost_connections_and_misses_nothing(database: str, lost: tuple[str, ...]) -> None:
    async with EventStore(database) as store:
        one, other = uuid4(), uuid4()
        following = asyncio.ensure_future(first(store, 2))
        await store.append(records(one, 1))
        await asyncio.sleep(0.1)
        cut_off(database, *lost)
        await store.append(records(other, 1))
        assert streams(await following) == [one, other]
