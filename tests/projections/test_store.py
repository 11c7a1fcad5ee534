"""Documents in PostgreSQL: what is stored, swapped, read and followed is what was folded."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, TypeVar

import psycopg
import pytest
from msgspec import Struct
from projection_logs import ADA, Span, folded, real_log, season, span
from psycopg import AsyncConnection, Connection
from structlog.testing import capture_logs

from projections import PROJECTIONS
from projections.boards.scoreboards import SCOREBOARDS, Standing, board
from projections.engine import batches, following
from projections.engine.batches import StoredDocuments
from projections.engine.builds import (
    StaleBuild,
    add,
    build_fingerprint,
    builds,
    live_fingerprint,
    prepare,
    promote,
    restart,
    set_positions,
)
from projections.engine.contract import (
    Collection,
    Documents,
    Family,
    KeyMissing,
    Placed,
    Projection,
    Recorded,
    rank_key,
)
from projections.engine.following import Follower
from projections.engine.reading import BadCursor, Cursor, Snapshot, read_cursor, snapshot
from projections.engine.rows import fingerprint
from projections.games.game_lists import GAMES
from tests.memory_documents import MemoryDocuments, flush, fold_batch

T = TypeVar("T")
ALL = pytest.mark.parametrize("projection", PROJECTIONS.values(), ids=lambda projection: projection.name)


class Score(Struct, frozen=True):
    name: str
    points: int


SCORES: Family[Score] = Family("scores", Score)


@cache
def mixed() -> tuple[Placed, ...]:
    """Real games, a season of hand-made ones behind them, and voids."""
    real = real_log()
    return (*real, *(Placed(entry.position + real[-1].position, entry.record) for entry in season()))


@cache
def fingerprint_of(name: str) -> str:
    """The fingerprint of that log, folded in memory."""
    return fingerprint(folded(PROJECTIONS[name], mixed()).rows())


def nothing(documents: Documents, recorded: Recorded) -> None:
    """A fold that reads nothing."""


TABLE = Projection(name="table", version=1, topics=frozenset(), families=(SCORES,), fold=nothing)


def fold_all(connection: Connection[Any], projection: Projection, log: Sequence[Placed], size: int) -> None:
    """The log folded into the newest build, batch by batch."""
    build = builds(connection)[-1]
    for start in range(0, len(log), size):
        with connection.transaction():
            build = fold_batch(connection, build, projection, log[start : start + size])


@ALL
@pytest.mark.parametrize("size", [7, 500, 100_000])
def test_what_is_stored_is_what_was_folded_in_memory(
    connection: Connection[Any], projection: Projection, size: int
) -> None:
    log = mixed()
    prepare(connection, [projection])
    fold_all(connection, projection, log, size)
    assert live_fingerprint(connection, projection) == fingerprint_of(projection.name)
    assert builds(connection)[0].position == log[-1].position


@ALL
def test_a_batch_that_was_folded_already_changes_nothing(connection: Connection[Any], projection: Projection) -> None:
    log = real_log()
    prepare(connection, [projection])
    fold_all(connection, projection, log, 400)
    before = live_fingerprint(connection, projection)
    assert fold_batch(connection, builds(connection)[0], projection, log) == builds(connection)[0]
    assert live_fingerprint(connection, projection) == before


def test_a_batch_that_is_rolled_back_leaves_neither_documents_nor_position(connection: Connection[Any]) -> None:
    prepare(connection, [SCOREBOARDS])
    with connection.transaction(force_rollback=True):
        fold_batch(connection, builds(connection)[0], SCOREBOARDS, real_log())
    assert live_fingerprint(connection, SCOREBOARDS) == fingerprint([])
    assert builds(connection)[0].position == 0


def test_a_build_that_somebody_else_has_moved_is_not_written_to(connection: Connection[Any]) -> None:
    prepare(connection, [SCOREBOARDS])
    stale = builds(connection)[0]
    set_positions(connection, [stale], 5)
    with pytest.raises(StaleBuild), connection.transaction():
        fold_batch(connection, stale, SCOREBOARDS, real_log())
    assert live_fingerprint(connection, SCOREBOARDS) == fingerprint([])


def test_reading_within_a_batch_sees_what_the_batch_has_written(connection: Connection[Any]) -> None:
    prepare(connection, [TABLE])
    stored = StoredDocuments(connection, builds(connection)[0])
    for key in "bca":
        stored.put(SCORES(), key, Score(key, 1))
    flush(connection, stored, 1)
    again = StoredDocuments(connection, builds(connection)[0])
    again.put(SCORES(), "d", Score("d", 2))
    again.put(SCORES(), "a", Score("a", 3))
    again.delete(SCORES(), "b")
    assert [again.get(SCORES(), key) for key in "abe"] == [Score("a", 3), None, None]
    assert [(key, row.points) for key, row in again.scan(SCORES())] == [("a", 3), ("c", 1), ("d", 2)]
    flush(connection, again, 2)
    later = StoredDocuments(connection, builds(connection)[0])
    assert [(key, row.points) for key, row in later.scan(SCORES())] == [("a", 3), ("c", 1), ("d", 2)]


def test_a_new_version_grows_beside_the_live_build_and_takes_its_place_when_it_has_come_as_far(
    connection: Connection[Any],
) -> None:
    newer = Projection(name="table", version=2, topics=frozenset(), families=(SCORES,), fold=nothing)
    prepare(connection, [TABLE])
    set_positions(connection, [builds(connection)[0]], 50)
    prepare(connection, [newer])
    prepare(connection, [newer])
    old, growing = builds(connection)
    assert (old.live, old.version, growing.live, growing.version, growing.position) == (True, 1, False, 2, 0)
    set_positions(connection, [growing], 49)
    assert promote(connection) == []
    set_positions(connection, [growing._replace(position=49)], 50)
    assert [build.version for build in promote(connection)] == [2]
    assert [(build.version, build.live) for build in builds(connection)] == [(2, True)]


def test_what_grew_for_a_third_version_is_dropped(connection: Connection[Any]) -> None:
    prepare(connection, [TABLE])
    add(connection, Projection(name="table", version=3, topics=None, families=(), fold=nothing), live=False)
    StoredDocuments(connection, builds(connection)[1]).put(SCORES(), "a", Score("a", 1))
    prepare(connection, [TABLE])
    assert [(build.version, build.live) for build in builds(connection)] == [(1, True)]


def test_a_rebuild_asked_for_twice_starts_anew(connection: Connection[Any]) -> None:
    prepare(connection, [TABLE])
    restart(connection, TABLE)
    first = builds(connection)[1]
    filled = StoredDocuments(connection, first)
    filled.put(SCORES(), "a", Score("a", 1))
    flush(connection, filled, 9)
    restart(connection, TABLE)
    live, second = builds(connection)
    assert (live.live, second.live, second.position) == (True, False, 0)
    assert second.build != first.build
    assert build_fingerprint(connection, first) == fingerprint([])


def test_numbers_rank_as_they_are() -> None:
    lots = Random(1)
    numbers = (-(2**63), -1, 0, 1, 2**63 - 1, *(lots.randrange(10**12) for _ in range(9)))
    pairs = [(lots.choice(numbers), lots.choice(numbers)) for _ in range(99)]
    assert sorted(pairs) == sorted(pairs, key=lambda pair: rank_key(*pair))


def reading(database: str, say: Callable[[Snapshot], Awaitable[T]], projection: Projection = TABLE) -> T:
    """What this says of a snapshot of the projection."""

    async def read() -> T:
        async with (
            await AsyncConnection.connect(database, autocommit=True) as connection,
            snapshot(connection, projection) as shot,
        ):
            return await say(shot)

    return asyncio.run(read())


def page_by_page(database: str, ask: Callable[[Snapshot, Cursor | None], Awaitable[Any]]) -> Iterator[Any]:
    """Every page of a list, each by the cursor of the one before it."""
    page = reading(database, lambda shot: ask(shot, None))
    yield page
    while page.after is not None:
        after = read_cursor(page.after.text())
        page = reading(database, lambda shot, after=after: ask(shot, after))  # type: ignore[misc]
        yield page


def scored(connection: Connection[Any], scores: dict[str, int | None], position: int = 7) -> MemoryDocuments:
    """A table of scores, stored and in memory."""
    prepare(connection, [TABLE])
    stored, held = StoredDocuments(connection, builds(connection)[0]), MemoryDocuments()
    for key, points in scores.items():
        for documents in (stored, held):
            documents.put(SCORES(), key, Score(key, points or 0), None if points is None else rank_key(points))
    flush(connection, stored, position)
    return held


SCORED = {"ann": 5, "bob": 9, "cid": 5, "dan": None, "eve": -2, "fay": 5, "gus": 9, "hal": 0}


def test_pages_list_the_greatest_first_with_shared_ranks_and_leave_out_what_is_not_listed(
    database: str, connection: Connection[Any]
) -> None:
    scored(connection, SCORED)
    page = reading(database, lambda shot: shot.page(SCORES(), 20))
    assert [(row.rank, row.key) for row in page.rows] == [
        (1, "bob"), (1, "gus"), (3, "ann"), (3, "cid"), (3, "fay"), (6, "hal"), (7, "eve"),
    ]  # fmt: skip
    assert page.after is None


@pytest.mark.parametrize("limit", range(1, 9))
def test_pages_one_after_the_other_are_the_whole_list(database: str, connection: Connection[Any], limit: int) -> None:
    held = scored(connection, SCORED)
    in_one_page = reading(database, lambda shot: shot.page(SCORES(), 20)).rows
    pages = page_by_page(database, lambda shot, after: shot.page(SCORES(), limit, after))
    rows = [row for page in pages for row in page.rows]
    assert tuple(rows) == in_one_page
    assert [(row.key, row.document) for row in rows] == held.listed(SCORES())


def test_one_document_its_rank_and_the_size_of_the_list_come_with_the_position(
    database: str, connection: Connection[Any]
) -> None:
    scored(connection, SCORED, position=42)

    async def say(shot: Snapshot) -> list[Any]:
        keys = ("cid", "dan", "zoe")
        documents = [await shot.document(SCORES(), key) for key in keys]
        ranks = [await shot.rank(SCORES(), key) for key in keys]
        return [shot.position, documents, ranks, await shot.size(SCORES())]

    assert reading(database, say) == [42, [Score("cid", 5), Score("dan", 0), None], [3, None, None], 7]


def test_a_whole_collection_is_read_in_the_order_of_its_keys(database: str, connection: Connection[Any]) -> None:
    held = scored(connection, {"é": 1, "Z": 2, "a": None, "𝄞": 3, "ﬀ": 4})
    assert reading(database, lambda shot: shot.documents(SCORES())) == list(held.scan(SCORES()))


def test_a_snapshot_does_not_move_while_the_worker_writes(database: str, connection: Connection[Any]) -> None:
    scored(connection, {"ann": 1}, position=1)

    async def say(shot: Snapshot) -> list[Any]:
        before = await shot.document(SCORES(), "ann")
        stored = StoredDocuments(connection, builds(connection)[0])
        stored.put(SCORES(), "ann", Score("ann", 2))
        flush(connection, stored, 2)
        return [shot.position, before, await shot.document(SCORES(), "ann")]

    assert reading(database, say) == [1, Score("ann", 1), Score("ann", 1)]


def test_a_projection_that_was_never_built_is_empty_at_position_0(database: str) -> None:
    async def say(shot: Snapshot) -> list[Any]:
        return [shot.position, await shot.document(SCORES(), "ann"), await shot.page(SCORES(), 5)]

    assert reading(database, say) == [0, None, ((), None)]


def test_readers_of_a_new_version_are_not_given_the_old_ones_documents(
    database: str, connection: Connection[Any]
) -> None:
    scored(connection, {"ann": 1}, position=9)
    newer = Projection(name="table", version=2, topics=frozenset(), families=(SCORES,), fold=nothing)
    assert reading(database, lambda shot: shot.document(SCORES(), "ann"), newer) is None
    assert reading(database, lambda shot: shot.document(SCORES(), "ann")) == Score("ann", 1)


def test_a_board_is_read_as_it_was_folded(database: str, connection: Connection[Any]) -> None:
    prepare(connection, [SCOREBOARDS])
    fold_all(connection, SCOREBOARDS, season(), 50)
    page = reading(database, lambda shot: shot.page(board("klondike"), 10), SCOREBOARDS)
    assert [(row.rank, row.key, row.document.games) for row in page.rows] == [(1, str(ADA), 25)]


@pytest.mark.parametrize("text", ["", "!", "AAAA", "____", "AAlh\n", "AAph", "é"])
def test_a_cursor_that_no_page_has_given_out_is_refused_or_read_as_written(text: str) -> None:
    try:
        assert read_cursor(text).text() == text
    except BadCursor:
        assert text not in {Cursor(b"", "a").text()}


def test_cursors_survive_their_text() -> None:
    places = [Cursor(rank_key(-1, 7), "ann"), Cursor(b"", "é"), Cursor(b"\0", "")]
    assert [read_cursor(place.text()) for place in places] == places
    assert all(cursor != other for cursor, other in pairwise([place.text() for place in places]))


class Mark(Struct, frozen=True):
    pass


MARKS: Family[Mark] = Family("marks", Mark)


@pytest.mark.parametrize("limit", range(1, 9))
def test_lists_read_as_one_give_their_documents_in_one_order(
    database: str, connection: Connection[Any], limit: int
) -> None:
    """Page by page; what stands in another list does not come up."""
    prepare(connection, [TABLE])
    stored = StoredDocuments(connection, builds(connection)[0])
    for number, (key, points) in enumerate(SCORED.items()):
        stored.put(SCORES(), key, Score(key, points or 0))
        stored.put(MARKS("abc"[number % 3]), key, Mark(), rank_key(points or 0))
    flush(connection, stored, 1)
    lists = [MARKS("a"), MARKS("b"), MARKS("none")]
    pages = page_by_page(database, lambda shot, after: shot.gather(lists, SCORES(), limit, after))
    assert [document.name for page in pages for document in page.documents] == [
        "bob", "gus", "ann", "dan", "hal", "eve",
    ]  # fmt: skip


LIMIT = 50
EVERY = tuple(PROJECTIONS.values())


def reads(connection: Connection[Any], after: int, limit: int, topics: frozenset[str] | None) -> Span:
    return span(mixed(), after, limit, topics)


def followed(connection: Connection[Any], follower: Follower, rounds: int = 10**6) -> None:
    """So many rounds at most."""
    for _ in range(rounds):
        if not follower.round(connection):
            return


def stored(connection: Connection[Any]) -> dict[str, str]:
    return {projection.name: live_fingerprint(connection, projection) for projection in EVERY}


def fingerprints() -> dict[str, str]:
    """The fingerprints of the log, by projection."""
    return {projection.name: fingerprint_of(projection.name) for projection in EVERY}


@pytest.mark.parametrize("most", [0, 5, 300])
def test_what_is_kept_and_forgotten_between_batches_changes_nothing(
    connection: Connection[Any], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(batches, "KEPT", most)
    follower = Follower(EVERY, reads, LIMIT)
    follower.begin(connection)
    followed(connection, follower)
    assert stored(connection) == fingerprints()


def test_documents_are_kept_from_batch_to_batch(connection: Connection[Any]) -> None:
    """What is damaged behind its back a follower does not see, until it begins anew."""
    follower = Follower([SCOREBOARDS], reads, LIMIT)
    follower.begin(connection)
    followed(connection, follower, rounds=2)
    connection.execute("UPDATE documents SET body = 'x'")
    followed(connection, follower, rounds=1)
    assert not follower.failing
    follower.begin(connection)
    followed(connection, follower)
    assert follower.failing == ("scoreboards",)


def test_what_was_kept_is_dropped_when_somebody_else_has_gone_on(connection: Connection[Any]) -> None:
    """As when the lock was lost for a while: the builds stand where another worker has left them."""
    first, second = Follower(EVERY, reads, LIMIT), Follower(EVERY, reads, LIMIT)
    first.begin(connection)
    followed(connection, first, rounds=2)
    second.begin(connection)
    followed(connection, second, rounds=2)
    followed(connection, first)
    assert stored(connection) == fingerprints()


def test_a_batch_that_was_not_committed_is_forgotten(connection: Connection[Any]) -> None:
    follower = Follower(EVERY, reads, LIMIT)
    follower.begin(connection)
    followed(connection, follower, rounds=2)
    before = stored(connection)
    connection.execute("ALTER TABLE documents ADD CONSTRAINT never CHECK (build < 0) NOT VALID")
    with pytest.raises(psycopg.errors.CheckViolation):
        followed(connection, follower)
    assert (stored(connection), {build.position for build in builds(connection)}) == (before, {positions(connection)})
    connection.execute("ALTER TABLE documents DROP CONSTRAINT never")
    followed(connection, follower)
    assert stored(connection) == fingerprints()


def positions(connection: Connection[Any]) -> int:
    """Where all builds stand."""
    (position,) = {build.position for build in builds(connection)}
    return position


@pytest.mark.parametrize("most", [1, 50_000])
def test_a_fold_that_raises_leaves_nothing_and_the_others_go_on(
    connection: Connection[Any], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """However much of the batch it has sent ahead of the position by then."""
    monkeypatch.setattr(batches, "_MOST_WRITTEN", most)
    last = mixed()[-5].position
    others = [projection for projection in EVERY if projection.name != "scoreboards"]

    def fold(documents: Documents, recorded: Recorded) -> None:
        if recorded.position >= last:
            raise ZeroDivisionError
        SCOREBOARDS.fold(documents, recorded)

    follower = Follower([*others, replace(SCOREBOARDS, fold=fold)], reads, 10**6)
    follower.begin(connection)
    followed(connection, follower)
    assert follower.failing == ("scoreboards",)
    assert stored(connection) == fingerprints() | {"scoreboards": fingerprint([])}
    assert {build.projection for build in builds(connection) if build.position == 0} == {"scoreboards"}
    sound = Follower(EVERY, reads, 10**6)
    sound.begin(connection)
    followed(connection, sound)
    assert stored(connection) == fingerprints()


def test_a_missing_key_is_warned_of_once_at_a_position_and_again_after_another_error_and_at_the_next_position(
    connection: Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third attempt fails for another reason; before the fifth another worker has gone on."""
    monkeypatch.setattr(following, "RETRY", 0.0)
    monkeypatch.setattr(following, "KEY_RETRY", 0.0)
    errors = iter([KeyMissing(), KeyMissing(), ZeroDivisionError(), KeyMissing(), KeyMissing(), KeyMissing()])

    def fold(documents: Documents, recorded: Recorded) -> None:
        raise next(errors)

    log = mixed()[:2]
    table = Projection(name="table", version=1, topics=None, families=(), fold=fold)
    follower = Follower([table], lambda connection, after, limit, topics: span(log, after, limit, topics), 1)
    follower.begin(connection)
    with capture_logs() as lines:
        followed(connection, follower, rounds=4)
        set_positions(connection, builds(connection), log[0].position)
        followed(connection, follower, rounds=2)
    wait = "projection waits for a key"
    assert [line["event"] for line in lines] == [wait, "projection failed", wait, wait]


def test_where_nobody_reads_anything_positions_move_alone(connection: Connection[Any]) -> None:
    def silence(connection: Connection[Any], after: int, limit: int, topics: frozenset[str] | None) -> Span:
        return Span((), 700, 700)

    follower = Follower(EVERY, silence, LIMIT)
    follower.begin(connection)
    assert not follower.round(connection)
    assert {build.position for build in builds(connection)} == set(follower.positions.values()) == {700}


def test_a_reader_is_asked_for_the_topics_of_all_and_for_everything_where_one_reads_everything(
    connection: Connection[Any],
) -> None:
    requests: list[frozenset[str] | None] = []

    def read(connection: Connection[Any], after: int, limit: int, topics: frozenset[str] | None) -> Span:
        requests.append(topics)
        return Span((), 0, 0)

    for group in ([SCOREBOARDS, GAMES], [replace(SCOREBOARDS, topics=None), GAMES]):
        follower = Follower(group, read, LIMIT)
        follower.begin(connection)
        follower.round(connection)
    assert requests == [(SCOREBOARDS.topics or frozenset()) | (GAMES.topics or frozenset()), None]


def test_what_comes_and_goes_within_a_batch_leaves_no_trace(connection: Connection[Any]) -> None:
    """Whether it was there before or not."""
    rows: Collection[Standing] = Family("board", Standing)("klondike")
    lots = {"was": (True, False), "new": (False, False), "again": (True, True), "came": (False, True)}

    def fold(documents: Documents, recorded: Recorded) -> None:
        for name, (before, after) in lots.items():
            row = Standing(recorded.record.stream, "klondike", None, name)
            if recorded.position == 10 and before:
                documents.put(rows, name, row)
            elif recorded.position > 10:
                documents.put(rows, name, row)
                documents.delete(rows, name)
                if after:
                    documents.put(rows, name, row)

    table = Projection(name="table", version=1, topics=None, families=(), fold=fold)
    follower = Follower([table], lambda connection, after, limit, topics: span(mixed()[:2], after, 1, topics), 1)
    follower.begin(connection)
    followed(connection, follower)
    keys = connection.execute("SELECT key FROM documents ORDER BY key").fetchall()
    assert [key for (key,) in keys] == ["again", "came"]
