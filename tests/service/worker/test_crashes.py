"""A worker that is killed, or loses its database, at any instant: what it leaves is what a quiet run leaves."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from worker_logs import append, at_head, lowest, records, stored, uninterrupted, working

from service.event_store.schema import migrate
from service.postgres import Server, start, stop
from service.workers.worker import LOCK, Worker
from tests import forking
from tests.waiting import until

PROCESS = Path(__file__).parent / "worker_process.py"


@contextmanager
def process(database: str, batch: int, *doom: float) -> Iterator["subprocess.Popen[bytes]"]:
    """A worker in a process of its own; killed at the end of the block, or by itself."""
    command = [sys.executable, str(PROCESS), database, str(batch), *map(str, doom)]
    worker = forking.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield worker
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.wait()


def test_a_worker_killed_again_and_again_leaves_what_an_uninterrupted_one_leaves(database: str) -> None:
    append(database, records(400))
    lots, reached = Random(1), [0]
    for _ in range(6):
        goal = reached[-1] + lots.randrange(60, 200)
        with process(database, 5, goal, lots.random() * 0.01) as worker:
            assert worker.wait() == -signal.SIGKILL
        reached.append(lowest(database))
    assert reached == sorted(set(reached))
    assert not at_head(database), "killed too late to show anything"
    with process(database, batch=50):
        until(lambda: at_head(database))
    assert stored(database) == uninterrupted(database)


@pytest.mark.parametrize("table", ["documents", "positions"])
def test_a_worker_killed_between_position_and_documents_leaves_neither(database: str, table: str) -> None:
    append(database, records(40))
    Worker(database).catch_up()
    before = stored(database)
    append(database, records(40, first=40))
    with psycopg.connect(database) as holder:
        holder.execute(f"LOCK TABLE {table} IN SHARE MODE")
        with process(database, batch=5):
            until(lambda: waiting(database, "true") == 1)
        waiting(database, "pg_terminate_backend(pid)")
        until(lambda: waiting(database, "true") == 0)
    assert stored(database) == before
    Worker(database).catch_up()
    assert stored(database) == uninterrupted(database)


def waiting(database: str, what: str) -> int:
    """How many workers wait for a lock on a table; `what` is done to each."""
    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute(
            f"SELECT {what} FROM pg_stat_activity WHERE datname = current_database()"
            " AND application_name = 'kibitz worker' AND wait_event_type = 'Lock'"
        ).fetchall()
    return len(found)


def test_a_killed_workers_place_is_taken_by_the_one_that_stands_by(database: str) -> None:
    append(database, records(50))
    with process(database, batch=5):
        until(lambda: at_head(database))
        standing_by = Worker(database, poll=0.05)
        standing_by.start()
        append(database, records(50, first=50))
    until(lambda: standing_by.progress.active and at_head(database))
    standing_by.stop()
    assert stored(database) == uninterrupted(database)


def test_a_worker_whose_connection_is_cut_again_and_again_works_on(database: str) -> None:
    with working(database, batch=5, poll=0.05):
        for number in range(8):
            append(database, records(30, first=number * 30))
            until(lambda: lowest(database) > 0)
            cut(database)
        until(lambda: at_head(database))
    assert stored(database) == uninterrupted(database)


def cut(database: str) -> None:
    """End the connection that holds the worker's lock, if there is one."""
    holding(database, "pg_terminate_backend(pid)")


def holding(database: str, what: str = "pid") -> list[Any]:
    """What is said of each connection that holds the worker's lock."""
    with psycopg.connect(database, autocommit=True) as connection:
        return connection.execute(
            f"SELECT {what} FROM pg_locks JOIN pg_database ON pg_database.oid = database"
            " WHERE locktype = 'advisory' AND datname = current_database()"
            " AND (classid::bigint << 32) + objid::bigint = %s",
            [LOCK],
        ).fetchall()


def test_only_the_connection_with_the_lock_is_cut(database: str) -> None:
    """The test above would show nothing if it found none to cut."""
    with working(database, poll=0.05) as worker:
        until(lambda: worker.progress.active)
        before = holding(database)
        cut(database)
        until(lambda: holding(database) not in ([], before))
        until(lambda: worker.progress.active)


@pytest.mark.parametrize("graceful", [True, False], ids=["stopped", "killed"])
def test_a_worker_outlives_its_database_and_works_on_when_it_is_back(data_folder: Path, graceful: bool) -> None:
    server = start(data_folder)
    migrate(server.dsn)
    append(server.dsn, records(30))
    worker = Worker(server.dsn, batch=5, poll=0.1)
    worker.start()
    until(lambda: lowest(server.dsn) > 0)
    stop(server) if graceful else kill(server)
    until(lambda: not worker.progress.active)
    again = start(data_folder)
    append(again.dsn, records(30, first=30))
    until(lambda: at_head(again.dsn))
    worker.stop()
    assert stored(again.dsn) == uninterrupted(again.dsn)
    stop(again)


def kill(server: Server) -> None:
    """kill -9 of the whole server, and the folder let go, as if its owner had died with it."""
    assert server.process is not None
    assert server.lock is not None
    os.kill(server.pid, signal.SIGKILL)
    server.process.wait()
    os.close(server.lock)
