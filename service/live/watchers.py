"""Watchers of games: each open stream has a queue of the steps committed since it began."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from uuid import UUID

from domain.play.aggregate import AnyRecord

Records = tuple[AnyRecord, ...]
_UNHEARD = 256
"""Most queued steps of a slow watcher; one further behind reads what it missed."""


class Watchers:
    """The watchers of this process, by game."""

    def __init__(self) -> None:
        self._watchers: dict[UUID, set[asyncio.Queue[Records]]] = {}
        self._of_players: dict[UUID, set[asyncio.Queue[Records]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._watchers.values()))

    @asynccontextmanager
    async def watch(self, game_id: UUID, player: UUID | None) -> AsyncIterator["asyncio.Queue[Records]"]:
        """A queue of the records of every step committed from now on; empty tuples for other processes' steps."""
        queue: asyncio.Queue[Records] = asyncio.Queue(_UNHEARD)
        with _registered_queue(self._watchers, game_id, queue):
            if player is None:
                yield queue
                return
            with _registered_queue(self._of_players, player, queue):
                yield queue

    def tell(self, game_id: UUID, records: Records) -> None:
        """A step of this game was committed: here, with these records, or by another process, with none."""
        for watcher in self._watchers.get(game_id, ()):
            _put_newest(watcher, records)

    def wake_player(self, player: UUID) -> None:
        """Wake this player's watchers to check their tokens, which may have been revoked."""
        for watcher in self._of_players.get(player, ()):
            _put_newest(watcher, ())

    def wake(self) -> None:
        """Wake all watchers, so that they read for themselves."""
        for watchers in self._watchers.values():
            for watcher in watchers:
                _put_newest(watcher, ())


@contextmanager
def _registered_queue(
    all_of: dict[UUID, set[asyncio.Queue[Records]]], key: UUID, queue: "asyncio.Queue[Records]"
) -> Iterator[None]:
    """Register the queue under this key for the block."""
    all_of.setdefault(key, set()).add(queue)
    try:
        yield
    finally:
        all_of[key].discard(queue)
        if not all_of[key]:
            del all_of[key]


def _put_newest(watcher: "asyncio.Queue[Records]", records: Records) -> None:
    while watcher.full():
        watcher.get_nowait()
    watcher.put_nowait(records)
