"""The database: reachable, of the right schema, its read models kept, its clock and ours alike."""

import time
from collections.abc import Iterator, Sequence
from typing import Any

from psycopg import Connection

from service.cli.checks import Finding, sentence, server
from service.cli.database import checked_address, place
from service.cli.ending import SAID_IN_ONE_SENTENCE
from service.cli.keys import codec
from service.cluster.roster import Peer, is_loopback, living_processes
from service.event_store import schema
from service.event_store.connections import open_connection
from service.event_store.errors import SchemaError, SchemaNewer
from service.event_store.reading import read_head, read_log
from service.event_store.unsealing import missing_keys
from service.keys.key_files import KeysUnusable
from service.keys.sealing import Seals
from service.postgres import join
from service.settings import Settings
from service.workers import health
from service.workers.worker import LOCK

MUCH = 10_000
"""Events: a worker that lags by more needs attention."""
LATE = 24.0
"""Hours after which an erasure ought to be in the files."""
FAR = 2.0
"""Seconds that two clocks may differ."""
_LOOK = "look into the worker's log."
_ERASURES = "SELECT count(*), coalesce(extract(epoch FROM now() - min(since)) / 3600, 0)::float8 FROM erasures"
_WORKING = """
SELECT count(*) FROM pg_locks
WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND granted AND objsubid = 1 AND classid::bigint << 32 | objid::bigint = %s
"""


def findings(settings: Settings) -> Iterator[Finding]:
    """Connection first, then schema; the other checks need a fitting schema."""
    try:
        conninfo = _address(settings)
        with open_connection(conninfo, "doctor") as connection:
            yield Finding("Database", f"the {place(settings)} answers.")
            yield from server.findings(settings, connection)
            yield from _schema_findings(conninfo, connection, settings)
    except SAID_IN_ONE_SENTENCE as error:
        remedy = "check DATABASE_URL and its server." if settings.database_url else "start it with `kibitz serve`."
        yield Finding("Database", sentence(error).replace(f": {remedy}", "."), remedy)


def _address(settings: Settings) -> str:
    """The address behind any pooler: the checks need a session of their own."""
    if settings.database_url is None:
        return join(settings.data_folder).dsn
    return checked_address(settings.session_url or settings.database_url)


def _schema_findings(conninfo: str, connection: Connection[Any], settings: Settings) -> Iterator[Finding]:
    yield clocks(connection)
    try:
        schema.check(conninfo)
    except SchemaError as error:
        newer = isinstance(error, SchemaNewer)
        yield Finding("Schema", sentence(error), "run a newer version of Kibitz." if newer else "run `kibitz migrate`.")
        return
    ahead = schema.unknown(conninfo)
    beyond = f"; the database is ahead by {', '.join(ahead)}, which leaves this program working" if ahead else ""
    yield Finding("Schema", f"at {schema.migrations()[-1].name}, as it should be{beyond}.")
    yield sealing_keys(connection, settings)
    yield erasures(connection)
    yield worker(connection, settings)
    yield processes(living_processes(connection))
    yield newest_record(connection, settings)


def sealing_keys(connection: Connection[Any], settings: Settings) -> Finding:
    """Whether the folder has every key that live games may need."""
    try:
        seals = Seals(settings.sealing_folder).read()
    except KeysUnusable as error:
        return Finding("Sealing keys", sentence(error), "look into the folder.")
    missed = [key.hex() for key in missing_keys(connection, seals)]
    if missed:
        return Finding("Sealing keys", f"missing: {', '.join(missed)}.", "bring them back, or `kibitz keys give-up`.")
    return Finding("Sealing keys", f"{len(seals.ids)} in {settings.sealing_folder.expanduser()}.")


def erasures(connection: Connection[Any]) -> Finding:
    """Whether anybody who was erased may still be found in the database's own files."""
    row = connection.execute(_ERASURES.encode()).fetchone()
    waiting, hours = row or (0, 0.0)
    told = (
        f"{waiting} are not in the database's files yet, the oldest for {hours:.1f} hours."
        if waiting
        else "none waits."
    )
    late = "see in the worker's log why the tables of persons cannot be rewritten." if hours > LATE else None
    return Finding("Erasures", told, late)


def processes(living: Sequence[Peer]) -> Finding:
    """Whether the processes that answer can reach each other by the addresses that they give."""
    machines = {peer.machine for peer in living}
    local = [peer for peer in living if is_loopback(peer.address)]
    text = f"{len(living)} answer, at {', '.join(peer.address for peer in living)}." if living else "none answers."
    if len(machines) > 1 and local:
        where = ", ".join(sorted({peer.machine or "a program of before" for peer in local}))
        return Finding("Processes", text, f"set KIBITZ_ADDRESS to one that the others reach, on {where}.")
    return Finding("Processes", text)


def clocks(connection: Connection[Any]) -> Finding:
    """This machine's clock against the database's."""
    asked = time.time()
    row = connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()
    apart = abs((row[0] if row else 0.0) - (asked + time.time()) / 2)
    remedy = None if apart <= FAR else "set both clocks by NTP."
    return Finding("Clocks", f"the database's and this machine's are {apart:.1f} seconds apart.", remedy)


def worker(connection: Connection[Any], settings: Settings) -> Finding:
    """How far the read models lag behind the log, which have stopped, and whether a worker runs."""
    row = connection.execute(_WORKING.encode(), [LOCK]).fetchone()
    working = bool(row and row[0])
    standing = health.look(connection, codec(settings))
    behind = max((one.lag_events for one in standing.projections), default=0)
    told = f"the read models are {behind} events behind the log, and {'a' if working else 'no'} worker is at it."
    if standing.failing:
        return Finding("Worker", f"{told} Stopped: {', '.join(map(_stop_words, standing.stopped))}.", _LOOK)
    if behind and not working:
        return Finding("Worker", told, "run `kibitz serve` or `kibitz worker`.")
    return Finding("Worker", told, _LOOK if behind > MUCH else None)


def _stop_words(one: health.ProjectionState) -> str:
    return f"{one.name} at {one.position} by {one.failing}"


def newest_record(connection: Connection[Any], settings: Settings) -> Finding:
    """The newest record must not come from the future."""
    log = read_log(connection, read_head(connection) - 1, 1, codec(settings))
    ahead = (log[0].record.time / 1e6 - time.time()) if log else 0.0
    if ahead > FAR:
        return Finding("Log", f"its newest record is {ahead:.0f} seconds in the future.", "set the clock by NTP.")
    return Finding("Log", f"{read_head(connection)} records.")
