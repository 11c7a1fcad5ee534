"""What the worker hears of between two looks at the log."""

import threading
from typing import Any

from psycopg import Connection
from worker_logs import append, records

from service.workers.worker import WorkerWakeup

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
