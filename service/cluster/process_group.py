"""One process among others: its leases and the following of the others' events, started and stopped together.

The news go to all parts of this process that need them: the room, its watchers, inboxes, feeds, cached tokens.
"""

from collections.abc import Sequence

from service.accounts.access import Access
from service.cluster.following import TOKENS, Following, News
from service.cluster.leases import Leases
from service.event_store.store import EventStore
from service.live import inbox
from service.live.room import Room

_ENDS = ("game/revealed", "game/voided", "ruling/games_voided", "ruling/voids_withdrawn")


class ProcessGroup:
    """This process's membership among the processes of one database."""

    def __init__(self, leases: Leases, store: EventStore, room: Room, access: Access) -> None:
        access.wake = room.wake
        self.leases = leases
        self._store, self._room, self._access = store, room, access
        self._following = Following(store, self._pass_on, self._waits, access.forget_player, lambda: leases.held)
        leases.gained, leases.looked = room.forget_slots, self._following.note_look

    def _waits(self) -> bool:
        """Whether a stream or a feed waits for news."""
        return self._room.watched > 0 or self._room.listeners.feeds > 0

    async def _pass_on(self, news: Sequence[News] | None) -> None:
        """Pass on news of other processes; None: too many to read, so everything is dropped."""
        if news is None:
            self._access.forget_all()
            self._room.forget_all()
            self._room.listeners.wake()
            return
        for one in news:
            if one.topic in TOKENS:
                self._access.forget_player(one.stream)
                self._room.forget()  # imports: those of an erased player are deleted
            self._room.hear(one.stream, one.version)
        if any(one.topic in _ENDS for one in news):
            self._room.listeners.end()
        if players := self._room.listeners.players:  # whom games waited for the inboxes know
            games = list({one.stream for one in news})
            self._room.listeners.hear(games, await inbox.waiting_pairs(self._store, games, players))

    async def open(self) -> None:
        """Take a number and the free slots; raises StoreUnavailable."""
        await self.leases.look()
        self._store.lease_to(self.leases.number)
        self._following.start()
        self.leases.start()

    async def close(self) -> None:
        """Hand the slots over."""
        await self._following.stop()
        await self.leases.close()
