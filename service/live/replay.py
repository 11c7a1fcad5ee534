"""Games in memory: each as it stands, its replay once its steps are read, and how it stood for who looks on later."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from cachetools import LRUCache

from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.frames import Frame, frame_after, holds_deal, shown_step
from domain.view import Viewer
from service.event_store.store import EventStore
from service.telemetry.metrics import LOOKUPS
from service.workers.reads import Replica, ReplicaStore

_STRIDE = 32


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


@dataclass(slots=True)
class _Kept:
    game: Game
    replay: Replay | None = None


class GameCache:
    """Games by id, the least recently read leave first. `capacity`: how many, short ones."""

    def __init__(self, capacity: int) -> None:
        self._kept: LRUCache[int, _Kept] = LRUCache(capacity, _weight)  # by the id's number: its hash is no call
        self.forgotten = 0
        """How often games were forgotten: what was read meanwhile may be outdated, and must not be kept."""

    def __len__(self) -> int:
        return len(self._kept)

    def game(self, game_id: UUID) -> Game | None:
        """The game as it was kept last."""
        kept = self._kept.get(game_id.int)
        return None if kept is None else kept.game

    def keep(self, game: Game) -> Game:
        """Keep this game, unless a newer version is known; the newest version."""
        kept = self._kept.get(game.id.int) or _Kept(game)
        if kept.game.version <= game.version:
            kept.game = game
            self._weigh(kept)
        return kept.game

    def replay(self, game: Game) -> Replay | None:
        """The replay that was kept with this game; another record may have been imported under its id since."""
        kept = self._kept.get(game.id.int)
        replay = None if kept is None else kept.replay
        return None if replay and game.importers is not None and replay.digest != game.digest else replay

    def keep_replay(self, game: Game, replay: Replay) -> None:
        """Keep this replay with its game, if that is kept."""
        if (kept := self._kept.get(game.id.int)) is not None:
            kept.replay = replay
            self._weigh(kept)

    def drop(self, game_id: UUID) -> None:
        """Drop this game and its replay."""
        self._kept.pop(game_id.int, None)

    def forget(self, games: Iterable[UUID]) -> None:
        """Drop these games, and whatever of them is being read now."""
        self.forgotten += 1
        for game_id in games:
            self.drop(game_id)

    def ids(self, choose: Callable[[Game], bool]) -> list[UUID]:
        """The ids of the games that are chosen."""
        return [kept.game.id for kept in self._kept.values() if choose(kept.game)]

    def _weigh(self, kept: _Kept) -> None:
        """What is kept has grown: what alone weighs more than the capacity leaves, a replay first."""
        try:
            self._kept[kept.game.id.int] = kept
        except ValueError:
            kept.replay = None
            self.drop(kept.game.id)
            if _weight(kept) <= self._kept.maxsize:
                self._kept[kept.game.id.int] = kept


def _weight(kept: _Kept) -> int:
    """A weight in memory: fifty states that undo keeps, or twenty steps of a replay, are some fifteen kilobytes."""
    undone = kept.game.moves // 50 if kept.game.past is not None else 0
    return 1 + undone + (1 + len(kept.replay.steps) // 20 if kept.replay is not None else 0)


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


async def shown_game(replays: Replays, game: Game, viewer: Viewer) -> Game:
    """The game as this viewer may see it: the one given, or an earlier state."""
    last = await last_step(replays, game, viewer)
    return game if last == game.step else (await replays.of(game)).after(last)


async def last_step(replays: Replays, game: Game, viewer: Viewer) -> int:
    """The last step that this viewer may see; the records are only read for a game with a delay."""
    if shown_step(game, 0, viewer) == game.step:
        return game.step
    return shown_step(game, (await replays.of(game)).dealt, viewer)


class DelayedFrames:
    """The frames of one stream that its viewer may not see yet."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._frames: deque[Frame] = deque()
        self._dealt: int | None = None

    def released_frames(self, frame: Frame, game: Game) -> Iterator[Frame]:
        """The frames that the viewer may now see, in order; `game` is the game after this frame's step."""
        self._frames.append(frame)
        if self._dealt is None and frame.view is not None:
            self._dealt = frame.step
        last = shown_step(game, self._dealt or 0, self._viewer)
        while self._frames and self._frames[0].step <= last:
            yield self._frames.popleft()
