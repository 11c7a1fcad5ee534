"""The worker: follows the log and keeps the read models. One works at a time; others stand by and take over.

Documents and positions are committed together, on the connection that holds the advisory lock: whoever loses the
lock has lost the means to write, and a worker that dies at any instant leaves whole batches only.
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
from service.event_store.connections import connected
from service.event_store.errors import LOG_ERRORS
from service.event_store.reading.blocking import read_head
from service.event_store.reading.topic_reader import read_span
from service.event_store.writing.rows import CHANNEL
from service.telemetry import tracing
from service.telemetry.background import start_thread
from service.telemetry.metrics.counts import FOLDED, ROUND_SECONDS
from service.workers.worker_state import Heartbeat, failures

_GATHERING, _LONGEST = 0.05, 0.25  # seconds between looks while the log grows: longer while it does not stop
_SLICE_worker_wakeup = 0.1  # seconds between looks at the stop flag


class Waiting:
    """Between two looks at the log: shortly while it grows, deaf to what tells of every commit; else until it does."""

    def __init__(self, connection: Connection[Any], stopping: threading.Event, poll: float) -> None:
        self._connection, self._stopping, self._poll = connection, stopping, poll
        self._listening, self._pause = False, _GATHERING

    def rest(self, grown: bool) -> None:
        """Return when it is worth a look, `poll` has passed or the worker is stopped."""
        if grown:
            self._gather()
        elif not self._listening:
            self._listen(True)  # and look again: what was committed before has told nobody
        else:
            self._hear()

    def _gather(self) -> None:
        if self._listening:
            self._listen(False)
        self._stopping.wait(self._pause)
        self._pause = min(2 * self._pause, _LONGEST)

    def _listen(self, listening: bool) -> None:
        self._connection.execute(f"{'LISTEN' if listening else 'UNLISTEN'} {CHANNEL}".encode())
        self._listening, self._pause = listening, _GATHERING

    def _hear(self) -> None:
        until = monotonic() + self._poll
        while monotonic() < until and not self._stopping.is_set():
            if list(self._connection.notifies(timeout=_SLICE_worker_wakeup, stop_after=1)):
                return


LOCK = 0x776F726B6572  # "worker": one advisory lock per database for whoever keeps its read models
_SLICE = 0.1  # seconds between looks at the stop flag while waiting
_PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)  # seconds before connecting again

# What is lost with the database's last moment is folded again: documents and positions go together, and never ahead of
# the log, whose own commits are waited for.
_SETTINGS = "SET synchronous_commit = off"

_log = structlog.get_logger("worker")


class Progress(NamedTuple):
    """Where a worker stands: by projection the position that readers see, and those whose fold has failed."""

    active: bool = False
    head: int = 0
    positions: tuple[tuple[str, int], ...] = ()
    failing: tuple[str, ...] = ()

    @property
    def lag(self) -> int:
        """How many events the slowest projection has still to fold."""
        return max((self.head - position for _, position in self.positions), default=0)


Idle = Callable[[Connection[Any]], bool]
"""What is done, a little each time, when all of the log is folded; whether there is more of it to do."""


def no_upkeep(connection: Connection[Any]) -> bool:
    """Nothing."""
    return False


class Worker:
    """Keeps the read models of one database: `run` in a process of its own, or `start` and `stop` a thread of this one.

    At most `batch` events are folded in one transaction; `poll` is the longest wait in seconds without a look.
    """

    def __init__(
        self,
        conninfo: str,
        projections: Iterable[Projection] | None = None,
        *,
        batch: int = 5000,
        poll: float = 1.0,
        read: ReadLog = read_span,
        idle: Idle = no_upkeep,
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
        """Follow the log until stopped, whatever becomes of the database meanwhile."""
        while not self._stopping.is_set():
            try:
                with connected(self._conninfo, "worker") as connection:
                    self._work(connection)
            except (*LOG_ERRORS, StaleBuild, psycopg.Error, OSError) as error:
                self._interrupted(error)
        self.progress = self.progress._replace(active=False)

    def catch_up(self) -> None:
        """Fold what the log holds, finish what grows, and return; raises StoreUnavailable or FoldFailed.

        If another worker is at it, wait until that one has done so.
        """
        with connected(self._conninfo, "worker") as connection:
            head = read_head(connection)
            while not _locked(connection):
                if self._follower.done(connection, head) or self._stopping.wait(_SLICE):
                    return
            connection.execute(_SETTINGS)
            self._follower.begin(connection)
            while self._follower.round(connection) or not self._follower.done(connection, head):
                pass

    def _interrupted(self, error: Exception) -> None:
        """A pause, longer each time until there was work again."""
        _log.warning("worker interrupted", error=str(error))
        self._interruptions = 0 if self.progress.active else self._interruptions + 1
        self.progress = self.progress._replace(active=False)
        self._stopping.wait(_PAUSES[min(self._interruptions, len(_PAUSES) - 1)])

    def _work(self, connection: Connection[Any]) -> None:
        """Stand by until the lock is ours, then follow the log on this connection."""
        while not self._begun(connection):
            if self._stopping.wait(self._poll):
                return
        connection.execute(_SETTINGS)
        self._follower.begin(connection)
        waiting = Waiting(connection, self._stopping, self._poll)
        while not self._stopping.is_set():
            before = self._follower.head
            with folded(self._follower):
                more = self._follower.round(connection)
            self._tell(connection)
            if not more and not self._idle(connection):
                waiting.rest(grown=self._follower.head > before)
        self._heartbeat.tell(connection, False, failures(self._follower.failures))

    def _begun(self, connection: Connection[Any]) -> bool:
        self._heartbeat.tell(connection, active=False)
        return _locked(connection)

    def _tell(self, connection: Connection[Any]) -> None:
        positions = tuple(self._follower.positions.items())
        self.progress = Progress(True, self._follower.head, positions, self._follower.failing)
        self._heartbeat.tell(connection, True, failures(self._follower.failures))


def rebuild(
    conninfo: str,
    names: Sequence[str] | None = None,
    projections: Iterable[Projection] | None = None,
    read: ReadLog = read_span,
) -> dict[str, str]:
    """Fold the log anew from position 0 beside what readers see, then swap; fingerprints by name, all if none is named.

    Raises KeyError for a name that no projection has, StoreUnavailable, and FoldFailed: then readers see the old.
    """
    known = {one.name: one for one in (PROJECTIONS.values() if projections is None else projections)}
    chosen = [known[name] for name in (known if names is None else names)]
    with connected(conninfo, "rebuild") as connection:
        prepare(connection, chosen)
        for projection in chosen:
            restart(connection, projection)
        Worker(conninfo, chosen, read=read).catch_up()
        return {projection.name: live_fingerprint(connection, projection) for projection in chosen}


def _locked(connection: Connection[Any]) -> bool:
    row = connection.execute("SELECT pg_try_advisory_lock(%s)", [LOCK]).fetchone()
    return bool(row and row[0])


@contextmanager
def folded(follower: Follower) -> Iterator[None]:
    """A round for the length of the block: how far each projection came, in what time. Idle ones do not count."""
    stood, began, since = follower.positions, time.time_ns(), time.perf_counter()
    yield
    moved = {name: after - stood.get(name, after) for name, after in follower.positions.items()}
    if any(moved.values()):
        ROUND_SECONDS[()].add(time.perf_counter() - since)
        tracing.passed("projection batch", began, events=max(moved.values()), position=follower.head)
    for name, events in moved.items():
        FOLDED[(name,)] += max(0, events)
