"""The rows of appends, and a batch stored thoroughly: one transaction in which each append succeeds or fails by itself.

All appends are stored at once first; only if one is refused they go one by one under savepoints.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.errors import UniqueViolation

from service.event_store.connections import MISTAKES
from service.event_store.errors import DuplicateCompanion, Fenced, StaleVersion
from service.telemetry.metrics import APPENDS, count_batch_size

CHANNEL = "kibitz_log"
"""The channel with the log's new head after every batch."""
URGENT = "kibitz_urgent"
"""The channel with players whose cached tokens every process must drop."""


class Row(NamedTuple):
    """One event to be stored."""

    stream: UUID
    version: int
    topic: str
    state: bytes


class Companion(NamedTuple):
    """A statement to run in the transaction of the events, such as an idempotency key: stored together or not at all.

    Its constraints must not be deferred (none of ours is), so that only its own append fails. `many`: the statement for
    several companions at once, with an array `$1`, `$2` for each parameter.
    """

    sql: str
    params: Sequence[Any] = ()
    many: str = ""


class Append(NamedTuple):
    """What one command stores: its events, in order, its companions, and the slot whose lease it needs, if any."""

    rows: tuple[Row, ...]
    companions: tuple[Companion, ...] = ()
    slot: int | None = None


Outcome = int | Exception
"""The position of an append's last event (the head of the log if it had none), or why it was not stored."""

REFUSALS = (*MISTAKES, TypeError, ValueError)
"""Errors that refuse one append: the database's, or the driver's if it cannot adapt a value."""


# One statement: lock and update the log's row (none if the epoch moved on), insert the events at its positions. The
# unique index sees rows that the snapshot does not, so a version taken by a writer before us is a violation.
WRITE = """
WITH taken AS (
    UPDATE log SET head = head + %(count)s WHERE epoch = %(epoch)s RETURNING head
), written AS (
    INSERT INTO events (stream, version, position, topic, state)
    SELECT row.stream, row.version, taken.head - %(count)s + row.place, row.topic, row.state
    FROM taken, unnest(%(streams)b::uuid[], %(versions)b::int[], %(topics)b::text[], %(states)b::bytea[])
        WITH ORDINALITY AS row (stream, version, topic, state, place)
)
SELECT head FROM taken
"""
_NOTIFYING = WRITE.replace("SELECT head FROM taken", f"SELECT head, pg_notify('{CHANNEL}', head::text) FROM taken")
_NOTIFY = f"SELECT pg_notify('{CHANNEL}', head::text) FROM log"


def write(connection: Connection[Any], epoch: int, rows: Sequence[Row]) -> int:
    """Append rows; the new head. Raises Fenced, or psycopg's UniqueViolation."""
    return _write_rows(connection, WRITE, epoch, rows)


def write_and_notify(connection: Connection[Any], epoch: int, rows: Sequence[Row]) -> int:
    """As `write`, and notify the followers."""
    return _write_rows(connection, _NOTIFYING, epoch, rows)


def notify(connection: Connection[Any]) -> None:
    """Notify the followers of the log's head."""
    connection.execute(_NOTIFY)


def _write_rows(connection: Connection[Any], sql: str, epoch: int, rows: Sequence[Row]) -> int:
    head = connection.execute(sql, _columns(epoch, rows), prepare=True).fetchone()
    if head is None:
        raise Fenced
    return int(head[0])


def _columns(epoch: int, rows: Sequence[Row]) -> dict[str, Any]:
    streams, versions, topics, states = zip(*rows, strict=True) if rows else ((), (), (), ())
    return {
        "epoch": epoch, "count": len(rows), "streams": list(streams), "versions": list(versions),
        "topics": list(topics), "states": list(states),
    }  # fmt: skip


def commit(
    connection: Connection[Any], epoch: int, appends: Sequence[Append], *, refused: bool = False
) -> list[Outcome]:
    """Store these appends, in order; the outcome of each. Raises Fenced, or psycopg's errors of a lost connection.

    First all at once. If that was or is `refused`, nothing was stored, and they are stored one by one under savepoints:
    then only the refused ones fail, and they take no positions.
    """
    if refused:
        return _one_by_one(connection, epoch, appends)
    try:
        return positions(_all_at_once(connection, epoch, appends), appends)
    except REFUSALS:
        return _one_by_one(connection, epoch, appends)


def positions(head: int, appends: Sequence[Append]) -> list[Outcome]:
    """The position of each append's last row, where together they end at the head."""
    reached: list[Outcome] = []
    for append in reversed(appends):
        reached.append(head)
        head -= len(append.rows)
    return reached[::-1]


def _all_at_once(connection: Connection[Any], epoch: int, appends: Sequence[Append]) -> int:
    companions = [companion for append in appends for companion in append.companions]
    if not companions:
        return write_and_notify(connection, epoch, [row for append in appends for row in append.rows])
    with _pipelined_transaction(connection):
        head = write_and_notify(connection, epoch, [row for append in appends for row in append.rows])
        _run_companions(connection, companions)
    return head


@contextmanager
def _pipelined_transaction(connection: Connection[Any]) -> Iterator[None]:
    """A transaction whose BEGIN and COMMIT are sent with its statements. After an error the server skips the rest."""
    try:
        with connection.pipeline():
            connection.execute("BEGIN")
            yield
            connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _run_companions(connection: Connection[Any], companions: Iterable[Companion]) -> None:
    """Run companions; neighbours with the same SQL are sent together."""
    for sql, run in groupby(companions, key=lambda companion: companion.sql):
        connection.cursor().executemany(sql, [companion.params for companion in run])


def _one_by_one(connection: Connection[Any], epoch: int, appends: Sequence[Append]) -> list[Outcome]:
    with connection.transaction():
        outcomes = [_store_alone(connection, epoch, append) for append in appends]
        if any(isinstance(outcome, int) for outcome in outcomes):
            notify(connection)
    return outcomes


def _store_alone(connection: Connection[Any], epoch: int, append: Append) -> Outcome:
    try:
        with connection.transaction():
            return _attempt(connection, epoch, append)
    except (*REFUSALS, StaleVersion, DuplicateCompanion) as refusal:
        return refusal


def _attempt(connection: Connection[Any], epoch: int, append: Append) -> int:
    try:
        head = write(connection, epoch, append.rows)
    except UniqueViolation as violation:
        raise StaleVersion(_stale_stream(violation, append)) from violation
    try:
        _run_companions(connection, append.companions)
    except UniqueViolation as violation:
        raise DuplicateCompanion(violation.diag.constraint_name or "unknown") from violation
    return head


def _stale_stream(violation: UniqueViolation, append: Append) -> Any:
    """The stream whose version was taken, which the violation's detail names."""
    streams = list(dict.fromkeys(row.stream for row in append.rows))
    detail = violation.diag.message_detail or ""
    return next((stream for stream in streams if str(stream) in detail), streams[0])


def count_batch(outcomes: Sequence[Outcome], seconds: float) -> None:
    """Count a batch: its appends' outcomes and its duration."""
    stored = False
    for outcome in outcomes:
        if isinstance(outcome, int):
            stored, name = True, "stored"
        elif isinstance(outcome, StaleVersion):
            name = "conflict"
        else:
            name = "repeated" if isinstance(outcome, DuplicateCompanion) else "failed"
        APPENDS[(name,)] += 1
    count_batch_size(len(outcomes), seconds, committed=stored)
