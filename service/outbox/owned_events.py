"""Events kept by owner, an account or a league, in the order of their commits: read as pages, after one of them, and by
open streams that wait for the next, woken by the database's notification."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar
from uuid import UUID

from service.event_store.listener import Listener
from service.event_store.store import EventStore

E = TypeVar("E")
CHANNEL = "kibitz_account"
"""The channel with the owner of each event."""
BEGINNING = UUID(int=0)
"""Stands for the place before the first event."""
POSITION = "coalesce(log_position, (SELECT head FROM log))"
"""Reads the log position at which an event's cause stands; of an old event a later one."""
POSITION_TEXT = "Name it in `Min-Log-Position` to read what came of it."


class OwnedEvents(Generic[E]):
    """The events of one table; `columns` of it make an event by `read`, and have its `id`."""

    def __init__(self, table: str, owner: str, columns: str, read: Callable[[Sequence[Any]], E]) -> None:
        self._read = read
        self._select = f"SELECT number, {columns} FROM {table} WHERE {owner} = %s"
        self._number = f"SELECT number FROM {table} WHERE {owner} = %s AND id = %s"
        self._newest = f"SELECT id FROM {table} WHERE {owner} = %s ORDER BY number DESC LIMIT 1"

    async def number_of(self, store: EventStore, owner: UUID, event: UUID) -> int | None:
        """Where this event of the owner stands; None where the owner has none of this id."""
        if event == BEGINNING:
            return 0
        rows = await store.query(self._number, (owner, event))
        return int(rows[0][0]) if rows else None

    async def newest(self, store: EventStore, owner: UUID) -> UUID:
        """The owner's newest event, or BEGINNING."""
        rows = await store.query(self._newest, (owner,))
        return rows[0][0] if rows else BEGINNING

    async def page(self, store: EventStore, owner: UUID, most: int, before: int | None) -> list[E]:
        """At most `most` events of the owner, newest first, before this number."""
        more, values = ("", ()) if before is None else (" AND number < %s", (before,))
        rows = await store.query(f"{self._select}{more} ORDER BY number DESC LIMIT %s", (owner, *values, most))
        return [self._read(row[1:]) for row in rows]

    async def after(self, store: EventStore, owner: UUID, number: int, most: int) -> list[tuple[int, E]]:
        """At most `most` events of the owner after this number, oldest first, with their numbers."""
        rows = await store.query(f"{self._select} AND number > %s ORDER BY number LIMIT %s", (owner, number, most))
        return [(row[0], self._read(row[1:])) for row in rows]


class EventWaiters:
    """The open streams of accounts and leagues in this process. An event of any process wakes those of its owner."""

    def __init__(self, conninfo: str) -> None:
        self._waiting: dict[UUID, set[asyncio.Event]] = {}
        self._streams = 0
        self._listener = Listener(conninfo, lambda backend, owner: self.wake_owner(UUID(owner)), CHANNEL)

    def __len__(self) -> int:
        return self._streams

    def open(self) -> None:
        """Start to listen, in a task of the running loop."""
        self._listener.open()

    async def close(self) -> None:
        """Stop listening."""
        await self._listener.close()

    @contextmanager
    def wait(self, *owners: UUID) -> Iterator[asyncio.Event]:
        """An event that is set when something happens to one of them; whoever waits clears it before reading."""
        news = asyncio.Event()
        self._streams += 1
        for owner in owners:
            self._waiting.setdefault(owner, set()).add(news)
        try:
            yield news
        finally:
            self._streams -= 1
            for owner in owners:
                self._waiting[owner].discard(news)
                if not self._waiting[owner]:
                    del self._waiting[owner]

    def wake_owner(self, owner: UUID) -> None:
        """Wake the streams of this account or league."""
        for news in self._waiting.get(owner, ()):
            news.set()

    def wake(self) -> None:
        """Wake all streams."""
        for owner in self._waiting:
            self.wake_owner(owner)
