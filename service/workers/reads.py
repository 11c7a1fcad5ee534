"""Reads the read models: a snapshot of one projection at a time, from its own connection pool."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from projections.engine.contract import Projection
from projections.engine.reading import CountCache, Snapshot, snapshot
from service.event_store.connections import SILENCE, Pool, Rows


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
        """What the pool counts."""
        return self._pool.stats()

    @asynccontextmanager
    async def of(self, projection: Projection) -> AsyncIterator[Snapshot]:
        """The projection at one position; raises StoreUnavailable while the database is gone."""
        async with self._pool.connection() as connection, snapshot(connection, projection, self._counts) as found:
            yield found

    async def rows(self, sql: str, params: Sequence[Any] = ()) -> Rows:
        """The rows of any reading statement; raises StoreUnavailable."""
        async with self._pool.connection() as connection, connection.cursor(binary=True) as cursor:
            await cursor.execute(sql.encode(), params)
            found: Rows = await cursor.fetchall()
        return found
