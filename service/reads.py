"""Reading the read models: a snapshot of one projection at a time, from a pool of connections of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from projections.projection import Projection
from projections.reading import Counts, Snapshot, snapshot
from service.event_store.connections import pool_of, unavailability


class Reads:
    """The read side of one database."""

    def __init__(self, conninfo: str) -> None:
        self._pool = pool_of(conninfo, 4, 3.0)
        self._counts = Counts()

    async def open(self) -> None:
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    @asynccontextmanager
    async def of(self, projection: Projection) -> AsyncIterator[Snapshot]:
        """The projection at one position; raises StoreUnavailable while the database is gone."""
        with unavailability():
            async with self._pool.connection() as connection, snapshot(connection, projection, self._counts) as found:
                yield found
