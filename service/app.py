"""The only place where the parts are put together."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import msgspec
from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler

from service import methods, openapi, pages, refusals, resources
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
from service.pages.errors import of_no_route
from service.pages.people import People
from service.reads import Reads
from service.replays import Replays
from service.room import Room
from service.services import Services
from service.settings import Settings
from service.signing import Ring, Signatures
from service.verifying import Verifiers
from service.worker import Worker


def create_app(settings: Settings, conninfo: str) -> Litestar:
    """The service over one migrated database; opening and closing it opens and closes all its parts."""
    handlers: list[HTTPRouteHandler] = resources.found()
    description = openapi.document(handlers)
    store = EventStore(conninfo, alone=True)
    worker = Worker(conninfo) if settings.run_worker else None
    ring = Ring(settings.keys_folder)
    access, room = Access(store), Room(store, settings.cached_games, Signatures(ring))
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
        ring=ring,
        verifiers=Verifiers(),
        clock=Clock(store, room, settings.clock_seconds),
        worker=worker,
    )
    state = {
        "services": services,
        "openapi": msgspec.json.encode(description),
        "openapi_page": openapi.page(description),
        "people": People(services.accounts),
    }
    return Litestar(
        route_handlers=[*methods.told(handlers), *handlers, *pages.found()],
        exception_handlers={**refusals.HANDLERS, HTTPException: of_no_route},
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
        services.ring.open()
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
            services.verifiers.close()
            await services.reads.close()
            await services.store.close()

    return lifespan
