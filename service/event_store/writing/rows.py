"""The rows of appends, and a batch stored without the pipeline: one transaction, an outcome for each append."""

from collections.abc import Sequence
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
NOTIFY = f"SELECT pg_notify('{CHANNEL}', head::text) FROM log"


def write(connection: Connection[Any], epoch: int, rows: Sequence[Row]) -> int:
    """Append rows; the new head. Raises Fenced, or psycopg's UniqueViolation."""
    streams, versions, topics, states = zip(*rows, strict=True) if rows else ((), (), (), ())
    params = {
        "epoch": epoch, "count": len(rows), "streams": list(streams), "versions": list(versions),
        "topics": list(topics), "states": list(states),
    }  # fmt: skip
    head = connection.execute(WRITE, params, prepare=True).fetchone()
    if head is None:
        raise Fenced
    return int(head[0])


def last_positions(head: int, appends: Sequence[Append]) -> list[Outcome]:
    """The position of each append's last row, where together they end at the head."""
    lasts: list[Outcome] = []
    for append in reversed(appends):
        lasts.append(head)
        head -= len(append.rows)
    return lasts[::-1]


def store_one_by_one(connection: Connection[Any], epoch: int, appends: Sequence[Append]) -> list[Outcome]:
    """Store these appends, in order; the outcome of each. Raises Fenced, or psycopg's errors of a lost connection.

    Each has a savepoint: only the refused ones fail, and they take no positions.
    """
    with connection.transaction():
        outcomes: list[Outcome] = []
        for append in appends:
            try:
                with connection.transaction():
                    outcomes.append(_store(connection, epoch, append))
            except (*REFUSALS, StaleVersion, DuplicateCompanion) as refusal:
                outcomes.append(refusal)
        if any(isinstance(outcome, int) for outcome in outcomes):
            connection.execute(NOTIFY)
    return outcomes


def _store(connection: Connection[Any], epoch: int, append: Append) -> int:
    try:
        head = write(connection, epoch, append.rows)
    except UniqueViolation as violation:
        streams = list(dict.fromkeys(row.stream for row in append.rows))
        detail = violation.diag.message_detail or ""  # names the stream whose version was taken
        stream = next((stream for stream in streams if str(stream) in detail), streams[0])
        raise StaleVersion(stream) from violation
    try:
        for companion in append.companions:
            connection.execute(companion.sql, companion.params)
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
        APPENDS(name).inc()
    count_batch_size(len(outcomes), seconds, committed=stored)
