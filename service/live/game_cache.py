"""The games in memory: those that were played or looked at lately, each at the newest version known.

A cold game, one that is not in memory or may be old there, is read from the store.
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
    """Reads the cheapest that will do: what is new, a snapshot and what followed it, or all the records."""

    def __init__(self, store: EventStore, snapshots: Snapshots) -> None:
        self._store, self._snapshots = store, snapshots

    async def game(self, game_id: UUID, known: Game | None, whole: bool) -> Game:
        """The game, of which an older version may be `known`; raises NoSuchGame where there is none.

        `whole`: with the states that undo restores, which no snapshot has.
        """
        if known is not None and ((whole and known.unread) or known.importers is not None):
            known = None
        found = await self._moved_on(known) if known is not None else None
        if found is None and not whole:
            found = await self._snapshots.game(game_id)
        try:
            return await self._read(game_id) if found is None else found
        except NoSuchGame:
            if whole:  # a missing game costs the same questions, whoever looks for it (see unseen)
                await self._snapshots.game(game_id)
            raise

    async def _moved_on(self, known: Game) -> Game | None:
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
    """So many games, counting a long one with undo for several; the one left alone longest is forgotten first.

    `forgotten` counts the times that what was known was taken for old: what was being read then is not kept either.
    """

    def __init__(self, capacity: int) -> None:
        self._games: LRUCache[UUID, Game] = LRUCache(capacity, _weight)
        self.forgotten = 0

    def __len__(self) -> int:
        return len(self._games)

    def get(self, game_id: UUID) -> Game | None:
        """The game, if it is in memory; it is not the next to be forgotten."""
        return self._games.get(game_id)

    def keep(self, game: Game) -> Game:
        """The newest version known stays: one that was fetched meanwhile may be older."""
        known = self._games.get(game.id)
        if known is not None and known.version > game.version:
            return known
        with suppress(ValueError):  # one game alone may be more than all are to be
            self._games[game.id] = game
        return game

    def drop(self, game_id: UUID) -> None:
        """Without this game; what is being read of it is kept all the same."""
        self._games.pop(game_id, None)

    def forget(self, games: Iterable[UUID]) -> None:
        """What is known of these may be old."""
        self.forgotten += 1
        for game_id in games:
            self.drop(game_id)

    def which(self, wanted: Callable[[Game], bool]) -> list[UUID]:
        """The games in memory of which this is true."""
        return [game.id for game in self._games.values() if wanted(game)]


def _weight(game: Game) -> int:
    """What a game takes up: undo keeps a state for every step, some fifteen kilobytes for fifty of them."""
    return 1 + (game.moves // 50 if game.past is not None else 0)
