"""The database schema: numbered SQL migrations, applied in order by one command, never by racing processes."""

from importlib.resources import files
from typing import Any, NamedTuple

import psycopg
from psycopg import Connection

from service.event_store.connections import connected
from service.event_store.errors import SchemaMissing, SchemaNewer, SchemaOutdated

_LOCK = 0x6B696269747A  # "kibitz": one advisory lock per database for whoever migrates it
_APPLIED = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    number     int         PRIMARY KEY,
    name       text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""


class Migration(NamedTuple):
    """One file of the migrations folder: `0001_log.sql` has number 1 and name `0001_log`."""

    number: int
    name: str
    sql: str


def migrations() -> list[Migration]:
    """Every migration this program has, in order; raises ValueError if two have one number."""
    folder = files("service.event_store").joinpath("migrations")
    found = [_migration(file.name, file.read_text("utf-8")) for file in folder.iterdir() if file.name.endswith(".sql")]
    numbers = [migration.number for migration in found]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"two migrations have one number: {sorted(migration.name for migration in found)}")
    return sorted(found)


def _migration(file_name: str, sql: str) -> Migration:
    return Migration(int(file_name.partition("_")[0]), file_name.removesuffix(".sql"), sql)


def migrate(conninfo: str) -> None:
    """Apply what is missing, each in a transaction; raises SchemaNewer or StoreUnavailable.

    Two that run at once both succeed: the second waits and finds nothing to do.
    """
    with connected(conninfo, "migrate") as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        connection.execute(_APPLIED)
        applied = _applied(connection)
        _refuse_newer(applied)
        for migration in migrations():
            if migration.number not in applied:
                _apply(connection, migration)


def _apply(connection: Connection[Any], migration: Migration) -> None:
    with connection.transaction():
        connection.execute(migration.sql.encode())
        connection.execute("INSERT INTO schema_migrations (number, name) VALUES (%s, %s)", migration[:2])


def check(conninfo: str) -> None:
    """Whether the database is what this program needs: SchemaMissing, SchemaOutdated, SchemaNewer, StoreUnavailable."""
    with connected(conninfo, "check") as connection:
        applied = _applied(connection)
    if not applied:
        raise SchemaMissing(f"The database has no schema; {_needs()}. Run `kibitz migrate`.")
    _refuse_newer(applied)
    missing = [migration.name for migration in migrations() if migration.number not in applied]
    if missing:
        raise SchemaOutdated(f"The database lacks {', '.join(missing)}; {_needs()}. Run `kibitz migrate`.")


def _applied(connection: Connection[Any]) -> dict[int, str]:
    try:
        return dict(connection.execute("SELECT number, name FROM schema_migrations").fetchall())
    except psycopg.errors.UndefinedTable:
        return {}


def _refuse_newer(applied: dict[int, str]) -> None:
    known = {migration.number for migration in migrations()}
    unknown = [name for number, name in sorted(applied.items()) if number not in known]
    if unknown:
        raise SchemaNewer(f"The database has {', '.join(unknown)}; {_needs()}. Run a newer version of this program.")


def _needs() -> str:
    return f"this program needs the schema up to {migrations()[-1].name}"
