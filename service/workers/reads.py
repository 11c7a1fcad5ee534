"""Reads the read models: a snapshot of one projection at a time, from its own connection pool."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from projections.engine.contract import Projection
from projections.engine.reading import CountCache, Snapshot, snapshot
from service.event_store.connections import SILENCE, Rows, pool_of, shut_off_after, unavailability


class Reads:
    """The read side of one database; `silence`: seconds after which a database that does not answer counts as gone.

    `patience`: seconds that a reader waits for a connection. `prepared`: False behind a pooler.
    """

    def __init__(
        self, conninfo: str, silence: float = SILENCE, *, patience: float = 3.0, prepared: bool = True
    ) -> None:
        self._silence = silence
        self._pool = pool_of(conninfo, 4, patience, prepared=prepared)
        self._counts = CountCache()

    async def open(self) -> None:
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    def pool_stats(self) -> dict[str, int]:
        """What psycopg's pool counts: requests, those that waited, how long."""
        return self._pool.get_stats()

    @asynccontextmanager
    async def of(self, projection: Projection) -> AsyncIterator[Snapshot]:
        """The projection at one position; raises StoreUnavailable while the database is gone."""
        async with self._connection() as connection, snapshot(connection, projection, self._counts) as found:
            yield found

    async def rows(self, sql: str, params: Sequence[Any] = ()) -> Rows:
        """The rows of any reading statement; raises StoreUnavailable."""
        async with self._connection() as connection, connection.cursor(binary=True) as cursor:
            await cursor.execute(sql.encode(), params)
            found: Rows = await cursor.fetchall()
        return found

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        with unavailability():
            async with self._pool.connection() as connection:
                with shut_off_after(connection, self._silence):
                    yield connection
