"""The same log over the real store: batches of any size, and a rebuild that grows beside what is read."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256
from random import Random
from threading import Event, Thread
from time import sleep
from typing import Any
from uuid import UUID

import pytest
from many_seasons import DAYS
from projection_logs import Span, span
from psycopg import AsyncConnection, Connection
from seasons import contest_id
from test_seasons import EACH, log, of, straight

from projections.boards.reliability import RELIABILITIES
from projections.boards.reliability import rows as reliability
from projections.boards.scoreboards import SCOREBOARDS, board
from projections.contests.days import DAYS_PROJECTION, SCORES
from projections.engine import batches
from projections.engine.builds import builds, live_fingerprint, restart
from projections.engine.contract import Collection, Projection, advance
from projections.engine.following import Follower
from projections.engine.reading import snapshot
from projections.engine.rows import encode_document, fingerprint
from projections.ladders.ladder_projection import LADDERS, ladder
from projections.leagues.league_projection import LEAGUES_PROJECTION, TABLES
from tests.memory_documents import MemoryDocuments

LIMIT = 400
KINDS = ("spite_and_malice", "decs_building", "screaming_yoda", "megiddo", "klondike", "freecell")


def follower(projection: Projection, limit: int = LIMIT, until: int = 10**9) -> Follower:
    """Follows the log up to this position."""

    def read(connection: Connection[Any], after: int, limit: int, topics: frozenset[str] | None) -> Span:
        return span([entry for entry in log() if entry.position <= until], after, limit, topics)

    return Follower([projection], read, limit)


def caught_up(connection: Connection[Any], following: Follower) -> None:
    following.begin(connection)
    while following.round(connection):
        pass


@EACH
def test_batches_of_any_size_store_what_was_folded_in_memory(
    connection: Connection[Any], projection: Projection
) -> None:
    """Small ones first, of one event each, then of any size."""
    lots, until = Random(3), 0
    while until < log()[-1].position:
        size = lots.choice((1, 1, 2, 7, 100, 300, 700))
        until += 10 * size
        caught_up(connection, follower(projection, size, until))
    assert live_fingerprint(connection, projection) == fingerprint(straight(projection.name).rows())


@EACH
def test_a_batch_that_is_sent_in_many_parts_stores_the_same(
    connection: Connection[Any], projection: Projection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a ruling touches more than is to be held in memory: little is held, and lists are read in pages."""
    monkeypatch.setattr(batches, "_MOST_WRITTEN", 1000)
    monkeypatch.setattr(batches, "_PAGE", 200)
    caught_up(connection, follower(projection, 3000))
    assert live_fingerprint(connection, projection) == fingerprint(straight(projection.name).rows())


@EACH
def test_readers_see_whole_tables_only_while_a_rebuild_grows_and_takes_over(
    database: str, connection: Connection[Any], projection: Projection
) -> None:
    """Half of the log is read already when the rebuild is asked for, and both go on from there."""
    caught_up(connection, follower(projection, until=log()[len(log()) // 2].position))
    old = builds(connection)[0].build
    restart(connection, projection)
    with Reader(database, projection) as reader:
        caught_up(connection, follower(projection))
    assert [(build.live, build.build > old) for build in builds(connection)] == [(True, True)]
    assert live_fingerprint(connection, projection) == fingerprint(straight(projection.name).rows())
    documents, readable, wanted_positions = MemoryDocuments(), dict[int, set[str]](), set(reader.seen)
    for entry in log():
        advance(projection, documents, entry.position - 1, [entry])
        if entry.position in wanted_positions:
            readable[entry.position] = {digest([list(documents.scan(table)) for table in tables(projection)])}
    assert reader.seen == readable
    assert reader.positions == sorted(reader.positions), "a reader was taken back"
    assert len(reader.seen) > 1
    assert reader.positions[-1] == log()[-1].position


def digest(tables: Sequence[Sequence[tuple[str, Any]]]) -> str:
    """Whole tables as one word."""
    return sha256(b"".join(key.encode() + encode_document(row) for table in tables for key, row in table)).hexdigest()


class Reader:
    """Reads all tables of a projection again and again in a thread of its own; `seen`: what there was, by position."""

    def __init__(self, database: str, projection: Projection) -> None:
        self._database, self._projection = database, projection
        self._stop, self._thread = Event(), Thread(target=lambda: asyncio.run(self._read()))
        self.seen: defaultdict[int, set[str]] = defaultdict(set)
        self.positions: list[int] = []

    def __enter__(self) -> "Reader":
        """Once it has read."""
        self._thread.start()
        while not self.positions and self._thread.is_alive():
            sleep(0.01)
        return self

    def __exit__(self, *error: object) -> None:
        """After one more look."""
        self._stop.set()
        self._thread.join()

    async def _read(self) -> None:
        async with await AsyncConnection.connect(self._database, autocommit=True) as connection:
            last = False
            while not last:
                last = self._stop.is_set()
                await self._look(connection)

    async def _look(self, connection: AsyncConnection[Any]) -> None:
        async with snapshot(connection, self._projection) as shot:
            self.positions.append(shot.position)
            self.seen[shot.position].add(digest([await shot.documents(table) for table in tables(self._projection)]))


def tables(projection: Projection) -> list[Collection[Any]]:
    """What is read of a projection."""
    collections: dict[str, list[Collection[Any]]] = {
        LEAGUES_PROJECTION.name: [TABLES(league) for league in leagues()],
        LADDERS.name: [ladder(kind) for kind in KINDS],
        DAYS_PROJECTION.name: [SCORES(contest_id(day)) for day in range(DAYS)],
        RELIABILITIES.name: [reliability()],
        SCOREBOARDS.name: [board(kind) for kind in KINDS],
    }
    return collections[projection.name]


def leagues() -> list[UUID]:
    return sorted({table.league for table in of(TABLES, straight("leagues")).values()})
