"""Listening: one connection that gets a notification for every batch and wakes followers of the log."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from psycopg import AsyncConnection, Error

from service.event_store.connections import conninfo_with_defaults, unavailability
from service.event_store.errors import StoreUnavailable
from service.event_store.writing.rows import CHANNEL
from service.telemetry.background import start_task

_PAUSE = 0.25  # seconds between attempts to reconnect


class Listener:
    """Wakes followers after every commit of any process, and after every reconnection.

    `heard` gets each notification: the sending server process's number, and the payload.
    """

    def __init__(
        self, conninfo: str, heard: Callable[[int, str], None] = lambda backend, payload: None, channel: str = CHANNEL
    ) -> None:
        self._conninfo = conninfo_with_defaults(conninfo, "listener")
        self._heard, self._channel = heard, channel
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start to listen, in a task of the running loop, which reconnects when the connection is lost."""
        if self._task is None:
            self._task = start_task(self._run, "event-store-listener")

    def end(self) -> None:
        """Stop listening, without waiting; `open` begins again."""
        if self._task is not None:
            self._task.cancel()
            self._ending, self._task = self._task, None

    async def close(self) -> None:
        """Stop listening."""
        self.end()
        if self._ending is not None:
            await asyncio.gather(self._ending, return_exceptions=True)

    @property
    def changed(self) -> asyncio.Event:
        """Set at the next change. Take it before reading, so that no change between reading and waiting is missed."""
        return self._changed

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _run(self) -> None:
        while True:
            with suppress(StoreUnavailable), unavailability():
                async with await AsyncConnection.connect(self._conninfo, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {self._channel}".encode())
                    self._wake()
                    await self._read_until_lost(connection)
            await asyncio.sleep(_PAUSE)

    async def _read_until_lost(self, connection: AsyncConnection[Any]) -> None:
        """Read notifications straight from the socket: a task for each would cost far more.

        libpq has closed a lost connection's socket, and a new one may have its number: it is not touched then.
        """
        loop, lost = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()
        socket = connection.fileno()
        loop.add_reader(socket, self._read, connection.pgconn, lost, partial(loop.remove_reader, socket))
        try:
            await lost
        finally:
            if not lost.done() or lost.cancelled():
                loop.remove_reader(socket)

    def _read(self, server: Any, lost: "asyncio.Future[None]", stop_watching: Callable[[], object]) -> None:
        try:
            server.consume_input()
            while (note := server.notifies()) is not None:
                self._heard(note.be_pid, note.extra.decode())
                self._wake()
        except Error as error:
            stop_watching()
            if not lost.done():
                lost.set_exception(error)
