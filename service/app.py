"""The only place where the parts are put together."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import msgspec
from litestar import Litestar
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler

from service import methods, openapi, refusals, resources
from service.access import Access
from service.accounts import Accounts
from service.certificates import Certificates
from service.contests import Contests
from service.counting import count
from service.days import Days
from service.deadlines import Clock
from service.event_store.store import EventStore
from service.leagues import leagues
from service.limits import Quotas, limited
from service.reads import Reads
from service.replays import Replays
from service.room import Room
from service.services import Services
from service.settings import Settings
from service.worker import Worker


def create_app(settings: Settings, conninfo: str) -> Litestar:
    """The service over one migrated database; opening and closing it opens and closes all its parts."""
    handlers: list[HTTPRouteHandler] = resources.found()
    description = openapi.document(handlers)
    store = EventStore(conninfo, alone=True)
    worker = Worker(conninfo) if settings.run_worker else None
    access, room = Access(store), Room(store, settings.cached_games)
    contests, certificates = Contests(store, room), Certificates()
    services = Services(
        settings=settings,
        store=store,
        room=room,
        replays=Replays(store),
        reads=Reads(conninfo),
        access=access,
        accounts=Accounts(store, access),
        leagues=leagues(store),
        contests=contests,
        days=Days(store, contests, certificates.deal if settings.same_deal_days else None, settings.clock_seconds),
        clock=Clock(store, room, settings.clock_seconds),
        worker=worker,
    )
    state = {
        "services": services,
        "openapi": msgspec.json.encode(description),
        "openapi_page": openapi.page(description),
    }
    return Litestar(
        route_handlers=[*methods.told(handlers), *handlers],
        exception_handlers=refusals.HANDLERS,
        state=State(state),
        lifespan=[_running(services)],
        openapi_config=None,
        logging_config=None,
        request_max_body_size=settings.max_body_bytes,
        middleware=[count, limited(Quotas(settings.rate_limit_per_minute))],
    )


def _running(services: Services) -> Callable[[Litestar], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        await services.store.open()
        await services.reads.open()
        services.clock.start()
        services.days.start()
        if services.worker is not None:
            services.worker.start()
        try:
            yield
        finally:
            if services.worker is not None:
                services.worker.stop()
            await services.days.stop()
            await services.clock.stop()
            await services.reads.close()
            await services.store.close()

    return lifespan
