"""Rewriting: after an erasure the tables of persons are written anew, and the write-ahead log is written over.

To delete a row leaves its bytes in the table's file and in the log's segments. `ALTER TABLE` with an expression copies
the rows that there are into a new file, and none that is dead, as `VACUUM FULL` would where some old snapshot could
still see it. The old file goes with the commit and a checkpoint. The same checkpoint keeps old segments of the log for
reuse as they are, so as many are filled as there are.
"""

from time import monotonic
from typing import Any

import psycopg
import structlog
from psycopg import Connection

RECORD = "INSERT INTO erasures DEFAULT VALUES"
WAITING = "SELECT id FROM erasures"
_TABLES = {"player_keys": "key", "persons": "sealed_name", "tokens": "sealed_label"}
"""The tables, one at a time, each with a column to write anew."""
_REWRITE = "ALTER TABLE {0} ALTER COLUMN {1} TYPE bytea USING {1} || ''::bytea"
_GIVE_WAY = "SET lock_timeout = '300ms'"
"""A backup that reads a table is not waited for: whoever comes behind in the queue would wait as well."""
_STATISTICS = "VACUUM (FULL) pg_statistic"
_SEGMENT = "SELECT pg_walfile_name(pg_current_wal_insert_lsn())"
_SEGMENTS = "SELECT name FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'"
_FILL = ("SELECT pg_logical_emit_message(true, 'kibitz', '')", "SELECT pg_switch_wal()")
_DONE = "DELETE FROM erasures WHERE id = ANY(%s)"
_SHARE = 200.0
"""Times as long as a rewriting has taken nothing is rewritten again: whoever needs a table waits while it is."""
_RETRY = 5.0  # seconds
_REFUSED = 600.0  # seconds until it is tried again where the database's role may not

_log = structlog.get_logger("rewriting")


class Rewriting:
    """What a worker does with its connection once somebody was erased."""

    def __init__(self) -> None:
        self._not_before = 0.0

    def __call__(self, connection: Connection[Any]) -> None:
        """Rewrite if somebody was erased and the last time is long enough ago; raises StoreUnavailable."""
        if (began := monotonic()) < self._not_before:
            return
        if not (waiting := [row[0] for row in connection.execute(WAITING).fetchall()]):
            return
        try:
            overwritten = _rewrite(connection)
        except psycopg.errors.LockNotAvailable:  # a backup reads the tables, say
            self._not_before = began + _RETRY
            return
        except psycopg.errors.InsufficientPrivilege as error:
            _log.warning("erased players stay in the data files", erasures=len(waiting), error=str(error))
            self._not_before = began + _REFUSED
            return
        connection.execute(_DONE, [waiting])
        took = monotonic() - began
        self._not_before = monotonic() + _SHARE * took
        _log.info("rewritten", erasures=len(waiting), seconds=round(took, 3), log_overwritten=overwritten)


def _rewrite(connection: Connection[Any]) -> bool:
    """The tables, what the planner knew of them, the log; whether nothing before is left in the log."""
    connection.execute(_GIVE_WAY)
    try:
        for table, column in _TABLES.items():
            connection.execute(_REWRITE.format(table, column).encode())
        connection.execute(_STATISTICS)
    finally:
        connection.execute("RESET lock_timeout")
    try:
        return _write_over_log(connection)
    except psycopg.errors.InsufficientPrivilege:  # a database of others: its log takes its own course
        return False


def _write_over_log(connection: Connection[Any]) -> bool:
    """Fill the segments that are kept for reuse; False where a replica or an archive keeps segments of before."""
    _fill(connection)
    first = _one(connection, _SEGMENT)
    connection.execute("CHECKPOINT")
    for _ in [first, *(name for name in _segments(connection) if name > first)]:
        _fill(connection)
    return min(_segments(connection)) >= first


def _fill(connection: Connection[Any]) -> None:
    """The rest of the segment in use is written with zeros, and the next one begun."""
    for statement in _FILL:
        connection.execute(statement.encode())


def _segments(connection: Connection[Any]) -> list[str]:
    return [row[0] for row in connection.execute(_SEGMENTS.encode()).fetchall()]


def _one(connection: Connection[Any], statement: str) -> str:
    row = connection.execute(statement.encode()).fetchone()
    return "" if row is None else str(row[0])
