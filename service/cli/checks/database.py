"""The database: reachable, of the right schema, its read models kept, its clock and ours alike."""

import time
from collections.abc import Iterator
from typing import Any

from psycopg import Connection

from projections.builds import builds
from service.cli.checks.finding import Finding
from service.cli.database import checked, place
from service.cli.errors import SAID_IN_ONE_SENTENCE
from service.event_store import schema
from service.event_store.connections import connected
from service.event_store.errors import SchemaError, SchemaNewer
from service.event_store.reading import read_head, read_log
from service.postgres import join
from service.settings import Settings
from service.worker import LOCK

MUCH = 10_000
"""Events: a worker that is so far behind needs a look."""
FAR = 2.0
"""Seconds that two clocks may differ."""
_WORKING = """
SELECT count(*) FROM pg_locks
WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND classid::bigint << 32 | objid::bigint = %s
"""


def findings(settings: Settings) -> Iterator[Finding]:
    """Reachable first; without a fitting schema nothing more can be said."""
    try:
        conninfo = checked(settings.database_url) if settings.database_url else join(settings.data_folder).dsn
        with connected(conninfo, "doctor") as connection:
            yield Finding("Database", f"the {place(settings)} answers.")
            yield from _within(conninfo, connection)
    except SAID_IN_ONE_SENTENCE as error:
        remedy = "check DATABASE_URL and its server." if settings.database_url else "start it with `kibitz serve`."
        yield Finding("Database", str(error).replace(f": {remedy}", "."), remedy)


def _within(conninfo: str, connection: Connection[Any]) -> Iterator[Finding]:
    yield clocks(connection)
    try:
        schema.check(conninfo)
    except SchemaError as error:
        newer = isinstance(error, SchemaNewer)
        yield Finding("Schema", str(error), "run a newer version of Kibitz." if newer else "run `kibitz migrate`.")
        return
    yield Finding("Schema", f"at {schema.migrations()[-1].name}, as it should be.")
    yield worker(connection)
    yield newest(connection)


def clocks(connection: Connection[Any]) -> Finding:
    """This machine's clock against the database's."""
    asked = time.time()
    row = connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()
    apart = abs((row[0] if row else 0.0) - (asked + time.time()) / 2)
    remedy = None if apart <= FAR else "set both clocks by NTP."
    return Finding("Clocks", f"the database's and this machine's are {apart:.1f} seconds apart.", remedy)


def worker(connection: Connection[Any]) -> Finding:
    """How far the read models are behind the log, and whether anybody keeps them."""
    row = connection.execute(_WORKING.encode(), [LOCK]).fetchone()
    working = bool(row and row[0])
    standing = [build.position for build in builds(connection) if build.live]
    head = read_head(connection)
    behind = head - min(standing, default=0)
    told = f"the read models are {behind} events behind the log, and {'a' if working else 'no'} worker is at it."
    if behind and not working:
        return Finding("Worker", told, "run `kibitz serve` or `kibitz worker`.")
    return Finding("Worker", told, "look into the worker's log." if behind > MUCH else None)


def newest(connection: Connection[Any]) -> Finding:
    """The newest record must not come from the future."""
    log = read_log(connection, read_head(connection) - 1, 1)
    ahead = (log[0].record.time / 1e6 - time.time()) if log else 0.0
    if ahead > FAR:
        return Finding("Log", f"its newest record is {ahead:.0f} seconds in the future.", "set the clock by NTP.")
    return Finding("Log", f"{read_head(connection)} records.")
