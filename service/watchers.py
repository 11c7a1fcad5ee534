"""Who watches games: each open stream of a game has a queue of the steps committed from its beginning on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from domain.game.aggregate import AnyRecord

Records = tuple[AnyRecord, ...]
_UNHEARD = 256
"""Steps that wait for a slow watcher; one that is further behind fetches what it missed."""


class Watchers:
    """The watchers of this process, by game."""

    def __init__(self) -> None:
        self._watchers: dict[UUID, set[asyncio.Queue[Records]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._watchers.values()))

    @asynccontextmanager
    async def watch(self, game_id: UUID) -> AsyncIterator["asyncio.Queue[Records]"]:
        """A queue that receives the records of every step committed from now on; of steps elsewhere, none."""
        queue: asyncio.Queue[Records] = asyncio.Queue(_UNHEARD)
        self._watchers.setdefault(game_id, set()).add(queue)
        try:
            yield queue
        finally:
            watchers = self._watchers[game_id]
            watchers.discard(queue)
            if not watchers:
                del self._watchers[game_id]

    def tell(self, game_id: UUID, records: Records) -> None:
        """A step of this game was committed, here with these records or elsewhere."""
        for watcher in self._watchers.get(game_id, ()):
            _tell(watcher, records)

    def wake(self) -> None:
        """Whoever watches looks for themselves."""
        for watchers in self._watchers.values():
            for watcher in watchers:
                _tell(watcher, ())


def _tell(watcher: "asyncio.Queue[Records]", records: Records) -> None:
    while watcher.full():
        watcher.get_nowait()
    watcher.put_nowait(records)
