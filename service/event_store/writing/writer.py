"""The group writer: one thread, one connection; whatever has queued is committed in one transaction.

Answers come after the commit. While one batch is flushed to disk the next one queues, so that a slow disk makes
batches larger, not the log proportionally slower; an idle writer sends an append at once.
"""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import perf_counter
from typing import Any, NamedTuple

from service.event_store.errors import DuplicateCompanion, Fenced, StaleVersion, StoreUnavailable
from service.event_store.writing.rows import Append, Companion, Outcome, count_batch
from service.event_store.writing.writer_connection import WriterConnection
from service.telemetry import tracing
from service.telemetry.background import start_thread

__all__ = [
    "Answer", "Append", "Companion", "DuplicateCompanion", "Fenced", "StaleVersion", "StoreUnavailable", "Writer",
]  # fmt: skip

MAX_BATCH = 256
"""Most appends in one transaction: enough to share a flush, few enough to repeat one by one."""


class Answer(NamedTuple):
    """A waiter and the outcome of its append."""

    waiter: Any
    outcome: Outcome


class Writer:
    """Appends to the log, from any thread. `deliver` gets the answers of each batch, in the writer's thread."""

    def __init__(self, line: WriterConnection, deliver: Callable[[list[Answer]], None]) -> None:
        self._line = line
        self._deliver = deliver
        self._queue: SimpleQueue[tuple[Append, Any] | None] = SimpleQueue()
        self._gate = Lock()
        self._closed = False
        self._thread: Thread | None = None

    def open(self) -> None:
        """Connect and start; raises StoreUnavailable if the database is not there."""
        self._line.open()
        self._thread = start_thread(self._run, "event-store-writer")

    def close(self) -> None:
        """Commit what has queued, answer it, and stop."""
        with self._gate:
            self._closed = True
            self._queue.put(None)
        if self._thread is not None:
            self._thread.join()
        self._line.close()

    def submit(self, append: Append, waiter: Any) -> None:
        """Queue an append; its answer is delivered with this waiter. Raises StoreUnavailable once closed."""
        with self._gate:
            if self._closed:
                raise StoreUnavailable("The event store is closed.")
            self._queue.put((append, waiter))

    @property
    def queued(self) -> int:
        """How many appends wait for the batch in hand."""
        return self._queue.qsize()

    def _run(self) -> None:
        while not (self._closed and self._queue.empty()):
            queued = [item for item in self._gather() if item is not None]
            if queued:
                self._commit([append for append, _ in queued], [waiter for _, waiter in queued])

    def _gather(self) -> list[tuple[Append, Any] | None]:
        """Wait for the next append; it, and those queued behind it by then."""
        batch = [self._queue.get()]
        try:
            while batch[-1] is not None and len(batch) < MAX_BATCH:
                batch.append(self._queue.get_nowait())
        except Empty:
            pass
        return batch

    def _commit(self, appends: list[Append], waiters: list[Any]) -> None:
        began = perf_counter()
        with tracing.batch(waiters):
            outcomes = self._outcomes(appends)
        count_batch(outcomes, perf_counter() - began)
        self._deliver(list(map(Answer, waiters, outcomes)))

    def _outcomes(self, appends: list[Append]) -> list[Outcome]:
        """Store a batch. After a lost connection the outcome is unknown: every waiter gets the error."""
        try:
            return self._line.use(lambda connection: self._line.fence.commit(connection, appends))
        except Exception as error:  # noqa: BLE001  the thread must survive; the waiters get the error
            return [error] * len(appends)
