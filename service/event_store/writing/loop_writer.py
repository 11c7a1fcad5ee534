"""The group writer of an event loop: queued appends are one transaction, and the next batch gathers meanwhile.

A batch is sent as a pipeline, without a thread. Where that fails (a refused row, a lost lease, no connection) a thread
stores the batch the thorough way, which knows the outcome of each append.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from time import perf_counter
from typing import TypeVar

from service.event_store.errors import StoreUnavailable
from service.event_store.writing.pipeline import UNFIT, NotPipelined, Pipeline, Statement, statements
from service.event_store.writing.rows import Append, Outcome, count_batch, positions
from service.event_store.writing.writer import MAX_BATCH
from service.event_store.writing.writer_connection import WriterConnection
from service.telemetry import tracing
from service.telemetry.background import start_task
from service.telemetry.metrics import BATCHES

R = TypeVar("R")
Waiter = asyncio.Future[int]
_UNKNOWN: Outcome = StoreUnavailable("What became of this append is not known.")


class LoopWriter:
    """Appends to the log, from one event loop. Nobody is answered before the commit."""

    def __init__(self, line: WriterConnection, told: Callable[[Exception | None], object] = lambda met: None) -> None:
        """`told` gets the error of each batch that failed as a whole, and None once one is stored after it."""
        self._line, self._told = line, told
        self._queue: deque[tuple[Append, Waiter]] = deque()
        self._news = asyncio.Event()
        self._closed = False
        self._failed = False
        self._pipeline: Pipeline | None = None
        # Its thread starts with the first use and stays, so that a lack of threads later does no harm.
        self._thread = ThreadPoolExecutor(1, "event-store-writer")

    async def open(self) -> None:
        """Connect and start; raises StoreUnavailable if the database is not there."""
        await self._run_in_thread(self._line.open)
        self._task = start_task(self._run, "event-store-writer")

    async def close(self) -> None:
        """Commit what has queued, answer it, and stop."""
        self._closed = True
        self._news.set()
        await self._task
        await self._run_in_thread(self._line.close)
        self._thread.shutdown(wait=False)

    @property
    def queued(self) -> int:
        """How many appends wait for the batch in hand."""
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
                appends, waiters = list[Append](), list[Waiter]()
                while self._queue and len(appends) < MAX_BATCH:
                    append, waiter = self._queue.popleft()
                    appends.append(append)
                    waiters.append(waiter)
                await self._commit(appends, waiters)

    async def _commit(self, appends: list[Append], waiters: list[Waiter]) -> None:
        began, outcomes = perf_counter(), [_UNKNOWN] * len(appends)
        try:
            with tracing.batch(waiters):
                outcomes = await self._outcomes(appends)
        finally:  # answer everybody, also after an error of the writer itself
            for waiter, outcome in zip(waiters, outcomes, strict=True):
                if waiter.done():
                    continue
                if isinstance(outcome, Exception):
                    waiter.set_exception(outcome)
                else:
                    waiter.set_result(outcome)
        count_batch(outcomes, perf_counter() - began)

    async def _run_in_thread(self, work: Callable[[], R]) -> R:
        """Run in the writer's own thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, copy_context().run, work)

    async def _outcomes(self, appends: list[Append]) -> list[Outcome]:
        """Store a batch. After a lost connection the outcome is unknown: every waiter gets the error."""
        try:
            outcomes = await self._store(appends)
        except Exception as error:  # noqa: BLE001  the writer must survive; the waiters get the error
            self._failed = True
            self._told(error)
            return [error] * len(appends)
        if self._failed:
            self._failed = False
            self._told(None)
        return outcomes

    async def _store(self, appends: list[Append]) -> list[Outcome]:
        if (prepared := self._prepare_pipeline(appends)) is not None:
            pipeline, sent = prepared
            with suppress(NotPipelined):
                with self._line.in_use(pipeline.connection):
                    head = await pipeline.commit(sent)
                BATCHES[("flight",)] += 1
                return positions(head, appends)
        BATCHES[("thorough",)] += 1
        commit = partial(self._line.fence.commit, appends=appends, refused=prepared is not None)
        return await self._run_in_thread(partial(self._line.use, commit))

    def _prepare_pipeline(self, appends: Sequence[Append]) -> tuple[Pipeline, list[Statement]] | None:
        """Pipeline and statements; None if there is no connection, a lease is missing or a value cannot be encoded."""
        connection, fence = self._line.standing, self._line.fence
        if connection is None or not all(map(fence.admits, appends)):
            return None
        if self._pipeline is None or self._pipeline.connection is not connection:
            self._pipeline = Pipeline(connection)
        with suppress(*UNFIT):
            return self._pipeline, statements(fence.epoch, appends)
        return None
