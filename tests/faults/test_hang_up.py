"""A server that dies in the middle of a transaction, its last words still on the line and ours unread."""

import asyncio
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any
from uuid import uuid4

import pytest
import uvloop
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from service.event_store.errors import StoreUnavailable
from service.event_store.store import EventStore
from tests.service.event_store.made import record

_FIELDS = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0"
_LAST_WORDS = b"E" + (len(_FIELDS) + 4).to_bytes(4, "big") + _FIELDS


@contextmanager
def dying(conninfo: str, armed: Event) -> Iterator[str]:
    """The database behind a line; once armed, it answers the writer with its last words, and reads nothing."""
    there: dict[str, Any] = conninfo_to_dict(conninfo)
    name = f".s.PGSQL.{there['port']}"
    with TemporaryDirectory(prefix="kibitz-line-") as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{folder}/{name}")
        listener.listen()
        Thread(target=_accept, args=(listener, f"{there['host']}/{name}", armed), daemon=True).start()
        yield make_conninfo(**{**there, "host": folder})


def _accept(listener: socket.socket, there: str, armed: Event) -> None:
    with suppress(OSError):
        while True:
            near, _ = listener.accept()
            far = socket.socket(socket.AF_UNIX)
            far.connect(there)
            Thread(target=_carry, args=(near, far, armed), daemon=True).start()


def _carry(near: socket.socket, far: socket.socket, armed: Event) -> None:
    writer = False
    with near, far, suppress(OSError):
        while True:
            for ready in select.select([near, far], [], [])[0]:
                if ready is near and writer and armed.is_set():
                    armed.clear()
                    return near.sendall(_LAST_WORDS)
                if not (data := ready.recv(65_536)):
                    return None
                writer = writer or b"kibitz writer" in data
                (far if ready is near else near).sendall(data)


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_an_append_is_told_of_its_servers_death_and_the_next_ones_go_through(database: str, loop: Any) -> None:
    async def append(conninfo: str, armed: Event) -> None:
        async with EventStore(conninfo, silence=600.0) as store:
            assert await store.append([record(uuid4(), 1)]) == 1
            for position in (2, 3, 4):
                armed.set()
                with pytest.raises(StoreUnavailable, match="postmaster exit"):
                    await asyncio.wait_for(store.append([record(uuid4(), 1)]), 30)
                assert await store.append([record(uuid4(), 1)]) == position

    armed = Event()
    with dying(database, armed) as conninfo, asyncio.Runner(loop_factory=loop) as runner:
        runner.run(append(conninfo, armed))
