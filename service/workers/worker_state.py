"""Workers' heartbeats, once a second, for monitoring: a row each, by the database's clock.

Only for information: the advisory lock decides who may write read models.
"""

import os
import socket
from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import Struct
from psycopg import Connection

from projections.engine.following import FailedFold

EVERY = 1.0  # seconds
_FORGOTTEN = "1 day"
# The row needs no wait for the disk; the setting is for this transaction only.
_SAY = f"""
WITH quickly AS (SELECT set_config('synchronous_commit', 'off', true)),
     gone AS (DELETE FROM worker_state WHERE seen_at < now() - interval '{_FORGOTTEN}')
INSERT INTO worker_state AS told (worker, place, active_since, active_at, seen_at, failing)
SELECT %(worker)s, %(place)s, CASE WHEN %(active)s THEN now() END, CASE WHEN %(active)s THEN now() END, now(),
       %(failing)s::jsonb
FROM quickly
ON CONFLICT (worker) DO UPDATE SET seen_at = now(), failing = excluded.failing,
    active_since = CASE WHEN %(active)s THEN coalesce(told.active_since, now()) END,
    active_at = coalesce(excluded.active_at, told.active_at)
"""
SELECT = """
SELECT place, active_since IS NOT NULL, extract(epoch FROM now() - active_since)::float8,
       extract(epoch FROM now() - active_at)::float8, extract(epoch FROM now() - seen_at)::float8, failing::text
FROM worker_state ORDER BY active_at DESC NULLS LAST
"""


class Failure(Struct, frozen=True):
    """A projection stopped at a position because its fold raised: the error's class, never its text."""

    projection: str
    position: int
    error: str


class Worker(Struct, frozen=True):
    """One worker's row. Seconds since it became active, was last active, and was last seen."""

    place: str
    active: bool
    active_for: float | None
    active_ago: float | None
    seen_ago: float
    failing: tuple[Failure, ...]


class Heartbeat:
    """Writes one worker's row, at most once in `EVERY` seconds unless something has changed."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._worker, self._clock = uuid4(), clock
        self._told: tuple[bool, tuple[Failure, ...]] | None = None
        self._next = 0.0

    def tell(self, connection: Connection[Any], active: bool, failing: Sequence[Failure] = ()) -> None:
        """Write whether the worker is active, and which projections fail."""
        told = (active, tuple(failing))
        if told == self._told and self._clock() < self._next:
            return
        place = f"{socket.gethostname()}:{os.getpid()}"
        said = msgspec.json.encode(told[1]).decode()
        connection.execute(_SAY.encode(), {"worker": self._worker, "place": place, "active": active, "failing": said})
        self._told, self._next = told, self._clock() + EVERY


def failures(failed: Iterable[FailedFold]) -> tuple[Failure, ...]:
    """The failed folds in the form of a worker's row."""
    return tuple(Failure(one.projection, one.position, one.error) for one in failed)


def workers(rows: Iterable[tuple[Any, ...]]) -> tuple[Worker, ...]:
    """The workers of these rows of SELECT, the one last active first."""
    return tuple(_worker(*row) for row in rows)


def _worker(
    place: str, active: bool, active_for: float | None, active_ago: float | None, seen_ago: float, failing: str
) -> Worker:
    stopped = msgspec.json.decode(failing, type=tuple[Failure, ...])
    return Worker(place, active, active_for, active_ago, seen_ago, stopped)
