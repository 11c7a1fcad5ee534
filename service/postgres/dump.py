"""A whole database in one file and back, by PostgreSQL's own programs, which the wheel brings.

They speak to any PostgreSQL that is not newer than they are. The database's password never stands on a command line.
"""

import subprocess
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from service.postgres.binaries import environment, wheel_binaries
from service.postgres.folder import PostgresError

EXCLUDED_TABLES = ("documents", "positions", "processes", "worker_state")
"""Tables without rows in the dump: read models are rebuilt from the log, and processes are momentary."""
_TAKE_OVER = "UPDATE leases SET process = 0; UPDATE log SET epoch = epoch + 1"
_BY_PSQL = r"""file=$1; shift
{ echo 'BEGIN;'; "$0" --no-owner --no-privileges --file=- "$file" && echo 'COMMIT;' || echo 'SELECT unread;'; } |
sed '/^SET transaction_timeout = 0;$/d' | "$@" --no-psqlrc --quiet --output=/dev/null --set=ON_ERROR_STOP=1"""
"""pg_restore by itself sets what servers before 17 do not know."""


class DumpFailed(PostgresError):
    """PostgreSQL's program could not write or read the file, or speak to the database."""


class NotEmpty(PostgresError):
    """The database has tables already, and a restore overwrites nothing."""


def dump(conninfo: str, file: Path) -> int:
    """Write the database of one instant to this file, readable by its owner only; its log position.

    The service may go on meanwhile. The file gets its name when it is complete. Raises DumpFailed."""
    unfinished = file.with_name(file.name + ".unfinished")
    with psycopg.connect(conninfo) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        snapshot, head = _fetch(connection, "SELECT pg_export_snapshot(), head FROM log")
        flags = [f"--snapshot={snapshot}", *(f"--exclude-table-data={table}" for table in EXCLUDED_TABLES)]
        _run("pg_dump", conninfo, "--format=custom", *flags, f"--file={unfinished}")
    unfinished.replace(file)
    return int(head)


def restore(conninfo: str, file: Path) -> int:
    """Fill an empty database from this file, all or nothing; its log position. Raises NotEmpty, DumpFailed."""
    with psycopg.connect(conninfo) as connection:
        (tables,) = _fetch(connection, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    if tables:
        raise NotEmpty("The database has tables already: restore into a new one, which nobody has migrated.")
    _run("psql", conninfo, before=("sh", "-c", _BY_PSQL, str(wheel_binaries() / "pg_restore"), str(file)))
    with psycopg.connect(conninfo) as connection:
        connection.execute(_TAKE_OVER)
        (head,) = _fetch(connection, "SELECT head FROM log")
    return int(head)


def _fetch(connection: "psycopg.Connection[tuple[Any, ...]]", statement: str) -> tuple[Any, ...]:
    row = connection.execute(statement.encode()).fetchone()
    if row is None:
        raise DumpFailed("The database has no log.")
    return row


def _run(program: str, conninfo: str, *arguments: str, before: tuple[str, ...] = ()) -> None:
    parts: dict[str, Any] = conninfo_to_dict(conninfo)
    secret = {} if parts.get("password") is None else {"PGPASSWORD": str(parts.pop("password"))}
    path, address = wheel_binaries() / program, f"--dbname={make_conninfo(**parts)}"
    command, variables = [*before, str(path), address, "--no-password", *arguments], {**environment(), **secret}
    process = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, umask=0o077)
    if process.returncode:
        errors = [line for line in process.stderr.splitlines() if "error:" in line.lower()]
        raise DumpFailed(f"{program} failed: {(errors or [process.stderr or 'it said nothing'])[0].strip()}")
