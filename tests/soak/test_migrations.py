"""`kibitz migrate` is killed in the middle, or run twice at once: run again, the schema is what it would have been."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest

from service.event_store import schema
from service.event_store.schema import migrations
from service.postgres import Server
from tests import forking
from tests.clusters import run_program
from tests.faults.world import KIBITZ, ROOT, until

ALL = [migration.number for migration in migrations()]


@pytest.fixture
def empty(postgres: Server) -> Iterator[str]:
    """The name of a database without a schema."""
    name = f"test_{uuid4().hex}"
    postgres.create_database(name)
    yield name
    postgres.drop_database(name)


@pytest.fixture
def whole(postgres: Server, template_database: str) -> Iterator[str]:
    """The name of a database with the whole schema: while somebody reads the template's own, nobody can copy it."""
    name = f"test_{uuid4().hex}"
    postgres.create_database(name, template_database)
    yield name
    postgres.drop_database(name)


@contextmanager
def migrating(conninfo: str) -> "Iterator[subprocess.Popen[bytes]]":
    """`kibitz migrate` on its way; killed at the end of the block if it is still there."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DATABASE_URL": conninfo}
    process = forking.Popen([*KIBITZ, "migrate"], env=environment, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def applied(conninfo: str) -> list[int]:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        if connection.execute("SELECT to_regclass('schema_migrations')").fetchone() == (None,):
            return []
        return [number for (number,) in connection.execute("SELECT number FROM schema_migrations ORDER BY number")]


def schema_of(postgres: Server, name: str) -> list[str]:
    """The whole schema as PostgreSQL itself tells it, but for the word that pg_dump makes up anew each time."""
    told = run_program("pg_dump", "--schema-only", f"--dbname={postgres.conninfo(name)}", data=postgres.data)
    assert told.returncode == 0, told.stderr
    return [line for line in told.stdout.splitlines() if "restrict" not in line]


def waiting(conninfo: str) -> bool:
    """Whether a migration waits for a lock."""
    return "Lock" in connections(conninfo)


def connections(conninfo: str) -> list[str]:
    """What each connection of a migration waits for."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        found = connection.execute(
            "SELECT coalesce(wait_event_type, '') FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = 'kibitz migrate'"
        ).fetchall()
    return [kind for (kind,) in found]


@contextmanager
def held(conninfo: str, number: int) -> Iterator[None]:
    """The row that a migration writes when it is done, taken by somebody else for the length of a `with` block."""
    with psycopg.connect(conninfo) as holder:
        holder.execute("INSERT INTO schema_migrations (number, name) VALUES (%s, 'held')", [number])
        yield
        holder.rollback()


def test_a_migration_killed_anywhere_is_finished_by_the_next_run(postgres: Server, whole: str, empty: str) -> None:
    """It is held up at the first migration and then at every third, and killed there."""
    conninfo = postgres.conninfo(empty)
    with psycopg.connect(conninfo) as first:
        first.execute(schema._APPLIED.encode())
    for number in ALL[::4]:
        with held(conninfo, number), migrating(conninfo) as process:
            until(lambda: waiting(conninfo) or process.poll() is not None, "the migration is held up")
            assert process.poll() is None, "it was not held up"
            process.send_signal(signal.SIGKILL)
            process.wait()
            assert applied(conninfo) == [one for one in ALL if one < number]
        until(lambda: not connections(conninfo), "the killed one's transaction is gone")
    with migrating(conninfo) as process, migrating(conninfo) as another:
        assert [process.wait(120), another.wait(120)] == [0, 0]
    assert applied(conninfo) == ALL
    assert schema_of(postgres, empty) == schema_of(postgres, whole)
