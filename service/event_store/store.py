"""The event store as async code uses it, on one event loop: append, read, and whether it can be written."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from math import inf
from time import monotonic
from typing import Any, Self, TypeVar
from uuid import UUID

import psycopg
import structlog

from service.event_store import imported, keyed_writes, schema, unsealing
from service.event_store.codec import AnyRecord, Codec, Recorded, standard_codec
from service.event_store.connections import SILENCE, Pool, Rows
from service.event_store.errors import StoreUnavailable
from service.event_store.imported import Vouch, no_verifier
from service.event_store.log_positions import OwnPositions
from service.event_store.reading import SELECT_HEAD, MultiQuery, log_records, stream_records
from service.event_store.writing.rows import Append, Companion, Row
from service.event_store.writing.writer import GroupWriter, WriterConnection
from service.problems import Refused
from service.telemetry import tracing
from service.telemetry.background import start_task

R = TypeVar("R")
BATCH = 500
"""Most records that are read at once."""
_CHECK = 0.5  # seconds between two checks how long the writer has been waiting
_log = structlog.get_logger("store")


class EventStore:
    """The log of one database. Several stores may append: versions, and leases where given, prevent conflicts.

    All methods raise StoreUnavailable while the database is gone and work again when it is back.
    Wrong SQL raises psycopg's own errors.
    """

    def __init__(
        self, conninfo: str, codec: Codec | None = None, *, readers: int = 4,
        patience: float = 3.0, session: str | None = None, silence: float = SILENCE, vouch: Vouch = no_verifier,
    ) -> None:  # fmt: skip
        """`readers`: most connections that read; `patience`: seconds a read waits for one of them.

        `vouch`: names the service that signed an imported record. `session`: the direct address of the same database,
        where `conninfo` may be a pooler's. `silence`: seconds after which a database that does not answer counts as
        gone.
        """
        self.conninfo, self.session = conninfo, session or conninfo
        self.codec = codec or standard_codec()
        self.vouch = vouch
        self.own_positions = OwnPositions()
        self.newest_position = 0
        """The newest log position that this process has heard of: its answers show nothing later."""
        self._writer_connection = WriterConnection(self.session)
        self.writability = Writability(self._write_probe)
        self._size, self._prepared = readers, self.conninfo == self.session
        self._patience, self._silence = patience, silence

    async def open(self) -> None:
        """Connect; raises StoreUnavailable, or SchemaMissing, SchemaOutdated or SchemaNewer."""
        self.loop = asyncio.get_running_loop()
        await asyncio.to_thread(schema.check, self.session)
        self._writer = GroupWriter(self._writer_connection, self.writability.note)
        await self._writer.open()
        self._pool = Pool(self.conninfo, self._size, self._patience, self._silence, prepared=self._prepared)
        await self._pool.open()
        self._stall_check = start_task(self._check_for_stalls, "event-store-relief")

    async def close(self) -> None:
        """Store and answer what has queued, then close every connection."""
        await self._writer.close()
        self._stall_check.cancel()
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
        rows = [self.codec.row(record) for record in records]
        return await self.append_rows(rows, (*companions, *unsealing.companions(records, self.codec.seals)), slot)

    async def append_rows(
        self, rows: Sequence[Row], companions: Sequence[Companion] = (), slot: int | None = None
    ) -> int:
        """As `append`, for records that are encoded already."""
        stored: asyncio.Future[int] = self.loop.create_future()
        if tracing.is_on:
            tracing.note_queued(stored)
        self._writer.submit(Append(tuple(rows), tuple(companions), slot), stored)
        position = await stored
        if keyed_writes.current_write.get() is not None:
            keyed_writes.note_stored(companions)
        self.own_positions.add(position - len(rows) + 1, position)
        return self.note_position(position)

    async def _check_for_stalls(self) -> None:
        """Shut off the writer's connection when the database stays silent: the writer itself only waits."""
        while True:
            await asyncio.sleep(_CHECK)
            self._writer_connection.abort_if_stalled(self._silence)

    async def records(self, stream: UUID, after: int = 0) -> list[AnyRecord]:
        """The records of one stream after this version, in order; empty if there is no such stream."""
        return (await self.find_stream(stream, after)).records

    async def find_stream(self, stream: UUID, after: int = 0) -> imported.Stream:
        """As `records`, with the importers: a stream that the log does not have may be imported."""
        if records := await self.run_queries(stream_records(stream, after, self.codec)):
            return imported.Stream(records)
        return imported.imported_stream(await self.query(imported.SELECT, [stream, stream]), after, self.vouch)

    async def since(self, stream: UUID, version: int) -> list[AnyRecord] | None:
        """The records of a stream after this version; None if it has no record of this version."""
        records = await self.run_queries(stream_records(stream, version - 1, self.codec))
        return records[1:] if records and records[0].version == version else None

    async def read_after(self, position: int, limit: int = BATCH) -> list[Recorded]:
        """Up to `limit` records after this position, in the order of the log."""
        return await self.run_queries(log_records(position, limit, self.codec))

    async def run_queries(self, query: MultiQuery[R]) -> R:
        """Run a read of several queries; its result."""
        try:
            sql, params = next(query)
            while True:
                sql, params = query.send(await self._select(sql, params, often=True))
        except StopIteration as end:
            result: R = end.value
            return result

    @property
    def queued(self) -> int:
        """How many appends wait for the current batch to end."""
        return self._writer.queued

    def pool_stats(self) -> dict[str, int]:
        """The counts of the pool of readers."""
        return self._pool.stats()

    async def head(self, at_least: int = 0) -> int:
        """The position of the newest record, 0 in an empty log. A store that may lag waits for `at_least` first."""
        return self.note_position(int((await self.query(SELECT_HEAD))[0][0]))

    def note_position(self, position: int) -> int:
        """Note that the log has this position; returns it."""
        self.newest_position = max(self.newest_position, position)
        return position

    @property
    def backend(self) -> int:
        """The number of our writer's server process, to recognise our own notifications."""
        return self._writer_connection.backend

    def lease_to(self, process: int) -> None:
        """Append with the leases of this process from now on."""
        self._writer_connection.process = process

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


PROBE = "TRUNCATE write_probe; INSERT INTO write_probe SELECT repeat('x', 7000) FROM generate_series(1, 8)"
"""One transaction that needs 64 kB of new pages, and frees the old ones."""
_AFTER_SUCCESS, _AFTER_FAILURE = 5.0, 1.0  # least seconds between two probes
_FRESH = 5.0  # seconds that a refused append counts
# SQLSTATE classes of a server that answers and cannot write: read-only, no resources, limits, system errors, internal.
_REFUSED = ("25", "53", "54", "58", "XX")
_SENTENCES = {
    "53100": "The database's disk is full: nothing can be written.",
    "25006": "The database is read-only: nothing can be written.",
}


class Writability:
    """Whether the database can be written, judged by the last appends and by a probe.

    A process that is not ready gets no requests, so its appends alone would never show that writing works again.
    `probe` writes, and raises StoreUnavailable where that failed.
    """

    def __init__(self, probe: Callable[[], Awaitable[None]]) -> None:
        self._probe = probe
        self._probed_at = self._append_refused_at = -inf
        self._probe_complaint: str | None = None
        self._append_complaint: str | None = None

    def note(self, error: Exception | None) -> None:
        """Note an append's error; None: it was stored."""
        if error is None:
            self._append_complaint = None
        elif (sentence := complaint(error)) is not None:
            if self._append_complaint is None:
                _log.error("nothing can be written", error=str(error))
            self._append_complaint, self._append_refused_at = sentence, monotonic()

    async def complaint(self) -> str | None:
        """Why nothing can be written, one sentence; None where it can. Raises StoreUnavailable."""
        at = monotonic()
        if self._append_complaint is not None and at - self._append_refused_at < _FRESH:
            return self._append_complaint
        failed = self._probe_complaint is not None or self._append_complaint is not None
        if at - self._probed_at > (_AFTER_FAILURE if failed else _AFTER_SUCCESS):
            self._probed_at = at
            try:
                await self._probe()
                self._probe_complaint = None
            except StoreUnavailable as error:
                if (sentence := complaint(error)) is None:
                    raise
                self._probe_complaint = sentence
            self._append_complaint = None
        return self._probe_complaint


def complaint(error: Exception) -> str | None:
    """The sentence for an error of a reachable server that refuses to write; None for any other error."""
    cause = error.__cause__
    state = cause.sqlstate if isinstance(error, StoreUnavailable) and isinstance(cause, psycopg.Error) else None
    if state is None or not state.startswith(_REFUSED):
        return None
    return _SENTENCES.get(state, "The database refuses what is written; its log says why.")
