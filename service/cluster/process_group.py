"""One process among others: its leases, and the events that the others append to the log.

The events go to all parts of this process that need them: the room, its watchers, inboxes, feeds, cached tokens.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from prometheus_client.core import CounterMetricFamily
from prometheus_client.metrics_core import Metric

from service.accounts.access import Access
from service.cluster.leases import Leases
from service.event_store.errors import StoreUnavailable
from service.event_store.listener import Listener
from service.event_store.store import EventStore
from service.event_store.writing.rows import URGENT
from service.live import inbox
from service.live.room import Room
from service.live.slots import SLOTS
from service.telemetry.background import start_task
from service.telemetry.metrics import gauge, series
from service.workers.reads import Reads

MOST = 5_000
"""Most events of others read at once; where there are more, all caches are dropped instead."""
_PAUSE = 0.003  # seconds between two readings
_OTHERS = """
SELECT stream, version, topic FROM unnest(%s::bigint[], %s::bigint[]) AS run (first, last)
JOIN events ON position BETWEEN first AND last
WHERE topic = ANY(%s) OR get_byte(uuid_send(stream), 15) & 63 = ANY(%s) ORDER BY position
"""
_TOKENS = ("player/token_revoked", "player/erased")  # events that revoke tokens
_ENDS = ("game/revealed", "game/voided", "ruling/games_voided", "ruling/voids_withdrawn")

_POOL_COUNTS = (
    ("kibitz_pool_requests_total", "Connections asked of a pool.", "requests_num", 1.0),
    ("kibitz_pool_waits_total", "Those that had to wait for one.", "requests_queued", 1.0),
    ("kibitz_pool_wait_seconds_total", "Seconds waited for a connection.", "requests_wait_ms", 0.001),
    ("kibitz_pool_errors_total", "Those that got none in time.", "requests_errors", 1.0),
)


class News(NamedTuple):
    """An event of another process, without its content."""

    stream: UUID
    version: int
    topic: str


class ProcessGroup:
    """This process's membership among the processes of one database.

    Each refresh of the leases brings the log's head. Commits are listened to only while a stream or a feed waits for
    them; a revoked token is notified at once.
    """

    def __init__(self, leases: Leases, store: EventStore, room: Room, access: Access) -> None:
        access.wake = room.wake
        leases.on_gain, leases.on_refresh = room.forget_slots, self._on_refresh
        self.leases = leases
        self._store, self._room, self._access = store, room, access
        self._commits = Listener(store.session, self._on_commit)
        self._urgent = Listener(store.session, lambda backend, player: access.forget_player(UUID(player)), URGENT)
        self._read_upto = self._head = -1
        self._appended = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Take a number and the free slots; raises StoreUnavailable."""
        await self.leases.refresh()
        self._store.lease_to(self.leases.number)
        self._task = start_task(self._follow, "following")
        self.leases.start()

    async def close(self) -> None:
        """Stop following, and hand the slots over."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._commits.close()
        await self._urgent.close()
        await self.leases.close()

    def metrics(self, reads: Reads) -> Iterator[Metric]:
        """Metrics of the room, its listeners, the slots, the writer's queue and the pools."""
        store, room = self._store, self._room
        yield gauge("kibitz_cached_games", "Live games in memory.", len(room.games))
        yield gauge("kibitz_open_streams", "Open event streams of games and inboxes.", room.watched)
        yield gauge("kibitz_open_inboxes", "Open streams of inboxes.", len(room.listeners))
        yield gauge("kibitz_slots_held", "Slots whose games are this process's own.", len(self.leases.held))
        cut = len(self.leases.unreachable)
        yield gauge("kibitz_processes_unreachable", "Processes that live and cannot be reached from this one.", cut)
        yield gauge("kibitz_append_queue", "Appends that wait for the batch in hand.", store.queued)
        pools = {"store": store.pool_stats(), "reads": reads.pool_stats()}
        for name, says, key, unit in _POOL_COUNTS:
            counts = ((pool, stats.get(key, 0) * unit) for pool, stats in pools.items())
            yield series(name, says, "pool", counts, CounterMetricFamily)
        sizes = ((pool, stats.get("pool_size", 0)) for pool, stats in pools.items())
        yield series("kibitz_pool_connections", "Connections of a pool.", "pool", sizes)

    def _is_watched(self) -> bool:
        """Whether a stream or a feed waits for events."""
        return self._room.watched > 0 or self._room.listeners.feeds > 0

    def _on_refresh(self, head: int, peers: bool) -> None:
        if peers:
            self._urgent.open()
            self._commits.open() if self._is_watched() else self._commits.end()
        self._note_head(head)

    def _on_commit(self, backend: int, head: str) -> None:
        if backend != self._store.backend:  # else the commit is our own
            self._note_head(int(head))

    def _note_head(self, head: int) -> None:
        self._store.note_position(head)
        if self._read_upto < 0:
            self._read_upto = head
        if head > self._head:
            self._head = head
            self._appended.set()

    async def _follow(self) -> None:
        while True:
            await self._appended.wait()
            head = self._head
            with suppress(StoreUnavailable):
                await self._read(head)
                if head == self._head:  # else, or after an error, there is more to read
                    self._appended.clear()
            await asyncio.sleep(_PAUSE)

    async def _read(self, head: int) -> None:
        """Read the events of others up to this position; it counts as read only once they were passed on."""
        runs = self._store.own_positions.others(self._read_upto, head)
        if sum(last - first + 1 for first, last in runs) > MOST:
            self._access.forget_all()
            self._room.forget_all()
            self._room.listeners.wake()
        elif runs:
            firsts, lasts = map(list, zip(*runs, strict=True))
            slots = range(SLOTS) if self._is_watched() else self.leases.held
            rows = await self._store.query(_OTHERS, (firsts, lasts, list(_TOKENS), list(slots)))
            await self._pass_on([News(*row) for row in rows])
        self._read_upto = head
        self._store.own_positions.drop(head)

    async def _pass_on(self, news: Sequence[News]) -> None:
        for event in news:
            if event.topic in _TOKENS:
                self._access.forget_player(event.stream)
                self._room.forget()  # imports: those of an erased player are deleted
            self._room.hear(event.stream, event.version)
        if any(event.topic in _ENDS for event in news):
            self._room.listeners.end()
        if players := self._room.listeners.players:  # whom games waited for the inboxes know
            games = list({event.stream for event in news})
            self._room.listeners.hear(games, await inbox.waiting_pairs(self._store, games, players))
