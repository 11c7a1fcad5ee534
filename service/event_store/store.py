"""The event store as async code uses it, on one event loop: append and read."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any, Self, TypeVar
from uuid import UUID

from service.event_store import keyed_writes, schema
from service.event_store.codec import AnyRecord, Codec, standard_codec
from service.event_store.connections import SILENCE, Pool, Rows
from service.event_store.log_positions import OwnPositions
from service.event_store.packing.logs import log_records, stream_records
from service.event_store.reading import blocking, imported, unsealing
from service.event_store.reading.decoding import MultiQuery, Recorded
from service.event_store.reading.imported import FoundStream, Vouch, vouch_for_none
from service.event_store.writing.loop_writer import LoopWriter
from service.event_store.writing.rows import Append, Companion, Row
from service.event_store.writing.writability import PROBE, Writability
from service.event_store.writing.writer_connection import WriterConnection
from service.problems import Refused
from service.telemetry import tracing
from service.telemetry.background import start_task

R = TypeVar("R")
BATCH = 500
"""Most records that are read at once."""
_LOOK = 0.5  # seconds between two checks how long the writer has been waiting


class EventStore:
    """The log of one database. Several stores may append: versions, and leases where given, prevent conflicts.

    All methods raise StoreUnavailable while the database is gone and work again when it is back.
    Wrong SQL raises psycopg's own errors.
    """

    def __init__(
        self, conninfo: str, codec: Codec | None = None, *, readers: int = 4,
        patience: float = 3.0, session: str | None = None, silence: float = SILENCE, vouch: Vouch = vouch_for_none,
    ) -> None:  # fmt: skip
        """`readers`: most connections that read; `patience`: seconds a read waits for one of them.

        `vouch`: tells who vouches for an imported record.

        `session`: the direct address of the same database, where `conninfo` may be a pooler's. `silence`: seconds
        after which a database that does not answer counts as gone.
        """
        self.conninfo, self.session = conninfo, session or conninfo
        self.codec = codec or standard_codec()
        self.vouch = vouch
        self.own = OwnPositions()
        self.newest_position = 0
        """The newest log position of which this process has heard: all that it has told anybody stands there."""
        self._line = WriterConnection(self.session)
        self.writability = Writability(self._write_probe)
        self._size, self._prepared = readers, self.conninfo == self.session
        self._patience, self._silence = patience, silence

    async def open(self) -> None:
        """Connect; raises StoreUnavailable, or SchemaMissing, SchemaOutdated or SchemaNewer."""
        self.loop = asyncio.get_running_loop()
        await asyncio.to_thread(schema.check, self.session)
        self._writer = LoopWriter(self._line, self.writability.note)
        await self._writer.open()
        self._pool = Pool(self.conninfo, self._size, self._patience, self._silence, prepared=self._prepared)
        await self._pool.open()
        self._relief = start_task(self._relieve, "event-store-relief")

    async def close(self) -> None:
        """Store and answer what has queued, then close every connection."""
        await self._writer.close()
        self._relief.cancel()
        await self._pool.close()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def append(
        self, records: Sequence[AnyRecord], companions: Sequence[Companion] = (), slot: int | None = None
    ) -> int:
        """Store these records and companions, all or nothing; the position of the last record, once it is durable.

        Raises StaleVersion, DuplicateCompanion or StoreUnavailable; NotLeased if the given slot belongs to another
        process. Cancelling the caller does not undo its append.
        """
        rows, reveals = [], False
        for record in records:
            rows.append(self.codec.row(record))
            reveals |= type(record.event) in unsealing.REVEALING
        if reveals:
            companions = (*companions, *unsealing.companions(records, self.codec.seals))
        return await self.append_rows(rows, companions, slot)

    async def append_rows(
        self, rows: Sequence[Row], companions: Sequence[Companion] = (), slot: int | None = None
    ) -> int:
        """As `append`, for records that are encoded already."""
        answer: asyncio.Future[int] = self.loop.create_future()
        if tracing.is_on:
            tracing.note_queued(answer)
        self._writer.submit(Append(tuple(rows), tuple(companions), slot), answer)
        position = await answer
        if keyed_writes.in_hand.get() is not None:
            keyed_writes.note_stored(companions)
        self.own.add(position - len(rows) + 1, position)
        return self.note_position(position)

    async def _relieve(self) -> None:
        """Shut off the writer's connection when the database stays silent: the writer itself only waits."""
        while True:
            await asyncio.sleep(_LOOK)
            self._line.relieve(self._silence)

    async def records(self, stream: UUID, after: int = 0) -> list[AnyRecord]:
        """The records of one stream after this version, in order; empty if there is no such stream."""
        return (await self.find_stream(stream, after)).records

    async def find_stream(self, stream: UUID, after: int = 0) -> FoundStream:
        """As `records`, with the importers: a stream that the log does not have may be imported."""
        if records := await self.run_queries(stream_records(stream, after, self.codec)):
            return FoundStream(records)
        return imported.found_import(await self._select(imported.SELECT, [stream, stream]), after, self.vouch)

    async def since(self, stream: UUID, version: int) -> list[AnyRecord] | None:
        """The records of a stream after this version; None if it has no record of this version."""
        found = await self.run_queries(stream_records(stream, version - 1, self.codec))
        return found[1:] if found and found[0].version == version else None

    async def read_after(self, position: int, limit: int = BATCH) -> list[Recorded]:
        """Up to `limit` records after this position, in the order of the log."""
        return await self.run_queries(log_records(position, limit, self.codec))

    async def run_queries(self, asked: MultiQuery[R]) -> R:
        """Run a read of several queries; its result."""
        try:
            wanted = next(asked)
            while True:
                wanted = asked.send(await self._select(*wanted, often=True))
        except StopIteration as end:
            found: R = end.value
            return found

    @property
    def queued(self) -> int:
        """How many appends wait for the batch in hand."""
        return self._writer.queued

    def pool_stats(self) -> dict[str, int]:
        """What the pool of readers counts."""
        return self._pool.stats()

    async def head(self, at_least: int = 0) -> int:
        """The position of the newest record, 0 in an empty log. A store that may lag waits for `at_least` first."""
        return self.note_position(int((await self._select(blocking.SELECT_HEAD))[0][0]))

    def note_position(self, position: int) -> int:
        """Note that the log has this position; returns it."""
        self.newest_position = max(self.newest_position, position)
        return position

    @property
    def backend(self) -> int:
        """The number of our writer's server process, to recognise our own notifications."""
        return self._line.backend

    def lease_to(self, process: int) -> None:
        """Append with the leases of this process from now on."""
        self._line.fence.process = process

    async def query(self, sql: str, params: Sequence[Any] = ()) -> Rows:
        """The rows of a reading statement."""
        return await self._select(sql, params)

    async def _select(self, sql: str, params: Sequence[Any] = (), *, often: bool = False) -> Rows:
        """`often`: prepare the statement at its first use, unless behind a pooler."""
        async with self._pool.connection() as connection, connection.cursor(binary=True) as cursor:
            await cursor.execute(sql.encode(), params, prepare=True if often and self._prepared else None)
            rows: Rows = await cursor.fetchall()
        return rows

    async def _write_probe(self) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(PROBE.encode(), prepare=False)


def count_tries(most: int = 3) -> Iterator[int]:
    """Count the tries to store a change, for a loop that is left once it is stored; raises Refused after `most`.

    Each try reads and decides again, because another writer was faster.
    """
    yield from range(most)
    raise Refused("stale_version", "Others were faster, again and again.")
