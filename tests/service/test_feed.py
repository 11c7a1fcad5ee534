"""The feed's reading of the log: page by page, each game where its secrets are told, as it stood then."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, fold
from domain.play.deciding import Act, Step, play, record_events, revealed_event
from domain.play.endings import void
from domain.play.open_record import read_record
from domain.play.table import Opening, open_game
from service.event_store.connections import Rows
from service.event_store.store import EventStore
from service.jobs.process import WorkerPool
from service.records.feed import ENTRIES, PAGE, Entry, Filter, entries, record_text
from service.settings import Settings
from tests.domain.played import SECRET, START, act, player
from tests.service.event_store.made import on_a_loop
from tests.service.finished_games import stored

HEAD = 10**9
NOWHERE = Path("/nowhere")


class Watched(EventStore):
    """A store that counts the rows it is asked for."""

    def __init__(self, conninfo: str) -> None:
        super().__init__(conninfo)
        self.asked: list[int] = []

    async def query(self, sql: str, params: Sequence[Any] = ()) -> Rows:
        rows = await super().query(sql, params)
        self.asked.append(len(rows))
        return rows


async def told(store: EventStore, after: int = 0, until: int = HEAD) -> list[Entry]:
    return [entry async for entry in entries(store, after, until)]


@on_a_loop
async def test_the_log_is_read_in_pages_as_far_as_somebody_reads(database: str) -> None:
    stored(database, 2 * PAGE + 7)
    async with Watched(database) as store:
        reading = entries(store, 0, HEAD)
        first = [await anext(reading) for _ in range(PAGE)]
        assert store.asked == [PAGE]
        rest = [entry async for entry in reading]
        assert store.asked == [PAGE, PAGE, 7]
        found = [*first, *rest]
        assert len({entry.opened.stream for entry in found}) == len(found) == 2 * PAGE + 7
        assert [entry.position for entry in found] == sorted(entry.position for entry in found)


@on_a_loop
async def test_no_connection_is_held_between_two_pages(database: str) -> None:
    stored(database, PAGE + 1)
    async with EventStore(database, readers=1, patience=60.0) as store:
        reading = entries(store, 0, HEAD)
        await anext(reading)
        assert await store.head() > 0
        assert len([entry async for entry in reading]) == PAGE


@on_a_loop
async def test_nothing_behind_the_position_to_which_it_is_read_is_told(database: str) -> None:
    stored(database, 10)
    async with EventStore(database) as store:
        whole = await told(store)
        for entry in whole:
            before, behind = await told(store, 0, entry.position), await told(store, entry.position)
            assert before[-1] == entry
            assert before + behind == whole
            assert await told(store, 0, entry.position - 1) == before[:-1]


async def text_of(store: EventStore, entry: Entry) -> str:
    """The record's text, as the process of heavy work writes it."""
    heavy = WorkerPool(store.conninfo, Settings(sealing_keys=NOWHERE))
    try:
        return await record_text(heavy, entry)
    finally:
        await heavy.close()


@on_a_loop
async def test_a_contests_game_enters_when_the_contest_reveals_it(database: str) -> None:
    async with EventStore(database) as store:
        game = _contest()
        finished = await store.append(game)
        assert await told(store) == []
        shown = await store.append(_revealed(game))
        (entry,) = await told(store)
        assert (entry.position, entry.kind, entry.result) == (shown, "finished", fold(game).result)
        assert entry.position > finished
        assert entry.ended_at == game[-1].time
        assert await told(store, finished) == [entry]
        assert list(read_record((await text_of(store, entry)).encode()).records) == [*game, *_revealed(game)]


@on_a_loop
async def test_a_contests_game_that_is_void_before_it_is_revealed_enters_once_and_void(database: str) -> None:
    async with EventStore(database) as store:
        game = _contest()
        game += void(fold(game), "no good", act(None, 3)).records
        await store.append(game)
        assert await told(store) == []
        await store.append(_revealed(game))
        (entry,) = await told(store)
        assert (entry.kind, entry.result) == ("voided", fold(game).result)


@on_a_loop
async def test_an_entry_and_its_record_say_the_same_after_the_game_was_declared_void(database: str) -> None:
    async with EventStore(database) as store:
        game = _resigned(_opened())
        await store.append(game)
        (before,) = await told(store)
        text = await text_of(store, before)
        await store.append(void(fold(game), "no good", act(None, 3)).records)
        first, second = await told(store)
        assert (first, await text_of(store, first)) == (before, text)
        assert (second.kind, second.result, second.ended_at) == ("voided", before.result, before.ended_at)
        assert len(await text_of(store, second)) > len(text)


@on_a_loop
async def test_only_public_games_are_wanted(database: str) -> None:
    async with EventStore(database) as store:
        for visibility in ("public", "unlisted", "private"):
            await store.append(_resigned(_opened(visibility=visibility)))
        assert [Filter().matches(entry) for entry in await told(store)] == [True, False, False]


def test_the_index_of_the_feed_is_what_is_read(database: str) -> None:
    stored(database, 2000)
    with psycopg.connect(database, autocommit=True) as connection:
        assert "events_default_position_idx1" in _plan(connection)
        connection.execute("ANALYZE events")
        assert "Index Scan using events_default_position_idx1 on events_default" in _plan(connection)


def _plan(connection: "psycopg.Connection[Any]") -> str:
    rows = connection.execute(f"EXPLAIN {ENTRIES}".encode(), (*(0, HEAD, PAGE) * 2, PAGE)).fetchall()
    plan = "\n".join(row[0] for row in rows)
    assert "Seq Scan on events" not in plan
    return plan


def _opened(**more: Any) -> Step:
    found = GAME_TYPES["klondike"]
    return open_game(
        uuid4(), Opening(type=found, options=found.options(), players=(player(0),), **more), SECRET, act(0, 0)
    )


def _resigned(step: Step) -> list[AnyRecord]:
    return [*step.records, *play(step.game, ev.Resign(), act(0, 1)).records]


def _contest() -> list[AnyRecord]:
    """A contest's game that is over, and its secrets still secret."""
    return _resigned(_opened(contest=UUID(int=77)))


def _revealed(game: list[AnyRecord]) -> tuple[AnyRecord, ...]:
    after = fold(game)
    return record_events(Step((), after), [revealed_event(after)], Act(None, None, START + 10**9)).records
