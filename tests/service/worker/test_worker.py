"""The worker follows the log, one at a time, rebuilds what has changed, and says how it is."""

import errno
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from psycopg import Connection
from worker_logs import append, at_head, lowest, records, stored, uninterrupted, working

from projections import PROJECTIONS
from projections.boards.scoreboards import SCOREBOARDS
from projections.engine.builds import builds, restart
from projections.engine.contract import Documents, Recorded
from projections.engine.following import FoldFailed, Topics
from service.event_store.reading import TopicBatch, read_topics
from service.workers import health
from service.workers.health import Failure, Heartbeat
from service.workers.worker import Worker, WorkerWakeup, rebuild
from tests.waiting import until


@pytest.mark.parametrize("batch", [1, 7, 2000])
def test_documents_are_those_of_the_log_folded_in_one_go(database: str, batch: int) -> None:
    append(database, records(20))
    with working(database, batch=batch):
        until(lambda: at_head(database))
    assert stored(database) == uninterrupted(database)


def test_a_commit_wakes_the_worker(database: str) -> None:
    """The poll alone would come after the run's limit."""
    with working(database, poll=10_000.0) as worker:
        until(lambda: worker.progress.active)
        for number in range(5):
            append(database, records(3, first=number * 3))
            until(lambda: at_head(database))
    assert stored(database) == uninterrupted(database)


def test_a_commit_that_told_nobody_is_found_by_the_poll(database: str) -> None:
    with working(database, poll=0.2) as worker:
        until(lambda: worker.progress.active)
        append(database, records(3), quietly=True)
        until(lambda: at_head(database))
    assert stored(database) == uninterrupted(database)


def test_an_error_of_the_system_only_interrupts_it(database: str) -> None:
    failed = list[TopicBatch]()

    def read(connection: Any, *asked: Any) -> TopicBatch:
        span = read_topics(connection, *asked)
        if failed:
            return span
        failed.append(span)
        raise OSError(errno.EBADF, "Bad file descriptor")

    append(database, records(3))
    with working(database, read=read):
        until(lambda: at_head(database))
    assert failed
    assert stored(database) == uninterrupted(database)


def test_one_works_and_the_other_takes_over_when_it_stops(database: str) -> None:
    append(database, records(5))
    with working(database, poll=0.1) as second_to_last:
        until(lambda: second_to_last.progress.active)
        with working(database, poll=0.1) as last:
            until(lambda: at_head(database) and standing_by(database) == 1)
            assert not last.progress.active
            second_to_last.stop()
            append(database, records(5, first=5))
            until(lambda: last.progress.active and at_head(database))
            assert not second_to_last.progress.active
    assert stored(database) == uninterrupted(database)


def standing_by(database: str) -> int:
    """How many workers have asked for the lock last, and done nothing since."""
    with psycopg.connect(database, autocommit=True) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND application_name = 'kibitz worker' AND query LIKE '%pg_try_advisory_lock%'"
        ).fetchone()
    return int(row[0]) if row else 0


def test_a_worker_that_stands_by_can_be_stopped(database: str) -> None:
    with working(database) as active:
        until(lambda: active.progress.active)
        with working(database, poll=10_000.0) as second:
            until(lambda: standing_by(database) == 1)
        assert not second.progress.active


def _reached(worker: Worker) -> set[int]:
    return {position for _, position in worker.progress.positions}


def test_progress_tells_head_and_positions(database: str) -> None:
    append(database, records(10))
    with working(database) as worker:
        until(lambda: at_head(database) and worker.progress.head > 0 and _reached(worker) == {worker.progress.head})
        assert dict(worker.progress.positions) == dict.fromkeys(PROJECTIONS, worker.progress.head)
        assert worker.progress.failing == ()


@pytest.mark.parametrize("count", [0, 10])
def test_catching_up_returns_when_the_log_is_folded(database: str, count: int) -> None:
    append(database, records(count))
    Worker(database, batch=4).catch_up()
    assert at_head(database)
    assert stored(database) == uninterrupted(database)


def test_catching_up_waits_for_the_worker_that_is_at_it(database: str) -> None:
    with working(database) as worker:
        until(lambda: worker.progress.active)
        append(database, records(10))
        Worker(database).catch_up()
        assert at_head(database)


def test_a_rebuild_gives_the_same_bytes_at_the_same_position(database: str) -> None:
    append(database, records(40))
    Worker(database, batch=3).catch_up()
    before, numbers = stored(database), build_numbers(database)
    assert rebuild(database) == before == stored(database)
    assert not numbers & build_numbers(database)
    assert documents_of_builds(database) == build_numbers(database)


def test_a_rebuild_of_one_projection_leaves_the_others_where_they_are(database: str) -> None:
    append(database, records(10))
    Worker(database).catch_up()
    before, numbers = stored(database), build_numbers(database)
    assert rebuild(database, ["rubbers"]) == {"rubbers": before["rubbers"]}
    assert stored(database) == before
    assert len(numbers & build_numbers(database)) == len(PROJECTIONS) - 1


def test_a_rebuild_mends_documents_that_were_damaged(database: str) -> None:
    append(database, records(10))
    Worker(database).catch_up()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE documents SET body = '{}'")
    assert stored(database) != uninterrupted(database)
    rebuild(database)
    assert stored(database) == uninterrupted(database)


def test_a_rebuild_beside_a_working_worker_is_done_by_it_while_it_follows(database: str) -> None:
    append(database, records(40))
    with working(database, poll=0.1, batch=11):
        until(lambda: at_head(database))
        numbers = build_numbers(database)
        append(database, records(10, first=40))
        rebuild(database)
        append(database, records(10, first=50))
        until(lambda: at_head(database))
    assert not numbers & build_numbers(database)
    assert stored(database) == uninterrupted(database)


def test_readers_keep_the_old_documents_until_the_rebuild_is_complete(database: str) -> None:
    append(database, records(20))
    Worker(database).catch_up()
    before = stored(database)
    with pytest.raises(FoldFailed, match="scoreboards"):
        rebuild(database, ["scoreboards"], [replace(SCOREBOARDS, fold=failing_from(30))])
    assert stored(database) == before
    with pytest.raises(KeyError):
        rebuild(database, ["weather"])


def test_a_new_version_is_built_from_the_start_and_replaces_the_old(database: str) -> None:
    append(database, records(20))
    Worker(database).catch_up()
    numbers = build_numbers(database)
    newer = replace(SCOREBOARDS, version=SCOREBOARDS.version + 1)
    Worker(database, [newer]).catch_up()
    with psycopg.connect(database, autocommit=True) as connection:
        found = {build.projection: build for build in builds(connection)}
    assert found["scoreboards"].version == newer.version
    assert found["scoreboards"].build not in numbers
    assert stored(database) == uninterrupted(database)


def test_a_fold_that_raises_holds_up_its_own_projection_only(database: str) -> None:
    append(database, records(20))
    others = [projection for name, projection in PROJECTIONS.items() if name != "scoreboards"]
    broken = replace(SCOREBOARDS, fold=failing_from(30))
    with working(database, projections=[*others, broken], batch=10) as worker:
        until(lambda: worker.progress.failing == ("scoreboards",) and "scoreboards" in slowest(worker))
        until(lambda: dict(worker.progress.positions)["rubbers"] == worker.progress.head)
        assert dict(worker.progress.positions)["scoreboards"] == 20
    Worker(database).catch_up()
    assert stored(database) == uninterrupted(database)


def slowest(worker: Worker) -> set[str]:
    positions = dict(worker.progress.positions)
    return {name for name, position in positions.items() if position == min(positions.values())}


def failing_from(position: int) -> Callable[[Documents, Recorded], None]:
    """The scoreboards' fold with a fault that shows at a position."""

    def fold(documents: Documents, recorded: Recorded) -> None:
        if recorded.position >= position:
            raise ZeroDivisionError
        SCOREBOARDS.fold(documents, recorded)

    return fold


def test_a_far_behind_rebuild_does_not_hold_up_the_live_builds(database: str) -> None:
    append(database, records(60))
    Worker(database).catch_up()
    old_head, read_from = lowest(database), list[int]()
    with psycopg.connect(database, autocommit=True) as connection:
        for projection in PROJECTIONS.values():
            restart(connection, projection)
    append(database, records(5, first=60))

    def reading(connection: psycopg.Connection[Any], after: int, limit: int, topics: Topics) -> TopicBatch:
        read_from.append(after)
        return read_topics(connection, after, limit, topics)

    Worker(database, batch=25, read=reading).catch_up()
    assert read_from[:4] == [0, old_head, 5, old_head + 25]
    assert stored(database) == uninterrupted(database)


def build_numbers(database: str) -> set[int]:
    with psycopg.connect(database, autocommit=True) as connection:
        return {build.build for build in builds(connection)}


def documents_of_builds(database: str) -> set[int]:
    with psycopg.connect(database, autocommit=True) as connection:
        return {build for (build,) in connection.execute("SELECT DISTINCT build FROM documents")}


def told(database: str) -> tuple[health.WorkerRow, ...]:
    with psycopg.connect(database, autocommit=True) as connection:
        return health.worker_rows(connection.execute(health.WORKERS.encode()).fetchall())


def test_a_heart_beats_once_a_second_and_at_once_when_something_changes(database: str) -> None:
    now = [0.0]
    heartbeat, failure = Heartbeat(lambda: now[0]), Failure("games", 7, "KeyError")
    with psycopg.connect(database, autocommit=True) as connection:

        def beat(*what: Any) -> bool:
            """Whether these words reached the database."""
            before = written(connection)
            heartbeat.write(connection, *what)
            return written(connection) > before

        assert beat(False)
        assert not beat(False)
        assert beat(True)
        assert beat(True, [failure])
        now[0] = 0.9
        assert not beat(True, [failure])
        now[0] = 1.1
        assert beat(True, [failure])
    (worker,) = told(database)
    assert (worker.active, worker.failing) == (True, (failure,))


def written(connection: "psycopg.Connection[Any]") -> int:
    """The transaction that wrote the row last."""
    row = connection.execute("SELECT max(xmin::text::bigint) FROM worker_state").fetchone()
    return int(row[0] or 0) if row else 0


def test_a_worker_tells_when_it_is_active_and_when_it_stops(database: str) -> None:
    with working(database, poll=0.1):
        until(lambda: [one.active for one in told(database)] == [True])
    (ended,) = told(database)
    assert not ended.active
    assert ended.active_ago is not None


def test_a_failing_fold_is_told_with_its_place_and_the_errors_class_alone(database: str) -> None:
    def fold(*_: Any) -> None:
        raise ZeroDivisionError("with the QH")

    append(database, records(3))
    others = [one for name, one in PROJECTIONS.items() if name != "scoreboards"]
    with working(database, projections=[*others, replace(SCOREBOARDS, fold=fold)]):
        until(lambda: bool(told(database)) and bool(told(database)[0].failing))
    stopped = (Failure("scoreboards", 0, "ZeroDivisionError"),)
    assert told(database)[0].failing == stopped  # as long as no other worker has done better


FOREVER = 10_000.0  # seconds: what waits so long is ended by the run's own limit


def listening(connection: Connection[Any]) -> bool:
    return bool(connection.execute("SELECT pg_listening_channels()").fetchall())


def test_while_the_log_grows_nothing_is_heard(connection: Connection[Any]) -> None:
    waiting = WorkerWakeup(connection, threading.Event(), FOREVER)
    waiting.rest(grown=False)
    assert listening(connection)
    waiting.rest(grown=True)
    assert not listening(connection)


def test_it_looks_once_more_after_it_has_begun_to_listen_and_then_waits_for_a_commit(
    database: str, connection: Connection[Any]
) -> None:
    """What was committed just before it listened has told nobody; the first wait must not be one."""
    waiting = WorkerWakeup(connection, threading.Event(), FOREVER)
    waiting.rest(grown=True)
    append(database, records(1))
    waiting.rest(grown=False)
    append(database, records(1, first=1))
    waiting.rest(grown=False)
    assert listening(connection)


def test_it_stops_waiting_when_it_is_told_to(connection: Connection[Any]) -> None:
    stopping = threading.Event()
    waiting = WorkerWakeup(connection, stopping, FOREVER)
    waiting.rest(grown=False)
    stopping.set()
    waiting.rest(grown=False)
    waiting.rest(grown=True)
