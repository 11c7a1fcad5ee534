"""Following: reads in short what other processes have appended, so that this one drops outdated caches."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from service.event_store.errors import StoreUnavailable
from service.event_store.listener import Listener
from service.event_store.store import EventStore
from service.event_store.writing.rows import URGENT
from service.live.slots import SLOTS
from service.telemetry.background import start_task

MOST = 5_000
"""Most events of others read at once; where there are more, all caches are dropped instead."""
_PAUSE = 0.003  # seconds between two readings
_OTHERS = """
SELECT stream, version, topic FROM unnest(%s::bigint[], %s::bigint[]) AS run (first, last)
JOIN events ON position BETWEEN first AND last
WHERE topic = ANY(%s) OR get_byte(uuid_send(stream), 15) & 63 = ANY(%s) ORDER BY position
"""


TOKENS = ("player/token_revoked", "player/erased")
"""Events that revoke tokens."""


class News(NamedTuple):
    """An event of another process, without its content."""

    stream: UUID
    version: int
    topic: str


class Following:
    """Follows what other processes append to the log.

    `told` gets the news in the order of the log, None where there are more than MOST; `watched`: whether anybody waits
    for them; only then commits are listened to. Each look at the leases gives the log's head, too. `revoked` gets at
    once the players whose tokens were revoked. `held`: the slots whose news are always told.
    """

    def __init__(
        self, store: EventStore, told: Callable[[Sequence[News] | None], Awaitable[None]], watched: Callable[[], bool],
        revoked: Callable[[UUID], None], held: Callable[[], Collection[int]],
    ) -> None:  # fmt: skip
        self._store, self._told, self._watched, self._held = store, told, watched, held
        self._commits = Listener(store.session, self._on_commit)
        self._urgent = Listener(store.session, lambda backend, player: revoked(UUID(player)), URGENT)
        self._at = self._head = -1
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin, in a task of the running loop."""
        self._tasks = [start_task(self._run, "following")]

    async def stop(self) -> None:
        """Stop following."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._commits.close()
        await self._urgent.close()

    def note_look(self, head: int, peers: bool) -> None:
        """After a look at the leases: the log's head, and whether other processes live."""
        if peers:
            self._urgent.open()
            self._commits.open() if self._watched() else self._commits.end()
        self._note_head(head)

    def _on_commit(self, backend: int, head: str) -> None:
        """Take a commit's notification, unless the commit is our own."""
        if backend != self._store.backend:
            self._note_head(int(head))

    def _note_head(self, head: int) -> None:
        self._store.note_position(head)
        if self._at < 0:
            self._at = head
        if head > self._head:
            self._head = head
            self._news.set()

    async def _run(self) -> None:
        while True:
            await self._news.wait()
            head = self._head
            with suppress(StoreUnavailable):
                await self._read(head)
                if head == self._head:  # else, or after an error, there is more to read
                    self._news.clear()
            await asyncio.sleep(_PAUSE)

    async def _read(self, head: int) -> None:
        """Read what others wrote up to this position; it counts as read only once it was told."""
        runs = self._store.own.others(self._at, head)
        if runs:
            news = None
            if sum(last - first + 1 for first, last in runs) <= MOST:
                firsts, lasts = zip(*runs, strict=True)
                slots = range(SLOTS) if self._watched() else self._held()
                values = (list(firsts), list(lasts), list(TOKENS), list(slots))
                news = [News(*row) for row in await self._store.query(_OTHERS, values)]
            await self._told(news)
        self._at = head
        self._store.own.drop(head)
