"""The database schema: numbered SQL migrations, applied in order by one command, never by racing processes.

Old and new programs run side by side while a release is rolled out or back. A line `-- safe for: 0010` in a migration
therefore says which programs go on working: those that have at least the migrations up to that one. The database
stores the number, so that a program can judge a migration that it does not have.
"""

import re
from importlib.resources import files
from typing import Any, NamedTuple

import psycopg
from psycopg import Connection

from service.event_store.connections import open_connection
from service.event_store.errors import SchemaMissing, SchemaNewer, SchemaOutdated

_LOCK = 0x6B696269747A  # "kibitz": an advisory lock: one process migrates at a time
_APPLIED = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    number     int         PRIMARY KEY,
    name       text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
DO $$ BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = 'schema_migrations'::regclass AND attname = 'safe_for'
    ) THEN
        ALTER TABLE schema_migrations ADD COLUMN safe_for int;
    END IF;
END $$
"""
# Reads the row as JSON, so that a table without the column works, too.
_SELECT = "SELECT number, name, (to_jsonb(found) ->> 'safe_for')::int FROM schema_migrations AS found"
# Do not wait long for a table that a reader holds: everybody else would queue behind us.
_PATIENCE = "SET lock_timeout = '5s'"
_SAFE_FOR = re.compile(r"^-- safe for: (\d{4})$", re.MULTILINE)


class Migration(NamedTuple):
    """One file of the migrations folder: `0001_log.sql` has number 1 and name `0001_log`."""

    number: int
    name: str
    sql: str

    @property
    def safe_for(self) -> int | None:
        """Programs whose newest migration has at least this number go on working; None: none does."""
        said = _SAFE_FOR.search(self.sql)
        return None if said is None else int(said[1])


class Applied(NamedTuple):
    """A migration of the database, which this program may not have."""

    number: int
    name: str
    safe_for: int | None


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
    """Apply missing migrations, each in a transaction; raises SchemaNewer or StoreUnavailable.

    Of two that run at once the second waits and finds nothing to do. If another program locks a table for more than
    five seconds the migration fails unchanged: run it again.
    """
    with open_connection(conninfo, "migrate") as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        connection.execute(_PATIENCE)
        connection.execute(_APPLIED)
        applied = _applied_migrations(connection)
        _refuse_newer(applied)
        for migration in _lacking_migrations(applied):
            _apply(connection, migration)


def _apply(connection: Connection[Any], migration: Migration) -> None:
    with connection.transaction():
        connection.execute(migration.sql.encode())
        said = (migration.number, migration.name, migration.safe_for)
        connection.execute("INSERT INTO schema_migrations (number, name, safe_for) VALUES (%s, %s, %s)", said)


def check(conninfo: str) -> None:
    """Check that the schema fits; raises SchemaMissing, SchemaOutdated, SchemaNewer or StoreUnavailable."""
    with open_connection(conninfo, "check") as connection:
        applied = _applied_migrations(connection)
    if not applied:
        raise SchemaMissing(f"The database has no schema; {_needs()}. Run `kibitz migrate`.")
    _refuse_newer(applied)
    if missing := _lacking_migrations(applied):
        names = ", ".join(migration.name for migration in missing)
        raise SchemaOutdated(f"The database lacks {names}; {_needs()}. Run `kibitz migrate`.")


def _lacking_migrations(applied: list[Applied]) -> list[Migration]:
    there = {one.number for one in applied}
    return [migration for migration in migrations() if migration.number not in there]


def _applied_migrations(connection: Connection[Any]) -> list[Applied]:
    try:
        return [Applied(*row) for row in connection.execute(_SELECT).fetchall()]
    except psycopg.errors.UndefinedTable:
        return []


def _refuse_newer(applied: list[Applied]) -> None:
    """Raises SchemaNewer for an unknown migration that is not marked as safe for this program."""
    known = {migration.number for migration in migrations()}
    unknown = [one for one in sorted(applied) if one.number not in known]
    unsafe = [one.name for one in unknown if one.safe_for is None or one.safe_for > max(known)]
    if unsafe:
        raise SchemaNewer(f"The database has {', '.join(unsafe)}; {_needs()}. Run a newer version of this program.")


def unknown(conninfo: str) -> list[str]:
    """The names of the database's migrations that this program does not have; raises StoreUnavailable."""
    known = {migration.number for migration in migrations()}
    with open_connection(conninfo, "check") as connection:
        return [one.name for one in sorted(_applied_migrations(connection)) if one.number not in known]


def _needs() -> str:
    return f"this program needs the schema up to {migrations()[-1].name}"
