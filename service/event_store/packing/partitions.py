"""Partitions of the log by time: made ahead, and dropped once their games are packed.

A period of time is a range of stream ids: ids are UUIDv7 and begin with the milliseconds since 1970.

Players, leagues and contests have such ids, too. Their rows, and those of the few games that never ended, move from a
dropped partition to the default one; their later rows go there, too. A drop and a move lock the whole log: they wait
for the lock a moment only, then give up.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple
from uuid import UUID

import psycopg
from psycopg import Connection, sql
from psycopg.sql import SQL, Identifier

from service.event_store.connections import unavailability

Length = Literal["day", "week", "month"]


class Period(NamedTuple):
    """From one time to another, the second excluded."""

    begins: datetime
    ends: datetime

    @property
    def name(self) -> str:
        """The partition's name: `events_20261101`."""
        return f"events_{self.begins:%Y%m%d}"

    @property
    def ids(self) -> tuple[UUID, UUID]:
        """The least id of the period, and the least one behind it."""
        return first_id(self.begins), first_id(self.ends)


LOCK = 0x70617274  # "part": only one process changes partitions at a time
PATIENCE = "500ms"
"""How long to wait for the log's lock; readers and writers queue behind it."""
MOST_MOVED = 100_000
"""Most rows that one change may move, which blocks everybody for a second or two."""
_FOUND = """
SELECT child.relname, pg_get_expr(child.relpartbound, child.oid)
FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid WHERE inhparent = 'events'::regclass ORDER BY 1
"""
_BOUNDS = re.compile(r"FROM \('([0-9a-f-]{36})'\) TO \('([0-9a-f-]{36})'\)")
_COLUMNS = SQL("stream, version, position, topic, state")


class Change(NamedTuple):
    """The outcome for a partition: `made`, `dropped`, or why not; and how many rows were moved."""

    partition: str
    what: str
    moved: int = 0


def existing_periods(connection: Connection[Any]) -> list[Period]:
    """The periods of existing partitions, in order, without the default one; raises StoreUnavailable."""
    with unavailability():
        rows = connection.execute(_FOUND).fetchall()
    bounds = [_BOUNDS.search(bound) for _, bound in rows]
    return sorted(Period(id_moment(UUID(one[1])), id_moment(UUID(one[2]))) for one in bounds if one)


def make(
    connection: Connection[Any], length: Length = "month", ahead: int = 3, now: datetime | None = None
) -> Iterator[Change]:
    """Make missing partitions for the current period and those ahead; raises StoreUnavailable.

    After a change of the length, the first new one begins where the last old one ends.
    """
    behind = max((one.ends for one in existing_periods(connection)), default=datetime.min.replace(tzinfo=UTC))
    for period in periods(now or datetime.now(UTC), length, ahead):
        if period.ends > behind:
            yield _run_change(connection, _make, Period(max(period.begins, behind), period.ends))


def drop(connection: Connection[Any], now: datetime | None = None, most_games: int = 100) -> Iterator[Change]:
    """Drop partitions of past periods with at most `most_games` games that are not packed.

    Raises StoreUnavailable.
    """
    for period in existing_periods(connection):
        if period.ends <= (now or datetime.now(UTC)):
            reason = _reason_to_keep(connection, period, most_games)
            yield Change(period.name, f"kept: {reason}") if reason else _run_change(connection, _drop, period)


def _reason_to_keep(connection: Connection[Any], period: Period, most_games: int) -> str:
    """Why the partition must stay; empty if it may go."""
    sql = SQL("SELECT count(*), count(*) FILTER (WHERE version = 1 AND topic = 'game/opened') FROM {}")
    with unavailability():
        ((rows, games),) = connection.execute(sql.format(Identifier(period.name))).fetchall()
    if games > most_games:
        return f"{games} of its games are not packed"
    return f"{rows} rows would have to be moved" if rows > MOST_MOVED else ""


def _run_change(connection: Connection[Any], change: Any, period: Period) -> Change:
    """Run the change in a transaction; gives up if the log's lock is not free."""
    try:
        with connection.transaction():
            connection.execute(SQL("SET LOCAL lock_timeout = {}").format(sql.Literal(PATIENCE)))
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
            done: Change = change(connection, period)
            return done
    except psycopg.errors.LockNotAvailable:
        return Change(period.name, "busy: somebody holds the log; try again")
    except psycopg.errors.DuplicateTable:
        return Change(period.name, "made by another")


def _make(connection: Connection[Any], period: Period) -> Change:
    """Make a partition; its rows in the default partition are moved first, as PostgreSQL demands."""
    name, (first, behind) = Identifier(period.name), period.ids
    held = _count(connection, _HELD, first, behind)
    if held > MOST_MOVED:
        return Change(period.name, f"not made: {held} rows of its time stand in the default partition")
    connection.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
    connection.execute(SQL("CREATE TABLE {} (LIKE events_default INCLUDING ALL)").format(name))
    moved = connection.execute(_MOVE_IN.format(name, columns=_COLUMNS), (first, behind)).rowcount
    bounds = SQL("FOR VALUES FROM ({}) TO ({})").format(sql.Literal(str(first)), sql.Literal(str(behind)))
    connection.execute(SQL("ALTER TABLE events ATTACH PARTITION {} {}").format(name, bounds))
    return Change(period.name, "made", moved)


def _drop(connection: Connection[Any], period: Period) -> Change:
    """Detach a partition, move its remaining rows to the default one, and drop it."""
    name = Identifier(period.name)
    connection.execute(SQL("ALTER TABLE events DETACH PARTITION {}").format(name))
    moved = connection.execute(_MOVE_OUT.format(name, columns=_COLUMNS)).rowcount
    connection.execute(SQL("DROP TABLE {}").format(name))
    return Change(period.name, "dropped", moved)


_HELD = SQL("SELECT count(*) FROM events_default WHERE stream >= %s AND stream < %s")
_MOVE_IN = SQL("""
WITH moved AS (DELETE FROM events_default WHERE stream >= %s AND stream < %s RETURNING {columns})
INSERT INTO {} ({columns}) SELECT {columns} FROM moved
""")


_MOVE_OUT = SQL("INSERT INTO events ({columns}) SELECT {columns} FROM {}")


def _count(connection: Connection[Any], sql: SQL, *params: Any) -> int:
    row = connection.execute(sql, params).fetchone()
    return int(row[0]) if row else 0


def first_id(moment: datetime) -> UUID:
    """The least UUIDv7 that can be made at this moment."""
    return UUID(int=round(moment.timestamp() * 1000) << 80)


def id_moment(first: UUID) -> datetime:
    """The moment of an id from `first_id`."""
    return datetime.fromtimestamp((first.int >> 80) / 1000, UTC)


def periods(now: datetime, length: Length, ahead: int) -> Iterator[Period]:
    """The period of this moment, and the `ahead` next ones."""
    begins = _period_begin(now, length)
    for _ in range(ahead + 1):
        ends = _next_begin(begins, length)
        yield Period(begins, ends)
        begins = ends


def _period_begin(now: datetime, length: Length) -> datetime:
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if length == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if length == "week" else day


def _next_begin(begins: datetime, length: Length) -> datetime:
    if length == "month":
        return (begins + timedelta(days=32)).replace(day=1)
    return begins + timedelta(days=7 if length == "week" else 1)
