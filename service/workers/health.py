"""The state of the service, also as metrics: the read models, their worker, and missing sealing keys.

The lag in seconds is the age, by its record, of the oldest event that a projection has not folded yet: valid with any
worker and without one.

A sealing key is missing if it has sealed here, is not available, and was not given up. That is read from a table with a
row per key, not from the log: whether a live game still needs the key takes a scan (`kibitz keys needed`); an operator
who has made sure that none does gives it up.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from time import monotonic, time
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace
from prometheus_client.metrics_core import Metric

from projections import PROJECTIONS
from projections.engine.contract import KeyMissing
from service.event_store import unsealing
from service.event_store.ids import now
from service.event_store.reading import read_head, read_log
from service.outbox.delivery import DUE
from service.telemetry.metrics import gauge, gauges
from service.workers import worker_state
from service.workers.worker_state import Failure, Worker

if TYPE_CHECKING:
    from psycopg import Connection

    from service.event_store.codec import Codec
    from service.event_store.store import EventStore
    from service.keys.sealing import Seals

POSITIONS = "SELECT projection, version, position, live FROM positions"
_KEYS = "SELECT id, given_up FROM sealing_keys"
_HEARD = 10.0
"""Seconds after its last heartbeat that a worker counts as present."""


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

    @property
    def read_position(self) -> int:
        """The position that every read model has reached."""
        return min((one.position for one in self.projections), default=0)

    @property
    def stopped(self) -> tuple[ProjectionState, ...]:
        """The projections that have stopped."""
        return tuple(one for one in self.projections if one.failing is not None)

    @property
    def failing(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(one.name for one in self.stopped)


class Health:
    """Looks at one database. `patience`: seconds without a worker before a complaint; 0: never complain."""

    def __init__(self, store: "EventStore", seals: "Seals", patience: float) -> None:
        self._store, self._seals, self._patience = store, seals, patience
        self._began = monotonic()

    async def standing(self) -> Standing:
        """The current state; raises StoreUnavailable."""
        head = await self._store.head()
        reached = positions(await self._store.query(POSITIONS))
        found = worker_state.workers(await self._store.query(worker_state.SELECT))
        times = {position: await self._time_after(position) for position in set(reached.values()) if position < head}
        told = standing(head, reached, found, times, monotonic() - self._began)
        due = int((await self._store.query(DUE, (now(),)))[0][0])
        return replace(told, missing_keys=await self._missing_keys(), deliveries_due=due)

    async def _missing_keys(self) -> tuple[str, ...]:
        """The missing keys; notices one that has come back, also while nobody plays."""
        given_up = {bytes(key): gone for key, gone in await self._store.query(_KEYS)}
        wanted = self._seals.missed.union(given_up)
        return tuple(sorted(key.hex() for key in wanted - self._seals.ids if not given_up.get(key)))

    async def _time_after(self, position: int) -> int:
        """The time of the next record after this position, in microseconds since 1970; 0 where it cannot be read."""
        found = await self._store.read_after(position, 1)
        return int(found[0].record.time) if found else 0

    async def unwritable(self) -> tuple[str, ...]:
        """A sentence if the database cannot be written; else empty. Raises StoreUnavailable."""
        found = await self._store.writability.complaint()
        return () if found is None else (found,)

    def complaints(self, standing: Standing) -> tuple[str, ...]:
        """What is wrong, a sentence each."""
        waits = {KeyMissing.__name__: "waits for a sealing key"}
        stopped = [
            f"The projection {one.name} {waits.get(one.failing or '', 'has stopped')}." for one in standing.stopped
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
    known = {name: projection.version for name, projection in PROJECTIONS.items()}
    found = sorted((name, live, position) for name, version, position, live in rows if known.get(name) == version)
    return dict.fromkeys(known, 0) | {name: position for name, _, position in found}


def standing(
    head: int, reached: Mapping[str, int], found: Sequence[Worker], times: Mapping[int, int], uptime: float
) -> Standing:
    """The state that these rows describe; `times`: position -> time of the next record after it."""
    stopped = {failure.projection: failure for failure in found[0].failing} if found else {}
    states = [
        _state(name, position, head, times.get(position, 0), stopped.get(name))
        for name, position in sorted(reached.items())
    ]
    return Standing(head, tuple(states), _worker(found, uptime))


def _state(name: str, position: int, head: int, since: int, failure: Failure | None) -> ProjectionState:
    age = 0.0 if position >= head else round(max(0.0, time() - since / 1e6), 3) if since else None
    return ProjectionState(name, position, max(0, head - position), age, None if failure is None else failure.error)


def _worker(found: Sequence[Worker], uptime: float) -> WorkerState:
    there = [worker for worker in found if worker.seen_ago < _HEARD]
    standing_by = sum(not worker.active for worker in there)
    for worker in there:
        if worker.active:
            return WorkerState("active", round(worker.active_for or 0.0, 1), standing_by)
    last = [worker.active_ago for worker in found if worker.active_ago is not None]
    return WorkerState("missing", round(min(uptime, *last), 1) if last else round(uptime, 1), standing_by)


def look(connection: "Connection[Any]", codec: "Codec", uptime: float = inf) -> Standing:
    """The current state by a blocking connection, for command line tools; raises StoreUnavailable."""
    head = read_head(connection)
    reached = positions(connection.execute(POSITIONS.encode()).fetchall())
    found = worker_state.workers(connection.execute(worker_state.SELECT.encode()).fetchall())
    behind = {position for position in reached.values() if position < head}
    found_behind = {position: read_log(connection, position, 1, codec) for position in behind}
    times = {position: int(records[0].record.time) for position, records in found_behind.items() if records}
    missing = tuple(key.hex() for key in unsealing.missing_keys(connection, codec.seals))
    (due,) = connection.execute(DUE.encode(), (now(),)).fetchone() or (0,)
    return replace(standing(head, reached, found, times, uptime), missing_keys=missing, deliveries_due=due)


def standing_gauges(standing: Standing | None) -> Iterator[Metric]:
    """The log and the read models; None while the store is gone."""
    yield gauge("kibitz_store_up", "Whether the store answers.", standing is not None)
    if standing is None:
        return
    each, worker = standing.projections, standing.worker
    yield gauge("kibitz_log_position", "Position of the newest event.", standing.log_position)
    yield gauge("kibitz_read_position", "Position that every read model has reached.", standing.read_position)
    yield gauges(
        "kibitz_projection_lag_events", "Events behind the log.", "projection", ((p.name, p.lag_events) for p in each)
    )
    yield gauges(
        "kibitz_projection_lag_seconds", "Age of the oldest event not yet folded.", "projection",
        ((p.name, p.lag_seconds) for p in each if p.lag_seconds is not None),
    )  # fmt: skip
    yield gauges(
        "kibitz_projection_failing", "Whether its fold has failed.", "projection",
        ((p.name, p.failing is not None) for p in each),
    )  # fmt: skip
    yield gauge("kibitz_worker_active", "Whether a worker keeps the read models.", worker.status == "active")
    yield gauge("kibitz_workers_standing_by", "Workers that wait to take over.", worker.standing_by)
    missed = len(standing.missing_keys)
    yield gauge("kibitz_sealing_keys_missing", "Sealing keys that live games may be under and nobody here has.", missed)
    yield gauge(
        "kibitz_webhook_deliveries_due", "Deliveries that should have been sent by now.", standing.deliveries_due
    )
    missing = 0.0 if worker.status == "active" else worker.seconds
    yield gauge("kibitz_worker_missing_seconds", "Seconds without any sign of a worker.", missing)
