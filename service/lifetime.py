"""Opening and closing the service's parts; if the start fails, the opened parts are closed again."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from litestar import Litestar

from service.accounts.names import ClearTextSealing
from service.event_store import unsealing
from service.event_store.errors import StoreUnavailable
from service.http.call import Services
from service.keys.key_files import KeysUnusable
from service.telemetry import tracing

Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


def lifespan_of(services: Services) -> Lifespan:
    """Opens all parts and closes them again, the last one first.

    A database that is away or keys that cannot be used are stored as `failure` in the application's state.
    """

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as open_parts:
            open_parts.push_async_callback(asyncio.to_thread, tracing.end)
            try:
                await _open(services, open_parts)
            except (StoreUnavailable, KeysUnusable) as error:
                app.state.failure = error
                raise
            yield

    return lifespan


async def _open(services: Services, parts: AsyncExitStack) -> None:
    services.ring.open()
    services.seals.open()
    await services.store.open()
    parts.push_async_callback(services.store.close)
    parts.push_async_callback(services.process_group.close)
    await services.process_group.open()
    await unsealing.begin(services.store.session, services.seals, services.settings.rollout_seconds)
    parts.callback(services.verifiers.close)
    parts.push_async_callback(services.heavy.close)
    parts.push_async_callback(services.hints.close)
    for reads in (services.reads, *([services.replica.reads] if services.replica is not None else [])):
        await reads.open()
        parts.push_async_callback(reads.close)
    emptying = ClearTextSealing(services.store.session, services.settings.rollout_seconds, services.accounts.clear_for)
    await emptying.start()
    parts.push_async_callback(emptying.stop)
    services.room.owners.open()
    parts.push_async_callback(services.room.owners.close)
    for task in (services.room.snapshots, services.clock, services.days, services.house):
        task.start()
        parts.push_async_callback(task.stop)
    if services.worker is not None:
        services.worker.start()
        parts.callback(services.worker.stop)
    for beside in (services.deliveries, *services.searches):
        if beside is not None:
            beside.start()
            parts.push_async_callback(asyncio.to_thread, beside.stop)
