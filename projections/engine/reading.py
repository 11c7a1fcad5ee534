"""Reads of the API: documents, and pages of them with ranks and cursors, from one database snapshot at its position."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Generic, NamedTuple

import msgspec
from cachetools import LRUCache
from psycopg import AsyncConnection

from projections.engine.contract import Collection, D, Projection


class BadCursor(ValueError):
    """A cursor that no page has given out."""


class Cursor(NamedTuple):
    """The last document of a page: its sort and its key."""

    sort: bytes
    key: str

    def text(self) -> str:
        """The cursor in one word of a URL."""
        return urlsafe_b64encode(len(self.sort).to_bytes(2, "big") + self.sort + self.key.encode()).decode().rstrip("=")


def read_cursor(text: str) -> Cursor:
    """The cursor that this text stands for; raises BadCursor."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        length = int.from_bytes(raw[:2], "big")
        read = Cursor(raw[2 : 2 + length], raw[2 + length :].decode())
    except ValueError as error:
        raise BadCursor(text) from error
    if read.text() != text:
        raise BadCursor(text)
    return read


class Listed(NamedTuple, Generic[D]):
    """A document of a page; equal sorts share the rank, counted from 1."""

    rank: int
    key: str
    document: D


class Page(NamedTuple, Generic[D]):
    """Listed documents, greatest sort first, and the cursor of the next page: None at the end."""

    rows: tuple[Listed[D], ...]
    after: Cursor | None


class Gathered(NamedTuple, Generic[D]):
    """Documents, greatest sort first, and the cursor of the next page: None at the end."""

    documents: tuple[D, ...]
    after: Cursor | None


class CountCache(LRUCache[tuple[Any, ...], tuple[int, ...]]):
    """A cache of counts in long lists of one database; keys hold build and position, so an entry never gets stale."""

    def __init__(self) -> None:
        super().__init__(2000)


class Snapshot:
    """One projection as it stands at `position`; a projection that has not yet been built stands at 0 and is empty."""

    def __init__(
        self, connection: AsyncConnection[Any], build: int, position: int, counts: CountCache | None = None
    ) -> None:  # fmt: skip
        self._connection, self._build, self._counts = connection, build, CountCache() if counts is None else counts
        self.position = position

    async def document(self, collection: Collection[D], key: str) -> D | None:
        """One document, or None."""
        rows = await self._rows("SELECT body FROM documents WHERE build = %s AND collection = %s AND key = %s",
                                 collection, key)  # fmt: skip
        return msgspec.msgpack.decode(rows[0][0], type=collection.document) if rows else None

    async def documents(self, collection: Collection[D]) -> list[tuple[str, D]]:
        """The whole collection, listed or not, in the order of the keys."""
        rows = await self._rows(
            "SELECT key, body FROM documents WHERE build = %s AND collection = %s ORDER BY key", collection
        )
        return [(key, msgspec.msgpack.decode(body, type=collection.document)) for key, body in rows]

    async def page(self, collection: Collection[D], limit: int, after: Cursor | None = None) -> Page[D]:
        """At most `limit` listed documents behind the cursor, with their ranks."""
        found = await self._listed_rows(collection, limit + 1, after)
        rows = found[:limit]
        if not rows:
            return Page((), None)
        ranks = await self._ranks(collection, [(sort, key) for key, sort, _ in rows])
        listed = [
            Listed(rank, key, msgspec.msgpack.decode(body, type=collection.document))
            for rank, (key, _, body) in zip(ranks, rows, strict=True)
        ]
        return Page(tuple(listed), Cursor(rows[-1][1], rows[-1][0]) if len(found) > limit else None)

    async def gather(
        self,
        lists: Sequence[Collection[Any]],
        of: Collection[D],
        limit: int,
        after: Cursor | None = None,
        least: bytes = b"",
    ) -> Gathered[D]:
        """At most `limit` documents of `of`, in the order in which their keys stand in these lists, read as one.

        No key may stand in two of the lists, and each has its document. `least`: the lowest rank that is read.
        """
        rows = await self._merged_rows(lists, of, limit + 1, after, least)
        documents = tuple(msgspec.msgpack.decode(body, type=of.document) for _, _, body in rows[:limit])
        return Gathered(documents, Cursor(*rows[limit - 1][:2]) if len(rows) > limit else None)

    async def _merged_rows(
        self, lists: Sequence[Collection[Any]], of: Collection[Any], limit: int, after: Cursor | None, least: bytes
    ) -> list[Any]:
        """Read a page of each list, take the first of all of them, and only then read documents."""
        behind = "AND sort <= %s AND NOT (sort = %s AND key <= %s) " if after else ""
        done = await self._connection.execute(
            "WITH listed AS (SELECT marks.sort, marks.key FROM unnest(%s::text[]) AS one (name), LATERAL ("
            "SELECT sort, key FROM documents WHERE build = %s AND collection = one.name AND sort >= %s " + behind
            + "ORDER BY sort DESC, key LIMIT %s) AS marks ORDER BY sort DESC, key LIMIT %s) "
            "SELECT listed.sort, listed.key, body FROM listed JOIN documents ON build = %s AND collection = %s "
            "AND documents.key = listed.key ORDER BY listed.sort DESC, listed.key",
            ([row.name for row in lists], self._build, least, *((after.sort, after.sort, after.key) if after else ()),
             limit, limit, self._build, of.name),
        )  # fmt: skip
        return await done.fetchall()

    async def rank(self, collection: Collection[Any], key: str) -> int | None:
        """The rank of one document: 1 and those that sort above it; None where it is not listed."""
        rows = await self._rows(
            "SELECT sort FROM documents WHERE build = %s AND collection = %s AND key = %s", collection, key
        )
        if not rows or rows[0][0] is None:
            return None
        above = "SELECT count(*) FROM documents WHERE build = %s AND collection = %s AND sort > %s"
        return 1 + (await self._count(above, collection, rows[0][0]))[0]

    async def size(self, collection: Collection[Any]) -> int:
        """How many documents are listed."""
        listed = "SELECT count(*) FROM documents WHERE build = %s AND collection = %s AND sort IS NOT NULL"
        return (await self._count(listed, collection))[0]

    async def _listed_rows(self, collection: Collection[Any], limit: int, after: Cursor | None) -> list[Any]:
        behind = "AND sort <= %s AND NOT (sort = %s AND key <= %s) " if after else ""
        return await self._rows(
            "SELECT key, sort, body FROM documents WHERE build = %s AND collection = %s AND sort IS NOT NULL "
            + behind + "ORDER BY sort DESC, key LIMIT %s",
            collection, *((after.sort, after.sort, after.key) if after else ()), limit,
        )  # fmt: skip

    async def _ranks(self, collection: Collection[Any], places: list[tuple[bytes, str]]) -> list[int]:
        """Ranks of neighbours in the list: counted once, for the first of them."""
        sort, key = places[0]
        above, before = await self._count(
            "SELECT count(*) FILTER (WHERE sort > %s), count(*) FROM documents"
            " WHERE build = %s AND collection = %s AND sort >= %s AND (sort > %s OR key < %s)",
            collection, sort, sort, key, first=(sort,),
        )  # fmt: skip
        ranks = [above + 1]
        for at in range(1, len(places)):
            ranks.append(ranks[-1] if places[at][0] == places[at - 1][0] else before + at + 1)
        return ranks

    async def _count(
        self, query: str, collection: Collection[Any], *values: Any, first: tuple[Any, ...] = ()
    ) -> tuple[int, ...]:
        """The one row of counts of this query, cached by position."""
        key = (self._build, self.position, query, collection.name, *values)
        if (counted := self._counts.get(key)) is None:
            counted = self._counts[key] = tuple((await self._rows(query, collection, *values, first=first))[0])
        return counted

    async def _rows(
        self, query: Any, collection: Collection[Any], *values: Any, first: tuple[Any, ...] = ()
    ) -> list[Any]:
        done = await self._connection.execute(query, (*first, self._build, collection.name, *values))
        return await done.fetchall()


@asynccontextmanager
async def snapshot(
    connection: AsyncConnection[Any], projection: Projection, counts: CountCache | None = None
) -> AsyncIterator[Snapshot]:
    """The projection in one snapshot of the database; while a new version is built, that build as far as it is.

    `counts`: the cache of counts of this database.
    """
    async with connection.transaction():
        await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor = await connection.execute(
            "SELECT build, position FROM positions WHERE projection = %s AND version = %s ORDER BY live DESC LIMIT 1",
            (projection.name, projection.version),
        )
        build, position = await cursor.fetchone() or (0, 0)
        yield Snapshot(connection, build, position, counts)
