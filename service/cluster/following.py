"""Following: what other processes have appended, read in short, so that this one forgets what it knows no better."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from service.event_store.errors import StoreUnavailable
from service.event_store.reading.listener import Listener
from service.event_store.store import EventStore
from service.event_store.writing.rows import URGENT
from service.live.slots import SLOTS
from service.telemetry.background import start_task

MOST = 5_000
"""Events of others that are looked through; behind more of them everything is forgotten instead."""
_PAUSE = 0.003  # seconds between two readings
_OTHERS = """
SELECT stream, version, topic FROM unnest(%s::bigint[], %s::bigint[]) AS run (first, last)
JOIN events ON position BETWEEN first AND last
WHERE topic = ANY(%s) OR get_byte(uuid_send(stream), 15) & 63 = ANY(%s) ORDER BY position
"""


TOKENS = ("player/token_revoked", "player/erased")
"""What makes tokens worthless."""


class News(NamedTuple):
    """An event of another process. Its content is fetched by whoever needs it."""

    stream: UUID
    version: int
    topic: str


class Following:
    """Follows the log behind what this process has written itself.

    `told` gets the news in the order of the log, None for more than can be looked through; `watched` says whether
    anybody waits for them: only then are commits listened to. Each look at the leases tells the log's head besides.
    `revoked` gets at once the players of whom tokens were revoked. `held`: the slots of which all is told always.
    """

    def __init__(
        self, store: EventStore, told: Callable[[Sequence[News] | None], Awaitable[None]], watched: Callable[[], bool],
        revoked: Callable[[UUID], None], held: Callable[[], Collection[int]],
    ) -> None:  # fmt: skip
        self._store, self._told, self._watched, self._held = store, told, watched, held
        self._commits = Listener(store.session, self._heard)
        self._urgent = Listener(store.session, lambda backend, player: revoked(UUID(player)), URGENT)
        self._at = self._head = -1
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin, in a task of the running loop."""
        self._tasks = [start_task(self._run, "following")]

    async def stop(self) -> None:
        """Follow no longer."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._commits.close()
        await self._urgent.close()

    def looked(self, head: int, peers: bool) -> None:
        """The log stood at this position a moment ago, and other processes live, or none."""
        if peers:
            self._urgent.open()
            self._commits.open() if self._watched() else self._commits.end()
        self._known(head)

    def _heard(self, backend: int, head: str) -> None:
        """A commit was told of: our own is none of our business."""
        if backend != self._store.backend:
            self._known(int(head))

    def _known(self, head: int) -> None:
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
                if head == self._head:  # else, and after whatever went wrong, there is more to read
                    self._news.clear()
            await asyncio.sleep(_PAUSE)

    async def _read(self, head: int) -> None:
        """What others wrote up to this position; it is taken for read only once it has been told."""
        runs = self._store.own.others(self._at, head)
        if runs:
            await self._told(await self._others(runs))
        self._at = head
        self._store.own.drop(head)

    async def _others(self, runs: list[tuple[int, int]]) -> list[News] | None:
        if sum(last - first + 1 for first, last in runs) > MOST:
            return None
        firsts, lasts = zip(*runs, strict=True)
        slots = range(SLOTS) if self._watched() else self._held()
        values = (list(firsts), list(lasts), list(TOKENS), list(slots))
        return [News(*row) for row in await self._store.query(_OTHERS, values)]
