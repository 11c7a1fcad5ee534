"""Maintenance while the worker is idle: rewriting after erasures, old idempotency keys, packing games.

Rewriting: after an erasure personal tables are written to new files, and the write-ahead log is overwritten. A deleted
row leaves its bytes in the table's file and in segments of the write-ahead log. `ALTER TABLE` with an expression copies
live rows only to a new file; `VACUUM FULL` would also copy dead rows that an old snapshot can see. The old file goes
with the commit and a checkpoint. The checkpoint keeps old segments for reuse as they are, so all of them are written
over.
"""

from time import monotonic
from typing import Any

import psycopg
import structlog
from psycopg import Connection

from projections import PROJECTIONS
from service.event_store.codec import Codec
from service.event_store.ids import now
from service.event_store.packing import KeyAging, Packer
from service.event_store.unsealing import grace
from service.settings import Settings

_AT_ONCE = 20
"""Games in one transaction: the worker's other work waits that long."""
_PAUSE = 600.0
"""Seconds between two searches for games to pack."""
_DAY = 86_400_000_000
_MIGRATION = 12
RECORD = "INSERT INTO erasures DEFAULT VALUES"
WAITING = "SELECT id FROM erasures"
_TABLES = {"player_keys": "key", "persons": "sealed_name", "tokens": "sealed_label"} | dict.fromkeys(
    ("passkeys", "comments"), "sealed"
)
"""Table -> a column to rewrite."""
_REWRITE = "ALTER TABLE {0} ALTER COLUMN {1} TYPE bytea USING {1} || ''::bytea"
_GIVE_WAY = "SET lock_timeout = '300ms'"
"""Do not wait for a backup that reads a table: all other sessions would queue behind us."""
_STATISTICS = "VACUUM (FULL) pg_statistic"
_SEGMENT = "SELECT pg_walfile_name(pg_current_wal_insert_lsn())"
_SEGMENTS = "SELECT name FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'"
_FILL = ("SELECT pg_logical_emit_message(true, 'kibitz', '')", "SELECT pg_switch_wal()")
_DONE = "DELETE FROM erasures WHERE id = ANY(%s)"
_SHARE = 200.0
"""A rewriting is followed by a pause this many times as long, for it blocks users of the tables."""
_RETRY = 5.0  # seconds
_REFUSED = 600.0  # seconds until the next try where the database's role lacks the privilege

_log = structlog.get_logger("packing")
_rewriting_log = structlog.get_logger("rewriting")


class IdleMaintenance:
    """The work of an idle worker on its connection, in small steps."""

    def __init__(self, settings: Settings, codec: Codec) -> None:
        self._settings = settings
        self._packer = Packer(PROJECTIONS, codec)
        self._rewriting = Rewriting()
        self._key_aging = KeyAging()
        self._not_before = 0.0

    def __call__(self, connection: Connection[Any]) -> bool:
        """One small step; whether there is more to do. Raises StoreUnavailable."""
        self._rewriting(connection)
        if self._key_aging(connection):
            return True
        if not self._settings.pack_when_idle or monotonic() < self._not_before:
            return False
        if rollout(connection, self._settings) or not self._pack(connection):
            self._not_before = monotonic() + _PAUSE
            return False
        return True

    def _pack(self, connection: Connection[Any]) -> bool:
        """Pack a few games; whether there may be more."""
        batch = self._packer.batch(connection, days_ago(self._settings.pack_after_days), _AT_ONCE)
        if batch is None:
            return False
        _log.info("packed", games=batch.games, records=batch.records, bytes=batch.bytes)
        return True


def rollout(connection: Connection[Any], settings: Settings) -> float:
    """Seconds in which programs that cannot read packed games may still run."""
    return grace(connection, settings.rollout_seconds, _MIGRATION)


def days_ago(days: float) -> int:
    """The moment `days` ago, in microseconds since 1970."""
    return now() - round(days * _DAY)


class Rewriting:
    """Rewrites on a worker's connection after players were erased."""

    def __init__(self) -> None:
        self._not_before = 0.0

    def __call__(self, connection: Connection[Any]) -> None:
        """Rewrite if players were erased and the pause is over; raises StoreUnavailable."""
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
            _rewriting_log.warning("erased players stay in the data files", erasures=len(waiting), error=str(error))
            self._not_before = began + _REFUSED
            return
        connection.execute(_DONE, [waiting])
        took = monotonic() - began
        self._not_before = monotonic() + _SHARE * took
        _rewriting_log.info("rewritten", erasures=len(waiting), seconds=round(took, 3), log_overwritten=overwritten)


def _rewrite(connection: Connection[Any]) -> bool:
    """Rewrite tables, planner statistics and write-ahead log; whether no old segment of the log is left."""
    connection.execute(_GIVE_WAY)
    try:
        for table, column in _TABLES.items():
            connection.execute(_REWRITE.format(table, column).encode())
        connection.execute(_STATISTICS)
    finally:
        connection.execute("RESET lock_timeout")
    try:
        return _write_over_log(connection)
    except psycopg.errors.InsufficientPrivilege:  # a managed database: its log is out of our hands
        return False


def _write_over_log(connection: Connection[Any]) -> bool:
    """Fill the segments kept for reuse; False if a replica or an archive keeps old segments."""
    _fill(connection)
    row = connection.execute(_SEGMENT.encode()).fetchone()
    first = "" if row is None else str(row[0])
    connection.execute("CHECKPOINT")
    for _ in [first, *(name for name in _segments(connection) if name > first)]:
        _fill(connection)
    return min(_segments(connection)) >= first


def _fill(connection: Connection[Any]) -> None:
    """Fill the rest of the current segment with zeros, and begin the next."""
    for statement in _FILL:
        connection.execute(statement.encode())


def _segments(connection: Connection[Any]) -> list[str]:
    return [row[0] for row in connection.execute(_SEGMENTS.encode()).fetchall()]
