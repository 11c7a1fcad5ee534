"""One process among others: its leases, and the following of what the others do, begun and ended together."""

from service.accounts.access import Access
from service.cluster.following import Following
from service.cluster.leases import Leases
from service.cluster.news import Hearers
from service.event_store.store import EventStore
from service.live.room import Room


class Company:
    """The processes of one database as this one lives among them."""

    def __init__(self, leases: Leases, store: EventStore, room: Room, access: Access) -> None:
        hearers = Hearers(store, room, access)
        access.wake = room.wake
        self.leases = leases
        self._store = store
        self._following = Following(store, hearers.told, hearers.waiting, access.forget_player, lambda: leases.held)
        leases.gained, leases.looked = room.gained, self._following.looked

    async def open(self) -> None:
        """Take a number and the games that nobody has; raises StoreUnavailable."""
        await self.leases.open()
        self._store.lease_to(self.leases.number)
        self._following.start()
        self.leases.start()

    async def close(self) -> None:
        """Hand the games over."""
        await self._following.stop()
        await self.leases.close()
