"""Opening and closing the service's parts; if the start fails, the opened parts are closed again."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from litestar import Litestar

from service.accounts.names import ClearTextSealing
from service.cluster.process_group import ProcessGroup
from service.contests.days import Days
from service.event_store import unsealing
from service.event_store.errors import StoreUnavailable
from service.house.tables import HouseBots
from service.http.call import HttpParts
from service.jobs.process import JobParts
from service.jobs.searching import SearchThread
from service.keys.key_files import KeysUnusable
from service.keys.signing import Ring
from service.live.deadlines import Clock
from service.outbox.delivery import Deliveries
from service.puzzles.corpus import load_corpus
from service.records.imports import Verifiers
from service.telemetry import tracing
from service.workers.worker import Worker

Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


def lifespan_of(
    parts: HttpParts, tasks: Sequence[Clock | Days], worker: Worker | None, threads: Sequence[Deliveries | SearchThread]
) -> Lifespan:
    """Opens all parts and closes them again, the last one first.

    A database that is away or keys that cannot be used are stored as `failure` in the application's state.
    """

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as opened:
            opened.push_async_callback(asyncio.to_thread, tracing.end)
            try:
                await _open(parts, opened)
                for task in (parts.room.snapshots, *tasks, parts.area(HouseBots)):
                    task.start()
                    opened.push_async_callback(task.stop)
                if worker is not None:
                    worker.start()
                    opened.callback(worker.stop)
                for thread in threads:
                    thread.start()
                    opened.push_async_callback(asyncio.to_thread, thread.stop)
            except (StoreUnavailable, KeysUnusable) as error:
                app.state.failure = error
                raise
            yield

    return lifespan


async def _open(parts: HttpParts, opened: AsyncExitStack) -> None:
    parts.area(Ring).open()
    parts.seals.open()
    await parts.store.open()
    opened.push_async_callback(parts.store.close)
    if parts.settings.puzzles:
        await load_corpus(parts.store)
    opened.push_async_callback(parts.area(ProcessGroup).close)
    await parts.area(ProcessGroup).open()
    await unsealing.begin(parts.store.session, parts.seals, parts.settings.rollout_seconds)
    opened.callback(parts.area(Verifiers).close)
    opened.push_async_callback(parts.area(JobParts).heavy.close)
    opened.push_async_callback(parts.area(JobParts).hints.close)
    for reads in (parts.reads, *([parts.replica.reads] if parts.replica is not None else [])):
        await reads.open()
        opened.push_async_callback(reads.close)
    emptying = ClearTextSealing(parts.store.session, parts.settings.rollout_seconds, parts.accounts.clear_for)
    await emptying.start()
    opened.push_async_callback(emptying.stop)
    parts.room.owners.open()
    opened.push_async_callback(parts.room.owners.close)
