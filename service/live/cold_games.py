"""Cold games: what is not in memory, or may be old there, as it stands in the store."""

from uuid import UUID

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
