"""The parts that handlers work with: made once by create_app, kept in the application's state."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.settings import Settings

if TYPE_CHECKING:
    from domain.league.aggregate import League
    from domain.rulings import SiteRulings
    from service.accounts.access import Access
    from service.accounts.passkeys import Passkeys
    from service.accounts.players import Accounts
    from service.accounts.sessions import RecoveryCodes
    from service.cluster.process_group import ProcessGroup
    from service.contests.attempts import Contests
    from service.contests.days import Days
    from service.event_store.aggregates import Aggregates
    from service.event_store.log_positions import Writers
    from service.event_store.store import EventStore
    from service.house.tables import HouseBots
    from service.jobs.process import WorkerPool
    from service.jobs.searching import SearchThread
    from service.keys.sealing import Seals
    from service.keys.signing import Ring
    from service.live.deadlines import Clock
    from service.live.replay import Replays
    from service.live.room import Room
    from service.live.view_cache import ViewCache
    from service.oauth.apps import Apps
    from service.oauth.grants import Devices, Grants
    from service.outbox.delivery import Deliveries
    from service.records.feed import GameRulings
    from service.records.imports import Verifiers
    from service.workers.health import Health
    from service.workers.reads import Reads, Replica
    from service.workers.worker import Worker


@dataclass(frozen=True, kw_only=True)
class Services:
    """The parts of one running service."""

    settings: Settings
    store: "EventStore"
    room: "Room"
    clock: "Clock"
    replays: "Replays"
    view_cache: "ViewCache"
    reads: "Reads"
    writers: "Writers"
    access: "Access"
    accounts: "Accounts"
    passkeys: "Passkeys"
    recovery: "RecoveryCodes"
    apps: "Apps"
    grants: "Grants"
    devices: "Devices"
    leagues: "Aggregates[League]"
    rulings: "Aggregates[SiteRulings]"
    game_rulings: "GameRulings"
    contests: "Contests"
    days: "Days"
    process_group: "ProcessGroup"
    ring: "Ring"
    seals: "Seals"
    verifiers: "Verifiers"
    heavy: "WorkerPool"
    hints: "WorkerPool"
    house: "HouseBots"
    health: "Health"
    worker: "Worker | None"
    deliveries: "Deliveries | None"
    searches: "tuple[SearchThread, ...]"
    replica: "Replica | None" = None
