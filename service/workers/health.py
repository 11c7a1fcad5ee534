"""The state of the service, also as metrics: the read models, their worker, and missing sealing keys.

The lag in seconds is the age, by its record, of the oldest event that a projection has not folded yet: valid with any
worker and without one.

A worker's heartbeat is a row, written once a second by the database's clock. It is only for information: the advisory
lock decides which worker may write read models.

A sealing key is missing if it has sealed here, is not available, and was not given up. That is read from a table with a
row per key, not from the log: whether a live game still needs the key takes a scan (`kibitz keys needed`); an operator
who has made sure that none does gives it up.
"""

import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from time import monotonic, time
from typing import Any, Literal
from uuid import uuid4

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from prometheus_client.metrics_core import Metric
from psycopg import Connection

from projections import PROJECTIONS
from projections.engine.contract import KeyMissing
from projections.engine.following import FailedFold
from service.event_store import unsealing
from service.event_store.codec import Codec
from service.event_store.ids import now
from service.event_store.reading import read_head, read_log
from service.event_store.store import EventStore
from service.keys.sealing import Seals
from service.outbox.delivery import DUE
from service.telemetry.metrics import gauge, series

POSITIONS = "SELECT projection, version, position, live FROM positions"
_KEYS = "SELECT id, given_up FROM sealing_keys"
_HEARD = 10.0
"""Seconds after its last heartbeat that a worker counts as present."""
_EVERY = 1.0  # seconds
_FORGOTTEN = "1 day"
# The row needs no wait for the disk; the setting is for this transaction only.
_WRITE = f"""
WITH quickly AS (SELECT set_config('synchronous_commit', 'off', true)),
     gone AS (DELETE FROM worker_state WHERE seen_at < now() - interval '{_FORGOTTEN}')
INSERT INTO worker_state AS stored (worker, place, active_since, active_at, seen_at, failing)
SELECT %(worker)s, %(place)s, CASE WHEN %(active)s THEN now() END, CASE WHEN %(active)s THEN now() END, now(),
       %(failing)s::jsonb
FROM quickly
ON CONFLICT (worker) DO UPDATE SET seen_at = now(), failing = excluded.failing,
    active_since = CASE WHEN %(active)s THEN coalesce(stored.active_since, now()) END,
    active_at = coalesce(excluded.active_at, stored.active_at)
"""
WORKERS = """
SELECT place, active_since IS NOT NULL, extract(epoch FROM now() - active_since)::float8,
       extract(epoch FROM now() - active_at)::float8, extract(epoch FROM now() - seen_at)::float8, failing::text
FROM worker_state ORDER BY active_at DESC NULLS LAST
"""


class Failure(Struct, frozen=True):
    """A projection stopped at a position because its fold raised: the error's class, never its text."""

    projection: str
    position: int
    error: str


class WorkerRow(Struct, frozen=True):
    """One worker's row. Seconds since it became active, was last active, and was last seen."""

    place: str
    active: bool
    active_for: float | None
    active_ago: float | None
    seen_ago: float
    failing: tuple[Failure, ...]


class Heartbeat:
    """Writes one worker's row, at most once in `_EVERY` seconds unless something has changed."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._worker, self._clock = uuid4(), clock
        self._written: tuple[bool, tuple[Failure, ...]] | None = None
        self._next = 0.0

    def write(self, connection: Connection[Any], active: bool, failing: Sequence[Failure] = ()) -> None:
        """Write whether the worker is active, and which projections fail."""
        state = (active, tuple(failing))
        if state == self._written and self._clock() < self._next:
            return
        row = {
            "worker": self._worker, "place": f"{socket.gethostname()}:{os.getpid()}", "active": active,
            "failing": msgspec.json.encode(state[1]).decode(),
        }  # fmt: skip
        connection.execute(_WRITE.encode(), row)
        self._written, self._next = state, self._clock() + _EVERY


def failures(failed: Iterable[FailedFold]) -> tuple[Failure, ...]:
    """The failed folds in the form of a worker's row."""
    return tuple(Failure(fold.projection, fold.position, fold.error) for fold in failed)


def worker_rows(rows: Iterable[tuple[Any, ...]]) -> tuple[WorkerRow, ...]:
    """The workers of these rows of `WORKERS`, the last active first."""
    decode = msgspec.json.Decoder(tuple[Failure, ...]).decode
    return tuple(
        WorkerRow(place, active, active_for, active_ago, seen_ago, decode(failing))
        for place, active, active_for, active_ago, seen_ago, failing in rows
    )


class ProjectionState(Struct, frozen=True):
    """Where one read model stands, and how far behind; `failing` is the class of the error that has stopped it."""

    name: str
    position: int
    lag_events: int
    lag_seconds: float | None
    failing: str | None


class WorkerState(Struct, frozen=True):
    """Whether a worker keeps the read models, for how many seconds it does or does not, and how many stand by."""

    status: Literal["active", "missing"]
    seconds: float
    standing_by: int


class Standing(Struct, frozen=True):
    """The log's newest position, how the read models stand to it, and the names of sealing keys that are missing."""

    log_position: int
    projections: tuple[ProjectionState, ...]
    worker: WorkerState
    missing_keys: tuple[str, ...] = ()
    deliveries_due: int = 0
    writable: bool = True

    @property
    def read_position(self) -> int:
        """The position that every read model has reached."""
        return min((state.position for state in self.projections), default=0)

    @property
    def stopped(self) -> tuple[ProjectionState, ...]:
        """The projections that have stopped."""
        return tuple(state for state in self.projections if state.failing is not None)

    @property
    def failing(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(state.name for state in self.stopped)


class Health:
    """The state of one database. `patience`: seconds without a worker before a complaint; 0: never complain."""

    def __init__(self, store: EventStore, seals: Seals, patience: float) -> None:
        self._store, self._seals, self._patience = store, seals, patience
        self._began = monotonic()

    async def standing(self) -> Standing:
        """The current state; raises StoreUnavailable."""
        head = await self._store.head()
        reached = positions(await self._store.query(POSITIONS))
        workers = worker_rows(await self._store.query(WORKERS))
        times = dict[int, int]()
        for position in {position for position in reached.values() if position < head}:
            if records := await self._store.read_after(position, 1):
                times[position] = int(records[0].record.time)
        current = standing(head, reached, workers, times, monotonic() - self._began)
        due = int((await self._store.query(DUE, (now(),)))[0][0])
        given_up = {bytes(key): is_given_up for key, is_given_up in await self._store.query(_KEYS)}
        # A key that has come back is noticed here, also while no game is played.
        keys = self._seals.missed.union(given_up) - self._seals.ids
        missing = tuple(sorted(key.hex() for key in keys if not given_up.get(key)))
        return replace(current, missing_keys=missing, deliveries_due=due, writable=not await self.unwritable())

    async def unwritable(self) -> tuple[str, ...]:
        """A sentence if the database cannot be written; else empty. Raises StoreUnavailable."""
        complaint = await self._store.writability.complaint()
        return () if complaint is None else (complaint,)

    def complaints(self, standing: Standing) -> tuple[str, ...]:
        """The faults, a sentence each."""
        waits = {KeyMissing.__name__: "waits for a sealing key"}
        stopped = [
            f"The projection {state.name} {waits.get(state.failing or '', 'has stopped')}."
            for state in standing.stopped
        ]
        alone = self._patience and standing.worker.status == "missing" and standing.worker.seconds > self._patience
        unkept = ["No worker keeps the read models."] if alone else []
        missing = [
            f"The sealing key {key} is missing, and live games under it cannot be read: bring its file back into the "
            f"folder of sealing keys, or `kibitz keys give-up {key}`."
            for key in standing.missing_keys
        ]
        return (*stopped, *unkept, *missing)


def positions(rows: Iterable[Sequence[Any]]) -> dict[str, int]:
    """Projection of this program -> the position that readers see; 0 where nothing is folded yet."""
    versions = {name: projection.version for name, projection in PROJECTIONS.items()}
    matching = sorted((name, live, position) for name, version, position, live in rows if versions.get(name) == version)
    return dict.fromkeys(versions, 0) | {name: position for name, _, position in matching}


def standing(
    head: int, reached: Mapping[str, int], workers: Sequence[WorkerRow], times: Mapping[int, int], uptime: float
) -> Standing:
    """The state that these rows describe; `times`: position -> time of the next record after it."""
    stopped = {failure.projection: failure for failure in workers[0].failing} if workers else {}
    states = []
    for name, position in sorted(reached.items()):
        since, failure = times.get(position, 0), stopped.get(name)
        age = 0.0 if position >= head else round(max(0.0, time() - since / 1e6), 3) if since else None
        error = None if failure is None else failure.error
        states.append(ProjectionState(name, position, max(0, head - position), age, error))
    return Standing(head, tuple(states), _worker_state(workers, uptime))


def _worker_state(workers: Sequence[WorkerRow], uptime: float) -> WorkerState:
    present = [worker for worker in workers if worker.seen_ago < _HEARD]
    standing_by = sum(not worker.active for worker in present)
    for worker in present:
        if worker.active:
            return WorkerState("active", round(worker.active_for or 0.0, 1), standing_by)
    ended = [worker.active_ago for worker in workers if worker.active_ago is not None]
    return WorkerState("missing", round(min(uptime, *ended), 1) if ended else round(uptime, 1), standing_by)


def look(connection: Connection[Any], codec: Codec, uptime: float = inf) -> Standing:
    """The current state by a blocking connection, for command line tools; raises StoreUnavailable."""
    head = read_head(connection)
    reached = positions(connection.execute(POSITIONS.encode()).fetchall())
    workers = worker_rows(connection.execute(WORKERS.encode()).fetchall())
    behind = {position for position in reached.values() if position < head}
    next_records = {position: read_log(connection, position, 1, codec) for position in behind}
    times = {position: int(records[0].record.time) for position, records in next_records.items() if records}
    missing = tuple(key.hex() for key in unsealing.missing_keys(connection, codec.seals))
    (due,) = connection.execute(DUE.encode(), (now(),)).fetchone() or (0,)
    return replace(standing(head, reached, workers, times, uptime), missing_keys=missing, deliveries_due=due)


def standing_gauges(standing: Standing | None) -> Iterator[Metric]:
    """The log and the read models; None while the store is gone."""
    yield gauge("kibitz_store_up", "Whether the store answers.", standing is not None)
    if standing is None:
        return
    yield gauge("kibitz_store_writable", "Whether the store takes what is written.", standing.writable)
    each, worker = standing.projections, standing.worker
    yield gauge("kibitz_log_position", "Position of the newest event.", standing.log_position)
    yield gauge("kibitz_read_position", "Position that every read model has reached.", standing.read_position)
    yield series(
        "kibitz_projection_lag_events", "Events behind the log.", "projection", ((p.name, p.lag_events) for p in each)
    )
    yield series(
        "kibitz_projection_lag_seconds", "Age of the oldest event not yet folded.", "projection",
        ((p.name, p.lag_seconds) for p in each if p.lag_seconds is not None),
    )  # fmt: skip
    failing = ((p.name, p.failing is not None) for p in each)
    yield series("kibitz_projection_failing", "Whether its fold has failed.", "projection", failing)
    yield gauge("kibitz_worker_active", "Whether a worker keeps the read models.", worker.status == "active")
    yield gauge("kibitz_workers_standing_by", "Workers that wait to take over.", worker.standing_by)
    missed = len(standing.missing_keys)
    yield gauge("kibitz_sealing_keys_missing", "Sealing keys that live games may be under and nobody here has.", missed)
    yield gauge("kibitz_webhook_deliveries_due", "Deliveries that should be sent by now.", standing.deliveries_due)
    missing = 0.0 if worker.status == "active" else worker.seconds
    yield gauge("kibitz_worker_missing_seconds", "Seconds without any sign of a worker.", missing)
