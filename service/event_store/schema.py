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
_SELECT = "SELECT number, name, (to_jsonb(applied) ->> 'safe_for')::int FROM schema_migrations AS applied"
# Do not wait long for a table that a reader holds: all others would queue behind us.
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
        line = _SAFE_FOR.search(self.sql)
        return None if line is None else int(line[1])


class Applied(NamedTuple):
    """A migration of the database, which this program may not have."""

    number: int
    name: str
    safe_for: int | None


def migrations() -> list[Migration]:
    """Every migration this program has, in order; raises ValueError if two have one number."""
    folder = files("service.event_store").joinpath("migrations")
    scripts = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    ordered = sorted(
        Migration(int(file.name.partition("_")[0]), file.name.removesuffix(".sql"), file.read_text("utf-8"))
        for file in scripts
    )
    if len({migration.number for migration in ordered}) < len(ordered):
        raise ValueError(f"two migrations have one number: {[migration.name for migration in ordered]}")
    return ordered


def migrate(conninfo: str) -> None:
    """Apply missing migrations, each in a transaction; raises SchemaNewer or StoreUnavailable.

    If two run at once the second waits and has nothing to do. If another program locks a table for more than five
    seconds the migration fails unchanged: run it again.
    """
    with open_connection(conninfo, "migrate") as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        connection.execute(_PATIENCE)
        connection.execute(_APPLIED)
        applied = _applied_migrations(connection)
        _refuse_newer(applied)
        for migration in _missing_migrations(applied):
            with connection.transaction():
                connection.execute(migration.sql.encode())
                row = (migration.number, migration.name, migration.safe_for)
                connection.execute("INSERT INTO schema_migrations (number, name, safe_for) VALUES (%s, %s, %s)", row)


def check(conninfo: str) -> None:
    """Check that the schema fits; raises SchemaMissing, SchemaOutdated, SchemaNewer or StoreUnavailable."""
    with open_connection(conninfo, "check") as connection:
        applied = _applied_migrations(connection)
    if not applied:
        raise SchemaMissing(f"The database has no schema; {_needs()}. Run `kibitz migrate`.")
    _refuse_newer(applied)
    if missing := _missing_migrations(applied):
        names = ", ".join(migration.name for migration in missing)
        raise SchemaOutdated(f"The database lacks {names}; {_needs()}. Run `kibitz migrate`.")


def _missing_migrations(applied: list[Applied]) -> list[Migration]:
    numbers = {migration.number for migration in applied}
    return [migration for migration in migrations() if migration.number not in numbers]


def _applied_migrations(connection: Connection[Any]) -> list[Applied]:
    try:
        return [Applied(*row) for row in connection.execute(_SELECT).fetchall()]
    except psycopg.errors.UndefinedTable:
        return []


def _refuse_newer(applied: list[Applied]) -> None:
    """Raises SchemaNewer for an unknown migration that is not marked as safe for this program."""
    newest = migrations()[-1].number
    unsafe = [new.name for new in _unknown(applied) if new.safe_for is None or new.safe_for > newest]
    if unsafe:
        raise SchemaNewer(f"The database has {', '.join(unsafe)}; {_needs()}. Run a newer version of this program.")


def unknown(conninfo: str) -> list[str]:
    """The names of the database's migrations that this program does not have; raises StoreUnavailable."""
    with open_connection(conninfo, "check") as connection:
        return [migration.name for migration in _unknown(_applied_migrations(connection))]


def _unknown(applied: list[Applied]) -> list[Applied]:
    numbers = {migration.number for migration in migrations()}
    return [migration for migration in sorted(applied) if migration.number not in numbers]


def _needs() -> str:
    return f"this program needs the schema up to {migrations()[-1].name}"
