"""The event store as async code uses it, on one event loop: append, read, follow."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Self
from uuid import UUID

from psycopg_pool import AsyncConnectionPool

from service.event_store import imported, reading, schema
from service.event_store.codec import AnyRecord, Codec, standard_codec
from service.event_store.connections import Rows, pool_of, unavailability
from service.event_store.errors import StoreUnavailable
from service.event_store.imported import Found
from service.event_store.line import Line
from service.event_store.listener import Listener
from service.event_store.reading import Recorded
from service.event_store.rows import Append, Companion, Row
from service.event_store.writer import Answer, Writer

BATCH = 500
"""Records that a follower is given at most at once."""
POLL = 5.0
"""Seconds after which a follower looks for itself: the safety net under the notifications."""


class EventStore:
    """The log of one database. With `alone`, opening it fences every writer opened before.

    Everything but `follow` raises StoreUnavailable while the database is gone and works again when it is back.
    Wrong SQL raises psycopg's own errors.
    """

    def __init__(
        self, conninfo: str, codec: Codec | None = None, *, alone: bool = False, readers: int = 4, patience: float = 3.0
    ) -> None:
        """`readers` is the most connections that read; `patience` the seconds a read waits for one of them."""
        self.conninfo = conninfo
        self._codec = codec or standard_codec()
        self._line = Line(conninfo, alone)
        self._size = readers
        self._patience = patience

    async def open(self) -> None:
        """Connect; raises StoreUnavailable, or SchemaMissing, SchemaOutdated or SchemaNewer."""
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(schema.check, self.conninfo)
        self._writer = Writer(self._line, self._deliver)
        await asyncio.to_thread(self._writer.open)
        self._pool: AsyncConnectionPool[Any] = pool_of(self.conninfo, self._size, self._patience)
        await self._pool.open()
        self._listener = Listener(self.conninfo)

    async def close(self) -> None:
        """Store and answer what has queued, then let every connection go."""
        await asyncio.to_thread(self._writer.close)
        await self._listener.close()
        await self._pool.close()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def append(self, records: Sequence[AnyRecord], companions: Sequence[Companion] = ()) -> int:
        """Store these records and companions, all or nothing; the position of the last record, once it is durable.

        Raises StaleVersion, DuplicateCompanion or StoreUnavailable. A caller that is cancelled meanwhile does not
        take its append back.
        """
        rows = tuple(self._row(record) for record in records)
        answer: asyncio.Future[int] = self._loop.create_future()
        self._writer.submit(Append(rows, tuple(companions)), answer)
        return await answer

    def _row(self, record: AnyRecord) -> Row:
        return Row(record.stream, record.version, self._codec.topic(record), self._codec.encode(record))

    def _deliver(self, answers: list[Answer]) -> None:
        """In the writer's thread: one call into the loop for the whole batch."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_resolve, answers)

    async def records(self, stream: UUID, after: int = 0) -> list[AnyRecord]:
        """The records of one stream behind this version, in order; none if there is no such stream."""
        return (await self.found(stream, after)).records

    async def found(self, stream: UUID, after: int = 0) -> Found:
        """The same, and who has brought them here: what the log does not have is looked for beside it."""
        if rows := await self._select(reading.SELECT_STREAM, [stream, after]):
            return Found(reading.records(rows, self._codec))
        return imported.found(await self._select(imported.SELECT, [stream]), after)

    async def read_after(self, position: int, limit: int = BATCH) -> list[Recorded]:
        """Up to `limit` records behind this position, in the order of the log."""
        return reading.recorded(await self._select(reading.SELECT_LOG, [position, limit]), self._codec)

    async def head(self) -> int:
        """The position of the newest record, 0 in an empty log."""
        return int((await self._select(reading.SELECT_HEAD))[0][0])

    async def leads(self) -> bool:
        """Whether this store may still append: no other has taken the log over."""
        rows = await self._select("SELECT epoch FROM log")
        return bool(rows[0][0] == self._line.epoch)

    async def query(self, sql: str, params: Sequence[Any] = ()) -> Rows:
        """The rows of a reading statement: look-ups of idempotency keys and tokens."""
        return await self._select(sql, params)

    async def _select(self, sql: str, params: Sequence[Any] = ()) -> Rows:
        with unavailability():
            async with self._pool.connection() as connection, connection.cursor(binary=True) as cursor:
                await cursor.execute(sql.encode(), params)
                rows: Rows = await cursor.fetchall()
        return rows

    async def follow(self, after: int) -> AsyncIterator[list[Recorded]]:
        """The log behind this position, in batches, for ever: every record once, in order, soon after its commit.

        A lost connection only makes it wait.
        """
        self._listener.open()
        while True:
            changed = self._listener.changed
            batch = await self._read_patiently(after)
            if batch:
                yield batch
                after = batch[-1].position
            else:
                await _either(changed, POLL)

    async def _read_patiently(self, after: int) -> list[Recorded]:
        try:
            return await self.read_after(after, BATCH)
        except StoreUnavailable:
            return []


def _resolve(answers: list[Answer]) -> None:
    for answer in answers:
        future: asyncio.Future[int] = answer.waiter
        if future.done():
            continue
        if isinstance(answer.outcome, Exception):
            future.set_exception(answer.outcome)
        else:
            future.set_result(answer.outcome)


async def _either(changed: asyncio.Event, seconds: float) -> None:
    """Wait for the event, or so long."""
    try:
        await asyncio.wait_for(changed.wait(), seconds)
    except TimeoutError:
        return
