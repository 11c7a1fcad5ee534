"""The database server: its version, how durable it is, how many connections it takes, rights, pooler and replica."""

from collections.abc import Iterator
from typing import Any

from psycopg import Connection

from service.cli.checks import Finding, sentence
from service.event_store import schema
from service.event_store.connections import is_pooled, open_connection
from service.event_store.errors import LOG_ERRORS
from service.settings import Settings

OLDEST = 15
"""The oldest major version of PostgreSQL that the schema is written for."""
FAR_BEHIND = 60.0
"""Seconds of lag beyond which a replica is of no use."""
PER_PROCESS = 4 + 4 + 1 + 4 + 1
"""Connections of one process at most: readers of the log, of the read models, the writer, listeners, the lease."""
BESIDE = 4
"""Connections for the worker, a standby worker, a migration and an administrator."""
_DURABLE = ("fsync", "full_page_writes", "synchronous_commit")
_ROOM = """
SELECT least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
    (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()),
    (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user)
)
"""
_LAG = """
SELECT pg_get_wal_replay_pause_state() <> 'not paused',
       CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
            ELSE coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0) END::float8
"""


def findings(settings: Settings, connection: Connection[Any]) -> Iterator[Finding]:
    """One for each thing; `connection` goes to the server itself, past any pooler."""
    yield version(connection)
    yield durability(connection)
    yield room(connection, settings.processes)
    yield rights(connection)
    if settings.database_url is not None:
        yield pooler(settings)
    if settings.replica_url is not None:
        yield replica(settings.replica_url)


def version(connection: Connection[Any]) -> Finding:
    """The server's version, and whether it is one that takes writes."""
    major = connection.info.server_version // 10_000
    if _one(connection, "SELECT pg_is_in_recovery()"):
        remedy: str | None = "name the primary, or every node with target_session_attrs=read-write."
        return Finding("Server", f"PostgreSQL {major}, a standby.", remedy)
    remedy = None if major >= OLDEST else f"upgrade the server to PostgreSQL {OLDEST} or newer."
    return Finding("Server", f"PostgreSQL {major}.", remedy)


def durability(connection: Connection[Any]) -> Finding:
    """Whether PostgreSQL acknowledges only what is on disk, as the event store requires."""
    off = [name for name in _DURABLE if _one(connection, f"SHOW {name}") == "off"]
    if off:
        return Finding("Durability", f"{' and '.join(off)} off: what was acknowledged may be lost.", "turn it on.")
    return Finding("Durability", f"{', '.join(_DURABLE)} are on.")


def room(connection: Connection[Any], processes: int) -> Finding:
    """Whether the server takes as many connections as these processes may open."""
    takes, needs = int(_one(connection, _ROOM)), processes * PER_PROCESS + BESIDE
    remedy = None if takes >= needs else "raise max_connections, or put a pooler before the readers."
    return Finding("Connections", f"up to {needs} of ours at once; the server takes {takes} from this role.", remedy)


def rights(connection: Connection[Any]) -> Finding:
    """Whether migrations could be made by this role; no extension and no other right is needed."""
    may = _one(connection, "SELECT has_schema_privilege(current_schema(), 'CREATE')")
    remedy = None if may else "give it CREATE on the schema, or migrate as another role."
    return Finding("Rights", f"this role may {'' if may else 'not '}make tables.", remedy)


def pooler(settings: Settings) -> Finding:
    """Whether DATABASE_URL is a pooler's, and then whether sessions have an address of their own."""
    with open_connection(settings.database_url or "", "doctor") as connection:
        if not is_pooled(connection):
            return Finding("Pooler", "none stands before the database.")
    if settings.session_url is not None:
        return Finding("Pooler", "one answers at DATABASE_URL, and sessions go past it.")
    remedy = "name the database's direct address in KIBITZ_SESSION_URL."
    return Finding("Pooler", "one answers at DATABASE_URL, and sessions have no address of their own.", remedy)


def replica(url: str) -> Finding:
    """Whether the replica is one, has the schema, and how far it is behind."""
    try:
        with open_connection(url, "doctor") as connection:
            if not _one(connection, "SELECT pg_is_in_recovery()"):
                return Finding("Replica", "what answers is none.", "name a streaming replica in KIBITZ_REPLICA_URL.")
            paused, behind = connection.execute(_LAG.encode()).fetchone() or (False, 0.0)
        schema.check(url)
    except LOG_ERRORS as error:
        return Finding("Replica", sentence(error), "look into the replica; until then the primary is read.")
    told = f"{behind:.0f} seconds behind{', and its replay is paused' if paused else ''}."
    return Finding("Replica", told, "look into its replay." if paused or behind > FAR_BEHIND else None)


def _one(connection: Connection[Any], sql: str) -> Any:
    row = connection.execute(sql.encode()).fetchone()
    return None if row is None else row[0]
