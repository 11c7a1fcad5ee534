"""What handlers work with: made once by create_app, passed along by the application's state."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.settings import Settings

if TYPE_CHECKING:
    from domain.league.aggregate import League
    from service.access import Access
    from service.accounts import Accounts
    from service.aggregates import Aggregates
    from service.contests import Contests
    from service.days import Days
    from service.deadlines import Clock
    from service.event_store.store import EventStore
    from service.health import Health
    from service.heavy import Heavy
    from service.lagging import Replica
    from service.log_positions import Writers
    from service.looks import Looks
    from service.processes.company import Company
    from service.reads import Reads
    from service.replays import Replays
    from service.room import Room
    from service.sealing import Seals
    from service.signing import Ring
    from service.verifying import Verifiers
    from service.worker import Worker


@dataclass(frozen=True, kw_only=True)
class Services:
    """The parts of one running service."""

    settings: Settings
    store: "EventStore"
    room: "Room"
    clock: "Clock"
    replays: "Replays"
    looks: "Looks"
    reads: "Reads"
    writers: "Writers"
    access: "Access"
    accounts: "Accounts"
    leagues: "Aggregates[League]"
    contests: "Contests"
    days: "Days"
    company: "Company"
    ring: "Ring"
    seals: "Seals"
    verifiers: "Verifiers"
    heavy: "Heavy"
    health: "Health"
    worker: "Worker | None"
    replica: "Replica | None" = None
