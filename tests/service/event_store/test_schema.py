"""Migrations: applied once, in order, by whoever comes first; a database that does not fit is refused in a sentence."""

import subprocess
import sys

import psycopg
import pytest

from service.event_store import schema
from service.event_store.errors import SchemaMissing, SchemaNewer, SchemaOutdated, StoreUnavailable
from service.event_store.schema import Migration, check, migrate, migrations
from service.event_store.store import EventStore

from .made import on_a_loop

ALL = [migration.number for migration in migrations()]


def applied(conninfo: str) -> list[int]:
    with psycopg.connect(conninfo) as connection:
        return [number for (number,) in connection.execute("SELECT number FROM schema_migrations ORDER BY applied_at")]


def execute(conninfo: str, sql: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(sql.encode())


def test_migrating_applies_every_file_of_the_folder_in_order(empty_database: str) -> None:
    migrate(empty_database)
    assert ALL[0] == 1
    assert applied(empty_database) == ALL == sorted(ALL)
    check(empty_database)


def test_migrating_again_changes_nothing(database: str) -> None:
    execute(database, "UPDATE log SET head = 7")
    migrate(database)
    assert applied(database) == ALL
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT head FROM log").fetchone() == (7,)


def test_processes_that_migrate_at_once_all_succeed(empty_database: str) -> None:
    program = "import sys; from service.event_store.schema import migrate; sys.stdin.read(); migrate(sys.argv[1])"
    command = [sys.executable, "-c", program, empty_database]
    racing = [subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    for process in racing:
        assert process.stdin is not None
        process.stdin.close()
    assert [(process.wait(), process.stderr and process.stderr.read()) for process in racing] == [(0, b"")] * 3
    for process in racing:
        assert process.stderr is not None
        process.stderr.close()
    assert applied(empty_database) == ALL


def test_a_migration_that_fails_leaves_nothing_behind(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Migration(9000, "9000_broken", "CREATE TABLE half_done (id int); SELECT no_such_column;")
    monkeypatch.setattr(schema, "migrations", lambda: [*migrations(), broken])
    with pytest.raises(psycopg.errors.UndefinedColumn):
        migrate(database)
    assert applied(database) == ALL
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT to_regclass('half_done')").fetchone() == (None,)


def test_a_database_without_a_schema_is_missing_it(empty_database: str) -> None:
    with pytest.raises(
        SchemaMissing, match=r"no schema; this program needs the schema up to \w+\. Run `kibitz migrate`"
    ):
        check(empty_database)


def test_a_database_that_lacks_a_migration_is_outdated(database: str) -> None:
    execute(database, f"DELETE FROM schema_migrations WHERE number = {ALL[-1]}")
    with pytest.raises(
        SchemaOutdated, match=f"lacks {migrations()[-1].name}; this program needs .* Run `kibitz migrate`"
    ):
        check(database)


def test_a_newer_database_is_refused_by_check_and_by_migrate(database: str) -> None:
    execute(database, "INSERT INTO schema_migrations VALUES (9999, '9999_from_the_future')")
    for refused in (check, migrate):
        with pytest.raises(SchemaNewer, match=r"has 9999_from_the_future; this program needs .* Run a newer version"):
            refused(database)


def test_a_database_that_is_not_there_is_unavailable() -> None:
    for refused in (check, migrate):
        with pytest.raises(StoreUnavailable, match="does not answer"):
            refused("host=/nowhere dbname=nothing")


@on_a_loop
async def test_a_store_does_not_open_on_a_schema_that_does_not_fit(empty_database: str) -> None:
    with pytest.raises(SchemaMissing):
        await EventStore(empty_database).open()
