"""The games in memory: those used last, each at the newest version known.

A cold game, which is not in memory or may be outdated there, is read from the store.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from uuid import UUID

from cachetools import LRUCache
from msgspec.structs import replace

from domain.play.aggregate import Game, fold
from domain.play.events import Opened
from domain.play.snapshot import restores_unread
from service.event_store.store import EventStore
from service.live.snapshots import Snapshots
from service.live.unseen import NoSuchGame


class ColdGames:
    """Reads a game in the cheapest way: new records only, a snapshot and later records, or all records."""

    def __init__(self, store: EventStore, snapshots: Snapshots) -> None:
        self._store, self._snapshots = store, snapshots

    async def game(self, game_id: UUID, known: Game | None, whole: bool) -> Game:
        """The game, from an older version if one is `known`; raises NoSuchGame where there is none.

        `whole`: with the states that undo restores, which no snapshot has.
        """
        if known is not None and ((whole and known.unread) or known.importers is not None):
            known = None
        found = await self._read_newer(known) if known is not None else None
        if found is None and not whole:
            found = await self._snapshots.game(game_id)
        try:
            return await self._read(game_id) if found is None else found
        except NoSuchGame:
            if whole:  # a missing game takes the same queries for everybody (see unseen)
                await self._snapshots.game(game_id)
            raise

    async def _read_newer(self, known: Game) -> Game | None:
        fresh = await self._store.since(known.id, known.version)
        if fresh is None or restores_unread(known, fresh):
            return None
        return fold(fresh, known) if fresh else known

    async def _read(self, game_id: UUID) -> Game:
        records, importers = await self._store.found(game_id)
        if not records or not isinstance(records[0].event, Opened):
            raise NoSuchGame(hidden=False)
        return replace(fold(records), importers=importers)


class GameCache:
    """An LRU cache of `capacity` games; a long one with undo counts for several.

    `forgotten` counts calls of `forget`: a game whose read began before one is not kept.
    """

    def __init__(self, capacity: int) -> None:
        self._games: LRUCache[UUID, Game] = LRUCache(capacity, _weight)
        self.forgotten = 0

    def __len__(self) -> int:
        return len(self._games)

    def get(self, game_id: UUID) -> Game | None:
        """The game, if it is in memory; marks it as used."""
        return self._games.get(game_id)

    def keep(self, game: Game) -> Game:
        """Keep this game, unless a newer version is known; the newest version."""
        known = self._games.get(game.id)
        if known is not None and known.version > game.version:
            return known
        with suppress(ValueError):  # one game alone may weigh more than the capacity
            self._games[game.id] = game
        return game

    def drop(self, game_id: UUID) -> None:
        """Drop this game; a read of it under way is still kept."""
        self._games.pop(game_id, None)

    def forget(self, games: Iterable[UUID]) -> None:
        """Drop these games, which may be outdated; reads under way are not kept."""
        self.forgotten += 1
        for game_id in games:
            self.drop(game_id)

    def which(self, wanted: Callable[[Game], bool]) -> list[UUID]:
        """The ids of the games in memory for which `wanted` is true."""
        return [game.id for game in self._games.values() if wanted(game)]


def _weight(game: Game) -> int:
    """A game's weight: undo keeps a state per step, some fifteen kilobytes for fifty."""
    return 1 + (game.moves // 50 if game.past is not None else 0)
