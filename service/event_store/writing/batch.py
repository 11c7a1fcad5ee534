"""One batch: many appends in one transaction; each succeeds or fails by itself."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from psycopg import Connection
from psycopg.errors import UniqueViolation

from service.event_store.connections import MISTAKES
from service.event_store.errors import DuplicateCompanion, StaleVersion
from service.event_store.writing import rows
from service.event_store.writing.rows import Append, Companion
from service.telemetry.metrics.counts import APPENDS, BATCH_SECONDS, BATCH_SIZE, COMMITS

Outcome = int | Exception
"""The position of an append's last event (the head of the log if it had none), or why it was not stored."""

REFUSALS = (*MISTAKES, TypeError, ValueError)
"""Errors that refuse one append: the database's, or the driver's if it cannot adapt a value."""


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
    position = head - sum(len(append.rows) for append in appends)
    reached: list[Outcome] = []
    for append in appends:
        position += len(append.rows)
        reached.append(position)
    return reached


def _all_at_once(connection: Connection[Any], epoch: int, appends: Sequence[Append]) -> int:
    companions = [companion for append in appends for companion in append.companions]
    if not companions:
        return rows.write_and_notify(connection, epoch, rows.gathered_rows(appends))
    with _pipelined_transaction(connection):
        head = rows.write_and_notify(connection, epoch, rows.gathered_rows(appends))
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
            rows.notify(connection)
    return outcomes


def _store_alone(connection: Connection[Any], epoch: int, append: Append) -> Outcome:
    try:
        with connection.transaction():
            return _attempt(connection, epoch, append)
    except (*REFUSALS, StaleVersion, DuplicateCompanion) as refusal:
        return refusal


def _attempt(connection: Connection[Any], epoch: int, append: Append) -> int:
    try:
        head = rows.write(connection, epoch, append.rows)
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


def count_batch(outcomes: Iterable[int | Exception], seconds: float) -> None:
    """Count a batch: its appends' outcomes and its duration."""
    names = [_name(outcome) for outcome in outcomes]
    for name in names:
        APPENDS[(name,)] += 1
    BATCH_SIZE[()].add(len(names))
    BATCH_SECONDS[()].add(seconds)
    COMMITS[()] += "stored" in names


def _name(outcome: int | Exception) -> str:
    if isinstance(outcome, int):
        return "stored"
    if isinstance(outcome, StaleVersion):
        return "conflict"
    return "repeated" if isinstance(outcome, DuplicateCompanion) else "failed"
