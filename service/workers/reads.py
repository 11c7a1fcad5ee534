"""Reads of the read models, on the primary or a streaming replica: each a snapshot of one projection.

The replica is a copy of the whole database as of a moment ago, so that all reads of one answer fit together.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from projections.engine.contract import Projection
from projections.engine.reading import CountCache, Snapshot, snapshot
from service.event_store.connections import NOT_THERE, SILENCE, Pool, Rows
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion

MIN_POSITION = "Min-Log-Position"
"""A header of operations that may lag: the answer should be at least as of this position, if reached soon."""
PATIENCE = 1.0
"""Seconds to wait for a position that the reader names."""
_PAUSE = 0.01  # seconds between the first two checks of its position
_DOWN = 2.0  # seconds in which a replica that did not answer is not asked again


class Reads:
    """The read side of one database; `silence`: seconds after which a database that does not answer counts as gone.

    `patience`: seconds that a reader waits for a connection. `prepared`: False behind a pooler.
    """

    def __init__(
        self, conninfo: str, silence: float = SILENCE, *, patience: float = 3.0, prepared: bool = True
    ) -> None:
        self._pool = Pool(conninfo, 4, patience, silence, prepared=prepared)
        self._counts = CountCache()

    async def open(self) -> None:
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    def pool_stats(self) -> dict[str, int]:
        """The pool's counts."""
        return self._pool.stats()

    @asynccontextmanager
    async def of(self, projection: Projection) -> AsyncIterator[Snapshot]:
        """The projection at one position; raises StoreUnavailable while the database is gone."""
        async with self._pool.connection() as connection, snapshot(connection, projection, self._counts) as documents:
            yield documents

    async def rows(self, sql: str, params: Sequence[Any] = ()) -> Rows:
        """The rows of any reading statement; raises StoreUnavailable."""
        async with self._pool.connection() as connection, connection.cursor(binary=True) as cursor:
            await cursor.execute(sql.encode(), params)
            rows: Rows = await cursor.fetchall()
        return rows


class Replica:
    """A streaming replica of the database."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self._not_before = 0.0

    @property
    def usable(self) -> bool:
        """Whether the replica answered its last query, or the failure is some time ago."""
        return monotonic() >= self._not_before

    def mark_down(self) -> None:
        """Do not use the replica for a moment: it did not answer."""
        self._not_before = monotonic() + _DOWN


class RecentReads(Reads):
    """Reads on the first side, once it has reached `at_least` within PATIENCE, else on the last side.

    The sides are the replica and the primary, or the primary alone.

    `seen`: the lowest position read at so far; None before the first read.
    """

    def __init__(self, sides: Sequence[Reads], at_least: int = 0) -> None:
        self._sides, self._at_least = sides, at_least
        self.seen: int | None = None

    @asynccontextmanager
    async def of(self, projection: Projection) -> AsyncIterator[Snapshot]:
        side = await self._side(projection)
        async with side.of(projection) as documents:
            self.seen = documents.position if self.seen is None else min(self.seen, documents.position)
            yield documents

    async def _side(self, projection: Projection) -> Reads:
        until, pause = monotonic() + PATIENCE, _PAUSE
        while not await self._has_reached(projection):
            if monotonic() > until:
                return self._sides[-1]
            await asyncio.sleep(pause)
            pause *= 1.5
        return self._sides[0]

    async def _has_reached(self, projection: Projection) -> bool:
        if not self._at_least:
            return True
        async with self._sides[0].of(projection) as documents:
            return documents.position >= self._at_least


class ReplicaStore(EventStore):
    """The log on the replica, for one answer; after a failure there it stays with the primary."""

    def __init__(self, primary: EventStore, replica: Replica) -> None:
        self._primary, self._replica, self._left = primary, replica, False
        self.codec, self.vouch, self.newest_position = primary.codec, primary.vouch, primary.newest_position

    async def append(
        self, records: Sequence[Any], companions: Sequence[Companion] = (), slot: int | None = None
    ) -> int:
        return await self._primary.append(records, companions, slot)

    async def head(self, at_least: int = 0) -> int:
        """The newest position; the primary's if the replica does not reach `at_least` in time."""
        until = monotonic() + PATIENCE
        while (head := await super().head()) < at_least and not self._left:
            self._left = monotonic() > until
            await asyncio.sleep(_PAUSE)
        return head

    async def _select(self, sql: str, params: Sequence[Any] = (), *, often: bool = False) -> Rows:
        if not self._left:
            try:
                return await self._replica.reads.rows(sql, params)
            except NOT_THERE:
                self._left = True
                self._replica.mark_down()
        return await self._primary.query(sql, params)
