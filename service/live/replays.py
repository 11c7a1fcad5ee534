"""Replays: frames of any range of steps, from cached records and the folded game at every 32nd step."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from uuid import UUID

from cachetools import LRUCache

from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.frames import Frame, frame_after, holds_deal
from domain.view import Viewer
from service.event_store.store import EventStore
from service.telemetry.metrics.counts import LOOKUPS
from service.workers.replica import Replica, ReplicaStore

_STRIDE = 32
AT_ONCE = 8
"""Steps of a long game that are folded before other requests get a turn."""


class Replay:
    """One game's steps, and the game before every 32nd of them. `dealt`: the step of the deal, or 0."""

    def __init__(self) -> None:
        self.steps: list[tuple[AnyRecord, ...]] = []
        self._before: list[Game | None] = [None]
        self.dealt = 0
        self._waits = True

    @property
    def version(self) -> int:
        return self.steps[-1][-1].version if self.steps else 0

    @property
    def digest(self) -> bytes:
        """The digest of the last record."""
        return self.steps[-1][-1].digest if self.steps else b""

    def extend(self, records: Iterable[AnyRecord]) -> None:
        """Add these records, which are whole steps."""
        for _, step in groupby(records, key=lambda record: record.step):
            self.add(tuple(step))

    def add(self, step: tuple[AnyRecord, ...]) -> None:
        """Add this step."""
        self.steps.append(step)
        self._note_deal()
        if len(self.steps) % _STRIDE == 0:
            self._before.append(self.after(len(self.steps) - 1))

    def _note_deal(self) -> None:
        if self._waits and holds_deal(self.steps[-1]):
            self._waits, self.dealt = False, len(self.steps) - 1

    def after(self, number: int) -> Game:
        """The game after this step."""
        since = number // _STRIDE * _STRIDE
        steps = self.steps[since : number + 1]
        return fold((record for step in steps for record in step), self._before[since // _STRIDE])

    def frames(self, first: int, last: int, viewer: Viewer) -> Iterator[Frame]:
        """The frames of steps `first` to `last`, both included, as this viewer saw them."""
        last = min(last, len(self.steps) - 1)
        if first > last:
            return
        mark = first // _STRIDE
        game = self._before[mark]
        for number in range(mark * _STRIDE, first):
            game = fold(self.steps[number], game)
        for number in range(first, last + 1):
            frame, game = frame_after(game, self.steps[number], viewer)
            yield frame


class Replays:
    """A cache of replays."""

    def __init__(self, store: EventStore, capacity: int = 200, replica: Replica | None = None) -> None:
        """Finished games are read from the replica, if there is one; others from the primary."""
        self._store, self._replica = store, replica
        self._replays: LRUCache[UUID, Replay] = LRUCache(capacity)
        self._turns = asyncio.Lock()

    def forget(self, game_id: UUID) -> None:
        """Drop the replay of a deleted game: its id may be imported again."""
        self._replays.pop(game_id, None)

    async def of(self, game: Game) -> Replay:
        """The replay of this game, at least up to its version."""
        replay = self._replays.get(game.id)
        LOOKUPS["replay", "miss" if replay is None else "hit"] += 1
        if replay is None or (game.importers is not None and replay.digest != game.digest):
            replay = Replay()  # another process may have imported another record under this id
        if replay.version < game.version:
            await self._extend(replay, await self._records(game, replay.version))
        self._replays[game.id] = replay
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
