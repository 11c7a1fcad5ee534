"""The worker: follows the log and updates the read models. One works at a time; others stand by and take over.

Documents and positions are committed together, on the connection that holds the advisory lock: a worker without the
lock cannot write, and a worker that dies leaves whole batches only.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, NamedTuple

import psycopg
import structlog
from psycopg import Connection

from projections import PROJECTIONS
from projections.engine.builds import StaleBuild, live_fingerprint, prepare, restart
from projections.engine.contract import Projection
from projections.engine.following import Follower, ReadLog
from service.event_store.connections import left_once_replaced, open_connection
from service.event_store.errors import LOG_ERRORS
from service.event_store.reading import read_head, read_topics
from service.event_store.writing.rows import CHANNEL
from service.telemetry import tracing
from service.telemetry.background import start_thread
from service.telemetry.metrics import FOLDED, ROUND_SECONDS
from service.workers.health import Heartbeat, failures

_GATHERING, _LONGEST = 0.05, 0.25  # seconds between reads while the log grows; doubling up to the second value
_NOTIFY_SLICE = 0.1  # seconds between looks at the stop flag


class WorkerWakeup:
    """Waits between two reads of the log: a short pause while it grows, else for a notification."""

    def __init__(self, connection: Connection[Any], stopping: threading.Event, poll: float) -> None:
        self._connection, self._stopping, self._poll = connection, stopping, poll
        self._listening, self._pause = False, _GATHERING

    def rest(self, grown: bool) -> None:
        """Return when there may be news, `poll` seconds have passed or the worker is stopped."""
        if grown:
            if self._listening:
                self._listen(False)
            self._stopping.wait(self._pause)
            self._pause = min(2 * self._pause, _LONGEST)
        elif not self._listening:
            self._listen(True)  # then read again: earlier commits sent no notification
        else:
            until = monotonic() + self._poll
            while monotonic() < until and not self._stopping.is_set():
                if list(self._connection.notifies(timeout=_NOTIFY_SLICE, stop_after=1)):
                    return

    def _listen(self, listening: bool) -> None:
        self._connection.execute(f"{'LISTEN' if listening else 'UNLISTEN'} {CHANNEL}".encode())
        self._listening, self._pause = listening, _GATHERING


LOCK = 0x776F726B6572  # "worker": an advisory lock: one worker per database
_SLICE = 0.1  # seconds between looks at the stop flag while waiting
_PAUSES = (0.1, 0.2, 0.5, 1.0)  # seconds before connecting again: a standby may be promoted at any moment

# Commits lost in a crash of the database are folded again: documents and positions go together, and never ahead of the
# log, whose own commits are synchronous.
_SETTINGS = "SET synchronous_commit = off"

_log = structlog.get_logger("worker")


class Progress(NamedTuple):
    """A worker's progress: the position that readers see by projection, and the projections that failed."""

    active: bool = False
    head: int = 0
    positions: tuple[tuple[str, int], ...] = ()
    failing: tuple[str, ...] = ()


Idle = Callable[[Connection[Any]], bool]
"""One small step of maintenance once the log is folded; whether there is more to do."""


def no_maintenance(connection: Connection[Any]) -> bool:
    """No maintenance."""
    return False


class Worker:
    """Keeps the read models of one database: `run` in a process of its own, or `start` and `stop` a thread of this one.

    At most `batch` events are folded in one transaction; `poll`: most seconds between two reads.
    """

    def __init__(
        self,
        conninfo: str,
        projections: Iterable[Projection] | None = None,
        *,
        batch: int = 5000,
        poll: float = 1.0,
        read: ReadLog = read_topics,
        idle: Idle = no_maintenance,
    ) -> None:
        self._conninfo, self._poll, self._idle = conninfo, poll, idle
        self._follower = Follower(PROJECTIONS.values() if projections is None else projections, read, batch)
        self._heartbeat = Heartbeat()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._interruptions = 0
        self.progress = Progress()

    def start(self) -> None:
        """Run in a thread of this process."""
        self._thread = start_thread(self.run, "worker")

    def stop(self) -> None:
        """Stop after the batch in hand; waits for the thread, if there is one."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def run(self) -> None:
        """Follow the log until stopped; reconnects after errors."""
        while not self._stopping.is_set():
            try:
                with (
                    open_connection(self._conninfo, "worker") as connection,
                    left_once_replaced(connection, self._conninfo),
                ):
                    self._work(connection)
            except (*LOG_ERRORS, StaleBuild, psycopg.Error, OSError) as error:
                _log.warning("worker interrupted", error=str(error))
                self._interruptions = 0 if self.progress.active else self._interruptions + 1  # in a row
                self.progress = self.progress._replace(active=False)
                self._stopping.wait(_PAUSES[min(self._interruptions, len(_PAUSES) - 1)])
        self.progress = self.progress._replace(active=False)

    def catch_up(self) -> None:
        """Fold the whole log, finish growing builds, and return; raises StoreUnavailable or FoldFailed.

        If another worker holds the lock, wait until that one has done so.
        """
        with open_connection(self._conninfo, "worker") as connection:
            head = read_head(connection)
            while not _try_lock(connection):
                if self._follower.is_caught_up(connection, head) or self._stopping.wait(_SLICE):
                    return
            connection.execute(_SETTINGS)
            self._follower.begin(connection)
            while self._follower.round(connection) or not self._follower.is_caught_up(connection, head):
                pass

    def _work(self, connection: Connection[Any]) -> None:
        """Stand by until the lock is ours, then follow the log on this connection."""
        self._heartbeat.write(connection, active=False)
        while not _try_lock(connection):
            if self._stopping.wait(self._poll):
                return
            self._heartbeat.write(connection, active=False)
        connection.execute(_SETTINGS)
        self._follower.begin(connection)
        waiting = WorkerWakeup(connection, self._stopping, self._poll)
        while not self._stopping.is_set():
            before = self._follower.head
            with measured_round(self._follower):
                more = self._follower.round(connection)
            positions = tuple(self._follower.positions.items())
            self.progress = Progress(True, self._follower.head, positions, self._follower.failing)
            self._heartbeat.write(connection, True, failures(self._follower.failures))
            if not more and not self._idle(connection):
                waiting.rest(grown=self._follower.head > before)
        self._heartbeat.write(connection, False, failures(self._follower.failures))


def rebuild(
    conninfo: str,
    names: Sequence[str] | None = None,
    projections: Iterable[Projection] | None = None,
    read: ReadLog = read_topics,
) -> dict[str, str]:
    """Fold the log into new builds from position 0, then swap; fingerprints by name. `names`: None for all.

    Raises KeyError for an unknown name, StoreUnavailable, and FoldFailed: readers then keep the old build.
    """
    given = PROJECTIONS.values() if projections is None else projections
    by_name = {projection.name: projection for projection in given}
    chosen = [by_name[name] for name in (by_name if names is None else names)]
    with open_connection(conninfo, "rebuild") as connection:
        prepare(connection, chosen)
        for projection in chosen:
            restart(connection, projection)
        Worker(conninfo, chosen, read=read).catch_up()
        return {projection.name: live_fingerprint(connection, projection) for projection in chosen}


def _try_lock(connection: Connection[Any]) -> bool:
    row = connection.execute("SELECT pg_try_advisory_lock(%s)", [LOCK]).fetchone()
    return bool(row and row[0])


@contextmanager
def measured_round(follower: Follower) -> Iterator[None]:
    """Measure a round, the block: each projection's progress and the time. Idle rounds do not count."""
    stood, began, since = follower.positions, time.time_ns(), time.perf_counter()
    yield
    moved = {name: after - stood.get(name, after) for name, after in follower.positions.items()}
    if any(moved.values()):
        ROUND_SECONDS.observe(time.perf_counter() - since)
        before, after = min(stood.values(), default=0), max(follower.positions.values())
        tracing.record_span("projection batch", began, events=max(moved.values()), first=before + 1, last=after)
    for name, events in moved.items():
        FOLDED(name).inc(max(0, events))
