"""What the database holds, read past the service."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from domain.play.aggregate import Game, fold
from service.event_store.codec import AnyRecord, Codec, standard_codec
from service.event_store.reading import read_head, read_stream
from service.event_store.store import EventStore
from service.keys.sealing import Seals

from .serving import KEYS, Service


def codec() -> Codec:
    """What the servers of this run seal with."""
    return standard_codec().sealing(Seals(KEYS).read())


def head(service: Service) -> int:
    """The position of the newest event."""
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        return read_head(connection)


def records(service: Service, game: dict[str, Any]) -> list[AnyRecord]:
    """Every record of a game."""
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        return read_stream(connection, UUID(game["id"]), codec=codec())


def rows(service: Service, statement: str, *values: Any) -> list[Any]:
    """The rows of a query."""
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        return connection.execute(statement.encode(), values).fetchall()


def folded(service: Service, game: dict[str, Any]) -> Game:
    """The game as its records fold, with all that is hidden."""
    return fold(records(service, game))


def done(service: Service, statement: str, *values: Any) -> int:
    """Run a statement; how many rows it met."""
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        return connection.execute(statement.encode(), values).rowcount


def append(service: Service, records: Sequence[AnyRecord]) -> None:
    """Put these records into the log, past the service."""

    async def stored() -> None:
        async with EventStore(service.conninfo) as store:
            await store.append(records)

    asyncio.run(stored())


def everything(service: Service) -> Iterator[tuple[str, bytes]]:
    """Every row of every table, as PostgreSQL writes it in text and, its byte strings, as they are."""
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        for (table,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall():
            for row in connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(table))).fetchall():
                for value in row:
                    yield table, value if isinstance(value, bytes) else str(value).encode()


def in_the_clear(record: AnyRecord) -> bytes:
    """The record as it was stored before there was sealing."""
    return standard_codec().encode(record)
