"""The database dies and comes back: commands fail meanwhile, the store lives, and what was acknowledged is there."""

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psutil
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import ConnStatus

from service.cluster.roster import Roster
from service.event_store.errors import DuplicateCompanion, StaleVersion, StoreUnavailable
from service.event_store.listener import Listener
from service.event_store.schema import migrate
from service.event_store.store import EventStore
from service.event_store.writing.pipeline import Pipeline
from service.postgres import Server, start, stop

from .made import cut_off, key_of, log_held, on_a_loop, record, records, waiting_for_a_lock
from .test_follow import first

Probe = Callable[[EventStore], Awaitable[object]]
PROBES: list[Probe] = [
    lambda store: store.append([record(uuid4(), 1)]),
    lambda store: store.append([record(uuid4(), 1)], [key_of(uuid4(), "key")]), lambda store: store.records(uuid4()),
    lambda store: store.read_after(0, 10), lambda store: store.head(), lambda store: store.query("SELECT 1"),
]  # fmt: skip


def kill(server: Server) -> None:
    """kill -9 of the whole server, and the folder let go, as if this process had died with it."""
    assert server.process is not None
    assert server.lock is not None
    os.kill(server.pid, signal.SIGKILL)
    server.process.wait()
    os.close(server.lock)


async def until_it_works(probe: Probe, store: EventStore) -> None:
    while True:
        try:
            await probe(store)
        except StoreUnavailable:
            await asyncio.sleep(0.02)
        else:
            return


async def play_on(store: EventStore, stream: UUID, acknowledged: list[int]) -> None:
    """One record after the other, each with its key; after a lost answer the key tells whether it was stored."""
    for version in range(1, 401):
        stored = False
        while not stored:
            try:
                await store.append([record(stream, version)], [key_of(stream, str(version))])
                stored = True
            except (StaleVersion, DuplicateCompanion):
                stored = True
            except StoreUnavailable:
                await asyncio.sleep(0.02)
        acknowledged.append(version)


@on_a_loop
async def test_a_store_fails_while_the_database_is_gone_and_works_again_afterwards(data_folder: Path) -> None:
    server = start(data_folder)
    migrate(server.dsn)
    async with EventStore(server.dsn, patience=0.3) as store:
        stream = uuid4()
        await store.append(records(stream, 3))
        following = asyncio.ensure_future(first(store, 4))
        backends = psutil.Process(server.pid).children()
        kill(server)
        psutil.wait_procs(backends, 60)
        for probe in PROBES:
            with pytest.raises(StoreUnavailable):
                await probe(store)
        server = start(data_folder)
        for probe in PROBES[2:]:
            await until_it_works(probe, store)
        assert await store.records(stream) == records(stream, 3)
        await until_it_works(PROBES[0], store)
        assert [found.position for found in await following] == [1, 2, 3, 4]
    stop(server)


@on_a_loop
async def test_what_was_acknowledged_is_neither_lost_nor_doubled_by_kills(data_folder: Path) -> None:
    server = start(data_folder)
    migrate(server.dsn)
    streams = [uuid4() for _ in range(4)]
    async with EventStore(server.dsn, patience=0.3) as store:
        acknowledged: list[int] = []
        playing = [asyncio.ensure_future(play_on(store, stream, acknowledged)) for stream in streams]
        for goal in (300, 900):
            while len(acknowledged) < goal:
                await asyncio.sleep(0.005)
            kill(server)
            server = await asyncio.to_thread(start, data_folder)
        await asyncio.gather(*playing)
        await until_it_works(PROBES[4], store)
        for stream in streams:
            assert await store.records(stream) == records(stream, 400)
        assert [found.position for found in await store.read_after(0, 5000)] == list(range(1, 1601))
    stop(server)


@on_a_loop
async def test_an_append_that_was_interrupted_is_told_so_and_the_next_one_works(database: str) -> None:
    async with EventStore(database) as store:
        with log_held(database):
            append = asyncio.ensure_future(store.append([record(uuid4(), 1)]))
            while not await asyncio.to_thread(waiting_for_a_lock, database):
                await asyncio.sleep(0.01)
            cut_off(database, "kibitz writer")
            with pytest.raises(StoreUnavailable, match="terminating connection"):
                await append
        assert await store.append([record(uuid4(), 1)]) == 1


@on_a_loop
@pytest.mark.parametrize("reader", [Pipeline, Listener])
async def test_whoever_gets_a_lost_connection_s_number_is_left_to_listen(
    reader: Any, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """libpq closes the socket of a connection as soon as it is lost; here another one is opened in the same turn."""
    loop, heard, opened, read = asyncio.get_running_loop(), asyncio.Event(), list[socket.socket](), reader._read

    def read_and_open(*given: Any) -> None:
        pgconn = given[1] if reader is Listener else given[0]._pgconn
        number = pgconn.socket
        read(*given)
        if pgconn.status == ConnStatus.BAD:
            opened.extend(sorted(socket.socketpair(), key=lambda one: one.fileno() != number))
            assert opened[0].fileno() == number
            loop.add_reader(number, heard.set)

    monkeypatch.setattr(reader, "_read", read_and_open)
    async with EventStore(database) as store:
        listener = Listener(database)
        listener.open()
        await listener.changed.wait()
        with log_held(database):
            append = asyncio.ensure_future(store.append([record(uuid4(), 1)]))
            while not await asyncio.to_thread(waiting_for_a_lock, database):
                await asyncio.sleep(0.01)
            cut_off(database, "kibitz writer" if reader is Pipeline else "kibitz listener")
            while not opened:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            opened[1].send(b"heard")
            await asyncio.wait_for(heard.wait(), 10)
        await asyncio.gather(append, return_exceptions=True)
        await listener.close()
        loop.remove_reader(opened[0].fileno())
    for one in opened:
        one.close()


@on_a_loop
async def test_connections_that_were_lost_while_idle_cost_nobody_an_error(database: str) -> None:
    async with EventStore(database) as store:
        await asyncio.gather(*(store.head() for _ in range(20)))
        await store.append([record(uuid4(), 1)])
        cut_off(database, "kibitz reader", "kibitz writer")
        assert await store.append([record(uuid4(), 1)]) == 2
        assert await asyncio.gather(*(store.head() for _ in range(20))) == [2] * 20


@on_a_loop
async def test_a_store_does_not_open_without_its_database() -> None:
    with pytest.raises(StoreUnavailable, match="does not answer"):
        await EventStore("host=/nowhere dbname=nothing").open()


@on_a_loop
async def test_of_several_hosts_one_that_hangs_leaves_time_for_the_next(database: str) -> None:
    """Whoever gave up before the second host was asked would never have a lease again."""
    with socket.create_server(("127.0.0.1", 0)) as hung:
        there = conninfo_to_dict(database)
        several = {"host": f"127.0.0.1,{there['host']}", "port": f"{hung.getsockname()[1]},{there['port']}"}
        roster = Roster(make_conninfo(**{**there, **several}), "here:1")
        assert (await roster.read()).living
        await roster.close()
