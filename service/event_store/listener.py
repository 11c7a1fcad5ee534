"""Listening: one connection that hears of every batch and wakes whoever follows the log."""

import asyncio
from contextlib import suppress

from psycopg import AsyncConnection

from service.event_store.connections import settled, unavailability
from service.event_store.errors import StoreUnavailable
from service.event_store.rows import CHANNEL

_PAUSE = 0.25  # seconds between attempts to reconnect; followers poll meanwhile


class Listener:
    """Wakes followers after every commit, whichever process made it, and after every reconnection."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = settled(conninfo, "listener")
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start to listen, once, in a task of the running loop; losing the connection only means to try again."""
        if self._task is not None:
            return
        self._task = asyncio.get_running_loop().create_task(self._run(), name="event-store-listener")

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    @property
    def changed(self) -> asyncio.Event:
        """Set at the next change. Take it before reading: a change between reading and waiting is then not missed."""
        return self._changed

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _run(self) -> None:
        while True:
            with suppress(StoreUnavailable), unavailability():
                await self._listen()
            await asyncio.sleep(_PAUSE)

    async def _listen(self) -> None:
        async with await AsyncConnection.connect(self._conninfo, autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}".encode())
            self._wake()
            async for _ in connection.notifies():
                self._wake()
