"""Players as answers show them, with their names; and a cache of the names that looks at games need."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from cachetools import LRUCache
from msgspec import Struct

from service.accounts import name_sealing
from service.event_store.store import EventStore

Names = Mapping[UUID, str | None]
_CACHED = 10_000


class Person(Struct, frozen=True):
    """A player and their name; None where they are erased."""

    id: UUID
    name: str | None


def person(player: UUID, names: Names) -> Person:
    return Person(player, names.get(player))


def person_if_any(player: UUID | None, names: Names) -> Person | None:
    """The player, or None where there is none, as at an empty seat."""
    return None if player is None else Person(player, names.get(player))


def people(players: Iterable[UUID], names: Names) -> tuple[Person, ...]:
    return tuple(person(player, names) for player in players)


class NameCache:
    """Names of recent players; a process forgets those that were renamed or erased, here or elsewhere."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._cached: LRUCache[UUID, str | None] = LRUCache(_CACHED)
        self._changes = 0

    async def of(self, players: Iterable[UUID | None]) -> Names:
        """The names of these players, in their order; None for who is erased."""
        found: dict[UUID, str | None] = {}
        missing: list[UUID] = []
        for player in players:
            if player is not None and player not in found:
                found[player] = name = self._cached.get(player, "")
                if name == "":
                    missing.append(player)
        if missing:
            found.update(await self._read(missing))
        return found

    async def _read(self, players: list[UUID]) -> dict[UUID, str | None]:
        """Names from the database; what is read while one changes is not cached."""
        before = self._changes
        known = name_sealing.names_of(await self._store.query(name_sealing.NAMES, (players,)))
        read = {player: known.get(player) for player in players}
        if before == self._changes:
            self._cached.update(read)
        return read

    def forget(self, player: UUID) -> None:
        """The player was renamed or erased, or may have been."""
        self._changes += 1
        self._cached.pop(player, None)

    def forget_all(self) -> None:
        """Changes by other processes may have been missed."""
        self._changes += 1
        self._cached.clear()
