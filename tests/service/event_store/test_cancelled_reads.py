"""Readers of a pool: cancelled at any await they take no connection with them; what comes back serves who waits."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from random import Random
from typing import Any

import anyio
import pytest
import uvloop
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from projections import PROJECTIONS
from service.event_store.connections import Pool
from service.event_store.store import EventStore
from service.telemetry.background import EXIT
from service.workers.reads import Reads
from tests.faults.world import ROOT
from tests.service.event_store.made import on_a_loop

Read = Callable[[], Awaitable[Any]]
_ROUNDS, _AT_ONCE, _TURNS = 100, 16, 60
_SIZE = 4
"""Connections of either pool."""


async def cancel_once(read: Read, turns: int) -> None:
    """Cancel the read after so many turns of the loop."""
    task = asyncio.ensure_future(read())
    await _give_turns(turns)
    task.cancel()
    await asyncio.wait([task])


async def cancel_at_each_await(read: Read, turns: int) -> None:
    """As anyio's task groups do, by which Litestar ends a stream."""
    async with anyio.create_task_group() as group:
        group.start_soon(read)
        await _give_turns(turns)
        group.cancel_scope.cancel()


async def _give_turns(turns: int) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)


@pytest.mark.parametrize("cancel", [cancel_once, cancel_at_each_await])
@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_readers_who_are_cancelled_cost_no_connection(database: str, loop: Any, cancel: Any) -> None:
    async def run() -> None:
        lots, reads = Random(1), Reads(database)
        await reads.open()
        async with EventStore(database) as store:

            async def take_snapshot() -> None:
                async with reads.of(next(iter(PROJECTIONS.values()))):
                    await asyncio.sleep(0)

            kinds: list[Read] = [
                store.head, store.head, store._write_probe, take_snapshot, lambda: reads.rows("SELECT"),
            ]  # fmt: skip
            for _ in range(_ROUNDS):
                await asyncio.gather(*(cancel(lots.choice(kinds), lots.randrange(_TURNS)) for _ in range(_AT_ONCE)))
            for pool in (store._pool, reads._pool):
                async with AsyncExitStack() as held:
                    for _ in range(_SIZE):
                        await held.enter_async_context(pool.connection())
                stats = pool.stats()
                assert (stats["pool_size"], stats["pool_available"]) == (_SIZE, _SIZE)
        await reads.close()

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(run())


@asynccontextmanager
async def door_before(database: str) -> AsyncIterator[tuple[str, asyncio.Event]]:
    """An address that leads to this database, and an event: while it is not set, new connections wait there."""
    target, is_open = conninfo_to_dict(database), asyncio.Event()
    is_open.set()

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while part := await reader.read(65536):
                writer.write(part)
                await writer.drain()
        writer.close()

    async def let_in(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await is_open.wait()
        host, port = str(target["host"]), target.get("port", 5432)
        connect = asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}") if host.startswith("/") else (
            asyncio.open_connection(host, int(port))
        )  # fmt: skip
        answers, requests = await connect
        await asyncio.gather(pass_on(reader, requests), pass_on(answers, writer))

    async with await asyncio.start_server(let_in, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        yield make_conninfo(database, host="127.0.0.1", port=port, sslmode="disable"), is_open
        is_open.set()


@on_a_loop
async def test_a_connection_that_comes_back_serves_a_reader_for_whom_another_is_being_made(database: str) -> None:
    """On a busy machine a new connection takes longer than a reader waits."""

    async with door_before(database) as (address, is_open):
        pool = Pool(address, 2, 5.0, 60.0)
        await pool.open()

        async def read() -> Any:
            async with pool.connection() as connection:
                return await (await connection.execute("SELECT 1")).fetchone()

        async with pool.connection():
            is_open.clear()
            reading = asyncio.create_task(read())
            await asyncio.sleep(0.1)
            assert not reading.done(), "it waits for a connection of its own"
        assert await reading == (1,)
        await pool.close()


@on_a_loop
async def test_a_reader_waits_for_no_task_that_connects_for_nobody_any_more(database: str) -> None:
    """One that has just ended, after its reader was cancelled, was counted among those that still connect."""

    pool = Pool(database, 2, 30.0, 60.0)
    await pool.open()
    cancelled = asyncio.create_task(pool.connection().__aenter__())
    await asyncio.sleep(0)
    cancelled.cancel()
    while not pool.stats()["pool_available"]:
        await asyncio.sleep(0)
    async with pool.connection(), pool.connection():
        assert pool.stats()["pool_size"] == 2
    await pool.close()


_KEEP_ALL = """
import asyncio, sys
from service.event_store.store import EventStore

async def keep(store):
    async with store._pool.connection():
        await asyncio.Event().wait()

async def run():
    async with EventStore(sys.argv[1], readers=2, patience=0.2, silence=0.3) as store:
        keepers = [asyncio.create_task(keep(store)) for _ in range(2)]
        await asyncio.Event().wait()

asyncio.run(run())
"""


def test_a_process_whose_connections_never_come_back_ends(database: str) -> None:
    command = [sys.executable, "-c", _KEEP_ALL, database]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == EXIT, ended.stderr
    assert "no connection to the database came back to its pool, though the database answers" in ended.stderr
