"""The group writer: queued appends are one transaction, and the next batch gathers meanwhile.

While one batch is flushed to disk the next one queues, so that a slow disk makes batches larger, not the log
proportionally slower; an idle writer sends an append at once. A batch is sent as a pipeline, without a thread. Where
that fails (a refused row, a lost lease, no connection) a thread stores the appends one by one.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import partial
from time import monotonic, perf_counter
from typing import Any, TypeVar

from psycopg import Connection

from service.event_store.connections import connect, is_alive, shut_off, unavailability
from service.event_store.errors import Fenced, NotLeased, StoreUnavailable
from service.event_store.writing.pipeline import UNFIT, NotPipelined, Pipeline, Statement, statements
from service.event_store.writing.rows import Append, Outcome, count_batch, last_positions, store_one_by_one
from service.telemetry import tracing
from service.telemetry.background import start_task
from service.telemetry.metrics import BATCHES

R = TypeVar("R")
Waiter = asyncio.Future[int]
MAX_BATCH = 256
"""Most appends in one transaction: enough to share a flush, few enough to repeat one by one."""
_UNKNOWN: Outcome = StoreUnavailable("What became of this append is not known.")


class GroupWriter:
    """Appends to the log, from one event loop. No append is answered before the commit."""

    def __init__(self, connection: "WriterConnection", note: Callable[[Exception | None], object]) -> None:
        """`note` gets the error of each batch that failed as one, and None for each other batch."""
        self._connection, self._note = connection, note
        self._queue: deque[tuple[Append, Waiter]] = deque()
        self._news = asyncio.Event()
        self._closed = False
        self._pipeline: Pipeline | None = None
        # Its thread starts with the first use and stays, so that a lack of threads later does no harm.
        self._thread = ThreadPoolExecutor(1, "event-store-writer")

    async def open(self) -> None:
        """Connect and start; raises StoreUnavailable if the database does not answer."""
        await self._run_in_thread(self._connection.open)
        self._task = start_task(self._run, "event-store-writer")

    async def close(self) -> None:
        """Commit what has queued, answer it, and stop."""
        self._closed = True
        self._news.set()
        await self._task
        await self._run_in_thread(self._connection.close)
        self._thread.shutdown(wait=False)

    @property
    def queued(self) -> int:
        """How many appends wait for the current batch to end."""
        return len(self._queue)

    def submit(self, append: Append, waiter: Waiter) -> None:
        """Queue an append, to be answered by this future. Raises StoreUnavailable once closed."""
        if self._closed:
            raise StoreUnavailable("The event store is closed.")
        self._queue.append((append, waiter))
        self._news.set()

    async def _run(self) -> None:
        while self._queue or not self._closed:
            if not self._queue:
                await self._news.wait()
            self._news.clear()
            while self._queue:
                batch = [self._queue.popleft() for _ in range(min(len(self._queue), MAX_BATCH))]
                await self._commit([append for append, _ in batch], [waiter for _, waiter in batch])

    async def _commit(self, appends: list[Append], waiters: list[Waiter]) -> None:
        """Store a batch and answer its waiters. After a lost connection the outcome is unknown: all get the error."""
        began, outcomes = perf_counter(), [_UNKNOWN] * len(appends)
        try:
            with tracing.batch(waiters):
                try:
                    outcomes = await self._store(appends)
                except Exception as error:  # noqa: BLE001  the writer must survive; the waiters get the error
                    self._note(error)
                    outcomes = [error] * len(appends)
                else:
                    self._note(None)
        finally:  # answer every waiter, also after an error of the writer itself
            for waiter, outcome in zip(waiters, outcomes, strict=True):
                if waiter.done():
                    continue
                if isinstance(outcome, Exception):
                    waiter.set_exception(outcome)
                else:
                    waiter.set_result(outcome)
        count_batch(outcomes, perf_counter() - began)

    async def _run_in_thread(self, work: Callable[[], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, copy_context().run, work)

    async def _store(self, appends: list[Append]) -> list[Outcome]:
        """Store a batch through the pipeline, all or nothing, else by the thread, append by append."""
        if (prepared := self._prepare_pipeline(appends)) is not None:
            pipeline, sent = prepared
            with suppress(NotPipelined):
                with self._connection.in_use(pipeline.connection):
                    head = await pipeline.commit(sent)
                BATCHES("flight").inc()
                return last_positions(head, appends)
        BATCHES("thorough").inc()
        return await self._run_in_thread(partial(self._connection.store, appends))

    def _prepare_pipeline(self, appends: Sequence[Append]) -> tuple[Pipeline, list[Statement]] | None:
        """Pipeline and statements; None without a connection, a lease, or an encoding of a value."""
        connection = self._connection.usable
        if connection is None or not all(map(self._connection.admits, appends)):
            return None
        if self._pipeline is None or self._pipeline.connection is not connection:
            self._pipeline = Pipeline(connection)
        with suppress(*UNFIT):
            return self._pipeline, statements(self._connection.epoch, appends)
        return None


_LEASES = "SELECT epoch, ARRAY(SELECT slot FROM leases WHERE process = %s) FROM log"
_TRIES = 20


_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.25  # seconds: a standby may be promoted at any moment
# Positions follow the order in which the log's row is locked, which needs READ COMMITTED. A writer that hangs within a
# transaction must not hold the row for ever, nor must others wait for it for ever.
_SETTINGS = """
SET default_transaction_isolation = 'read committed';
SET idle_in_transaction_session_timeout = '10s';
SET lock_timeout = '15s'
"""


class WriterConnection:
    """The writer's connection, renewed when lost, and the fence of its commits; used by one thread at a time.

    The fence is the log's epoch as this writer read it, and the slots leased to its process at that epoch. Leases
    change only together with the epoch, and every append checks the epoch under the log's row lock. `process`: None for
    a writer without leases, whose appends need none.
    """

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: Connection[Any] | None = None
        self._pause = _FIRST_PAUSE
        self._not_before = 0.0
        self._in_use_since: float | None = None
        self.process: int | None = None
        self.epoch = -1
        self._slots: frozenset[int] = frozenset()

    @property
    def backend(self) -> int:
        """The number of the server process; 0 while not connected."""
        connection = self._connection
        return 0 if connection is None or connection.closed else connection.info.backend_pid

    def open(self) -> None:
        """Connect and read the epoch, which stays through reconnections."""
        connection = self._current_connection()
        with unavailability():
            self._read_leases(connection)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    def _read_leases(self, connection: Connection[Any]) -> None:
        row = connection.execute(_LEASES, (self.process,)).fetchone()
        if row is None:
            raise ValueError("the log has lost its row")
        self.epoch, self._slots = int(row[0]), frozenset(row[1])

    def admits(self, append: Append) -> bool:
        """Whether the append needs no lease, or its slot is leased to us."""
        return append.slot is None or append.slot in self._slots

    def store(self, appends: Sequence[Append]) -> list[Outcome]:
        """Store these appends one by one; NotLeased for those with another's slot.

        Raises StoreUnavailable, after which the next use reconnects.
        """
        connection = self._current_connection()
        with self.in_use(connection):
            if not all(map(self.admits, appends)):
                self._read_leases(connection)
            for _ in range(_TRIES):
                admitted = [append for append in appends if self.admits(append)]
                try:
                    stored = iter(store_one_by_one(connection, self.epoch, admitted) if admitted else ())
                except Fenced:
                    self._read_leases(connection)
                else:
                    return [next(stored) if self.admits(append) else NotLeased(append.slot) for append in appends]
            raise Fenced

    @property
    def usable(self) -> Connection[Any] | None:
        """The connection, if it works; does not reconnect."""
        connection = self._connection
        return connection if connection is not None and is_alive(connection) else None

    @contextmanager
    def in_use(self, connection: Connection[Any]) -> Iterator[None]:
        """Any error in the block closes the connection; losing it raises StoreUnavailable."""
        self._in_use_since = monotonic()
        try:
            with unavailability():
                yield
        except NotPipelined:
            raise
        except BaseException:
            connection.close()
            raise
        finally:
            self._in_use_since = None

    def abort_if_stalled(self, seconds: float) -> None:
        """From another thread: end a use that lasts longer than `seconds`, with StoreUnavailable."""
        since, connection = self._in_use_since, self._connection
        if since is not None and connection is not None and monotonic() - since > seconds:
            shut_off(connection)

    def _current_connection(self) -> Connection[Any]:
        """The connection, or a new one; within the pause after a failure raises StoreUnavailable at once."""
        if (connection := self.usable) is not None:
            return connection
        self.close()
        if monotonic() < self._not_before:
            raise StoreUnavailable("The database does not answer; it will be asked again in a moment.")
        try:
            connection = connect(self._conninfo, "writer")
            connection.prepare_threshold = None  # else psycopg drops the pipeline's prepared statements on rollback
            with unavailability():
                connection.execute(_SETTINGS)
        except StoreUnavailable:
            self._not_before = monotonic() + self._pause
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            raise
        self._pause, self._connection = _FIRST_PAUSE, connection
        return connection
