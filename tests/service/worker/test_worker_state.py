"""What workers say of themselves in the database."""

from dataclasses import replace
from typing import Any

import psycopg
from worker_logs import append, records, working

from projections import PROJECTIONS
from projections.boards.scoreboards import SCOREBOARDS
from service.workers import health
from service.workers.health import Failure, Heartbeat
from tests.waiting import until


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
