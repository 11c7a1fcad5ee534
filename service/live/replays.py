"""Replays: read from the store step by step, and kept with the games in memory."""

import asyncio
from collections.abc import Sequence
from itertools import groupby

from domain.play.aggregate import AnyRecord, Game
from service.event_store.store import EventStore
from service.live.game_cache import GameCache
from service.live.replay import Replay
from service.telemetry.metrics import LOOKUPS
from service.workers.reads import Replica, ReplicaStore

AT_ONCE = 8
"""Steps of a long game that are folded before other requests get a turn."""


class Replays:
    """The replays of games, kept in memory beside the games."""

    def __init__(self, store: EventStore, games: GameCache, replica: Replica | None = None) -> None:
        """Finished games are read from the replica, if there is one; others from the primary."""
        self._store, self._games, self._replica = store, games, replica
        self._turns = asyncio.Lock()

    async def of(self, game: Game) -> Replay:
        """The replay of this game, at least up to its version."""
        replay = self._games.replay(game)
        LOOKUPS["replay", "miss" if replay is None else "hit"] += 1
        replay = replay or Replay()
        if replay.version < game.version:
            await self._extend(replay, await self._records(game, replay.version))
            self._games.keep_replay(game, replay)
        return replay

    async def turn(self) -> None:
        """Yield to the event loop within a long game: only one long game goes on at a time."""
        async with self._turns:
            await asyncio.sleep(0)

    async def _extend(self, replay: Replay, records: Sequence[AnyRecord]) -> None:
        """Add what is new; another task may be adding the same."""
        for number, (_, step) in enumerate(groupby(records, key=lambda record: record.step), 1):
            if (whole := tuple(step))[0].version == replay.version + 1:
                replay.add(whole)
            if number % AT_ONCE == 0:
                await self.turn()

    async def _records(self, game: Game, after: int) -> list[AnyRecord]:
        """The records after this version, at least up to the game's own."""
        if self._replica is not None and self._replica.usable and game.status == "finished":
            found = await ReplicaStore(self._store, self._replica).records(game.id, after)
            if found and found[-1].version >= game.version:
                return found
        return await self._store.records(game.id, after)
