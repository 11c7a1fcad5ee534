"""The only place where the parts are put together."""

from functools import partial

import msgspec
from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler

from service import api, hints, web
from service.accounts.access import Access
from service.accounts.passkeys import Passkeys, SignInParts
from service.accounts.players import Accounts
from service.accounts.sessions import RecoveryCodes
from service.analysis.queue import ANALYSES
from service.cluster.forwarding import Forwarding
from service.cluster.leases import Leases
from service.cluster.process_group import ProcessGroup
from service.contests.attempts import Contests
from service.contests.certificates import Certificates
from service.contests.days import Days
from service.event_store.codec import standard_codec
from service.event_store.log_positions import Writers
from service.event_store.reading import read_topics
from service.event_store.store import EventStore
from service.house.tables import HouseBots
from service.house.thinking import Thinking
from service.http import front, openapi, refusals
from service.http.call import HttpParts
from service.http.connections.answers import with_whole_answers
from service.http.front import FastPath, install_front
from service.http.limits import limit, operations_quotas
from service.http.representation import options_handlers
from service.jobs.process import JobParts, WorkerPool
from service.jobs.searching import SearchThread
from service.keys.sealing import Seals
from service.keys.signing import Ring
from service.leagues.commands import LeagueParts, leagues, site_rulings
from service.leagues.events import game_ended
from service.lifetime import lifespan_of
from service.live.deadlines import Clock
from service.live.replay import LiveParts, Replays
from service.live.room import Room
from service.live.signatures import Signatures
from service.live.view_cache import ViewCache
from service.oauth.apps import Apps
from service.oauth.grants import Devices, Grants, OAuthParts
from service.outbox.delivery import Deliveries
from service.puzzles.miner import PUZZLES
from service.records.feed import GameRulings
from service.records.imports import Verifiers
from service.settings import Settings
from service.telemetry import tracing
from service.web.page import People, fill_template, unrouted_page
from service.web.reference import list_parts
from service.winnable_deals import stock_search
from service.workers.health import Health
from service.workers.maintenance import IdleMaintenance
from service.workers.reads import Reads, Replica
from service.workers.worker import Worker


def create_app(settings: Settings, conninfo: str, address: str = "") -> Litestar:
    """The service over one migrated database; opening and closing it opens and closes all its parts.

    `address`: where other processes on the same database reach this one, `10.0.0.5:8001`.
    """
    handlers: list[HTTPRouteHandler] = api.find_handlers()
    requests, streams = openapi.documents(handlers)
    session, seals = settings.session_url or conninfo, Seals(settings.sealing_folder)
    codec = standard_codec().sealing(seals)
    ring = Ring(settings.keys_folder, settings.trusted_keys)
    store = EventStore(conninfo, codec, session=session, silence=settings.database_silence, vouch=ring.vouch)
    read, idle = partial(read_topics, codec=codec), IdleMaintenance(settings, codec)
    worker = Worker(session, read=read, idle=idle) if settings.run_worker else None
    replica = None
    if settings.replica_url is not None:
        replica = Replica(Reads(settings.replica_url, settings.database_silence, patience=0.5))
    leases = Leases(session, address, lambda: seals.ids)
    access = Access(store)
    accounts, room = Accounts(store, access), Room(store, settings.cached_games, Signatures(ring), leases)
    reads = Reads(conninfo, settings.database_silence, prepared=session == conninfo)
    contests, certificates = Contests(store, room), Certificates()
    process_group, health = ProcessGroup(leases, store, room, access), Health(store, seals, settings.worker_patience)
    league_parts = LeagueParts(leagues(store), site_rulings(store))
    areas = (
        process_group, contests, health, ring, league_parts,
        HouseBots(store, room, accounts, Thinking(conninfo, settings), settings.clock_seconds),
        JobParts(WorkerPool(conninfo, settings), hints.hint_pool(conninfo, settings)),
        LiveParts(Replays(store, room.games, replica), ViewCache()),
        SignInParts(Passkeys(store, accounts), RecoveryCodes(store, accounts)),
        OAuthParts(Apps(store), Grants(store, accounts), Devices(store, accounts)),
        Verifiers(), GameRulings(),
    )  # fmt: skip
    http = HttpParts(
        settings=settings, store=store, reads=reads, replica=replica, writers=Writers(), accounts=accounts, room=room,
        seals=seals, areas={type(area): area for area in areas},
    )  # fmt: skip
    clock, certify = Clock(store, room, settings.clock_seconds), certificates.deal if settings.same_deal_days else None
    days = Days(store, contests, certify, settings.clock_seconds, leads=leases.leads, seasoned=settings.seasoned_games)
    threads: tuple[Deliveries | SearchThread, ...] = ()
    if settings.run_worker:
        searches = (ANALYSES, PUZZLES, stock_search(seals))
        threads = (Deliveries(session, seals, settings), *(SearchThread(session, settings, one) for one in searches))
    room.ending_companions = partial(game_ended, reads, league_parts.leagues)
    state = {
        "parts": http,
        "quotas": (quotas := operations_quotas(settings)),
        "openapi": msgspec.json.encode(requests),
        "asyncapi": msgspec.json.encode(streams),
        "reference_page": fill_template("reference.html", parts=list_parts(requests)),
        "people": People(accounts),
    }
    every = limit([*handlers, *web.find_handlers()], quotas)
    limited = [*options_handlers(every), *front.limit_streams(every, settings)]
    app = Litestar(
        route_handlers=limited,
        exception_handlers={**refusals.HANDLERS, HTTPException: unrouted_page},
        state=State(state),
        lifespan=[lifespan_of(http, (clock, days), worker, threads)],
        openapi_config=None,
        logging_config=None,
        request_max_body_size=settings.max_body_bytes,
    )
    # Put on from the inside out, so a request passes metrics, whole answers, forwarding, traces, front, fast path.
    app.asgi_handler = FastPath(app.asgi_handler, limited)
    install_front(app, settings, access)
    tracing.begin(settings.traces_endpoint)
    app.asgi_handler = tracing.with_tracing(app.asgi_handler)
    app.asgi_handler = with_whole_answers(Forwarding(app.asgi_handler, leases, settings.max_body_bytes))
    process_metrics = partial(process_group.metrics, reads)
    app.asgi_handler = front.with_metrics(app.asgi_handler, settings.metrics_port, health, process_metrics)
    return app
