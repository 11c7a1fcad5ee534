"""The rows of appends, and a batch stored without the pipeline: one transaction, an outcome for each append.

All appends are stored at once first; only if one is refused they go one by one under savepoints.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
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

    Its constraints must not be deferred (ours never are), so that only its own append fails. `many`: the statement for
    several companions at once, with an array `$1`, `$2` for each parameter.
    """

    sql: str
    params: Sequence[Any] = ()
    many: str = ""


class Append(NamedTuple):
    """The events of one command, in order, their companions, and the slot whose lease they need, if any."""

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


def _write_rows(connection: Connection[Any], sql: str, epoch: int, rows: Sequence[Row]) -> int:
    streams, versions, topics, states = zip(*rows, strict=True) if rows else ((), (), (), ())
    params = {
        "epoch": epoch, "count": len(rows), "streams": list(streams), "versions": list(versions),
        "topics": list(topics), "states": list(states),
    }  # fmt: skip
    head = connection.execute(sql, params, prepare=True).fetchone()
    if head is None:
        raise Fenced
    return int(head[0])


def commit(
    connection: Connection[Any], epoch: int, appends: Sequence[Append], *, refused: bool = False
) -> list[Outcome]:
    """Store these appends, in order; the outcome of each. Raises Fenced, or psycopg's errors of a lost connection.

    First all at once. If that was or is `refused`, nothing was stored, and they are stored one by one under savepoints:
    then only the refused ones fail, and they take no positions.
    """
    if not refused:
        with suppress(*REFUSALS):
            return positions(_all_at_once(connection, epoch, appends), appends)
    with connection.transaction():
        outcomes = [_store_alone(connection, epoch, append) for append in appends]
        if any(isinstance(outcome, int) for outcome in outcomes):
            connection.execute(_NOTIFY)
    return outcomes


def positions(head: int, appends: Sequence[Append]) -> list[Outcome]:
    """The position of each append's last row, where together they end at the head."""
    lasts: list[Outcome] = []
    for append in reversed(appends):
        lasts.append(head)
        head -= len(append.rows)
    return lasts[::-1]


def _all_at_once(connection: Connection[Any], epoch: int, appends: Sequence[Append]) -> int:
    rows = [row for append in appends for row in append.rows]
    companions = [companion for append in appends for companion in append.companions]
    if not companions:
        return write_and_notify(connection, epoch, rows)
    try:
        with connection.pipeline():  # BEGIN and COMMIT are sent with the rest; after an error the server skips it
            connection.execute("BEGIN")
            head = write_and_notify(connection, epoch, rows)
            _run_companions(connection, companions)
            connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
    return head


def _run_companions(connection: Connection[Any], companions: Iterable[Companion]) -> None:
    """Run companions; neighbours with the same SQL are sent together."""
    for sql, run in groupby(companions, key=lambda companion: companion.sql):
        connection.cursor().executemany(sql, [companion.params for companion in run])


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
        streams = list(dict.fromkeys(row.stream for row in append.rows))
        detail = violation.diag.message_detail or ""  # names the stream whose version was taken
        stream = next((stream for stream in streams if str(stream) in detail), streams[0])
        raise StaleVersion(stream) from violation
    try:
        _run_companions(connection, append.companions)
    except UniqueViolation as violation:
        raise DuplicateCompanion(violation.diag.constraint_name or "unknown") from violation
    return head


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
