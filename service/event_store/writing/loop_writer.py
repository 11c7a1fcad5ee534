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
from service.event_store.parameters import UNFIT
from service.event_store.writing.batch import Outcome, count_batch, positions
from service.event_store.writing.pipeline import NotPipelined, Pipeline, Statement
from service.event_store.writing.rows import Append, head, statements
from service.event_store.writing.writer import MAX_BATCH
from service.event_store.writing.writer_connection import WriterConnection
from service.telemetry import tracing
from service.telemetry.background import start_task
from service.telemetry.metrics.counts import BATCHES

R = TypeVar("R")
Waiter = asyncio.Future[int]
_UNKNOWN = StoreUnavailable("What became of this append is not known.")


class LoopWriter:
    """Appends to the log, from one event loop. Nobody is answered before the commit."""

    def __init__(self, line: WriterConnection, told: Callable[[Exception | None], object] = lambda met: None) -> None:
        """`told` gets the error of each batch as a whole; None if it was stored."""
        self._line, self._told = line, told
        self._queue: deque[tuple[Append, Waiter]] = deque()
        self._news = asyncio.Event()
        self._closed = False
        self._wire: Pipeline | None = None
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
                gathered = [self._queue.popleft() for _ in range(min(MAX_BATCH, len(self._queue)))]
                await self._commit([append for append, _ in gathered], [waiter for _, waiter in gathered])

    async def _commit(self, appends: list[Append], waiters: list[Waiter]) -> None:
        began = perf_counter()
        try:
            with tracing.batch(waiters):
                outcomes = await self._outcomes(appends)
            for waiter, outcome in zip(waiters, outcomes, strict=True):
                _answer(waiter, outcome)
        finally:
            for waiter in waiters:  # answer everybody, also after an error of the writer itself
                _answer(waiter, _UNKNOWN)
        count_batch(outcomes, perf_counter() - began)

    async def _run_in_thread(self, work: Callable[[], R]) -> R:
        """Run in the writer's own thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, copy_context().run, work)

    async def _outcomes(self, appends: list[Append]) -> list[Outcome]:
        """Store a batch. After a lost connection the outcome is unknown: every waiter gets the error."""
        try:
            outcomes = await self._store(appends)
        except Exception as error:  # noqa: BLE001  the writer must survive; the waiters get the error
            self._told(error)
            return [error] * len(appends)
        self._told(None)
        return outcomes

    async def _store(self, appends: list[Append]) -> list[Outcome]:
        if (flight := self._prepare_pipeline(appends)) is not None:
            with suppress(NotPipelined):
                return positions(await self._send_pipelined(*flight), appends)
        BATCHES[("thorough",)] += 1
        commit = partial(self._line.fence.commit, appends=appends, refused=flight is not None)
        return await self._run_in_thread(partial(self._line.use, commit))

    def _prepare_pipeline(self, appends: Sequence[Append]) -> tuple[Pipeline, list[Statement]] | None:
        """Pipeline and statements; None if there is no connection, a lease is missing or a value cannot be encoded."""
        connection = self._line.standing
        if connection is None or not all(map(self._line.fence.admits, appends)):
            return None
        if self._wire is None or self._wire.connection is not connection:
            self._wire = Pipeline(connection)
        with suppress(*UNFIT):
            return self._wire, list(statements(self._line.fence.epoch, appends))
        return None

    async def _send_pipelined(self, wire: Pipeline, prepared: list[Statement]) -> int:
        with self._line.in_use(wire.connection):
            reached = head(await wire.commit(prepared))
        BATCHES[("flight",)] += 1
        return reached


def _answer(waiter: Waiter, outcome: Outcome) -> None:
    if waiter.done():
        return
    if isinstance(outcome, Exception):
        waiter.set_exception(outcome)
    else:
        waiter.set_result(outcome)
