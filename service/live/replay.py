"""Games in memory: the newest state, the replay once the steps are read, and the state that spectators see."""

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
from service.live.view_cache import ViewCache
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
        """Add these records, which make complete steps."""
        for _, step in groupby(records, key=lambda record: record.step):
            self.add(tuple(step))

    def add(self, step: tuple[AnyRecord, ...]) -> None:
        """Add this step."""
        self.steps.append(step)
        if self._waits and holds_deal(step):
            self._waits, self.dealt = False, len(self.steps) - 1
        if len(self.steps) % _STRIDE == 0:
            self._before.append(self.after(len(self.steps) - 1))

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
class _Entry:
    game: Game
    replay: Replay | None = None


class GameCache:
    """Games by id, the least recently read leave first. `capacity`: how many, short ones."""

    def __init__(self, capacity: int) -> None:
        self._entries: LRUCache[int, _Entry] = LRUCache(capacity, _weight)  # by the id's number: its hash is no call
        self.forgotten = 0
        """How often games were forgotten: a read under way may then be outdated, and must not be kept."""

    def __len__(self) -> int:
        return len(self._entries)

    def game(self, game_id: UUID) -> Game | None:
        """The cached game."""
        entry = self._entries.get(game_id.int)
        return None if entry is None else entry.game

    def keep(self, game: Game) -> Game:
        """Keep this game, unless a newer version is known; the newest version."""
        entry = self._entries.get(game.id.int) or _Entry(game)
        if entry.game.version <= game.version:
            entry.game = game
            self._weigh(entry)
        return entry.game

    def replay(self, game: Game) -> Replay | None:
        """The cached replay of this game; None if another record has been imported under its id since."""
        entry = self._entries.get(game.id.int)
        replay = None if entry is None else entry.replay
        return None if replay and game.importers is not None and replay.digest != game.digest else replay

    def keep_replay(self, game: Game, replay: Replay) -> None:
        """Keep this replay with its game, if the game is cached."""
        if (entry := self._entries.get(game.id.int)) is not None:
            entry.replay = replay
            self._weigh(entry)

    def drop(self, game_id: UUID) -> None:
        """Drop this game and its replay."""
        self._entries.pop(game_id.int, None)

    def forget(self, games: Iterable[UUID]) -> None:
        """Drop these games, and reads of them under way."""
        self.forgotten += 1
        for game_id in games:
            self.drop(game_id)

    def ids(self, choose: Callable[[Game], bool]) -> list[UUID]:
        """The ids of the chosen games."""
        return [entry.game.id for entry in self._entries.values() if choose(entry.game)]

    def _weigh(self, entry: _Entry) -> None:
        """Weigh a grown entry again; drop one that is heavier than the capacity, its replay first."""
        try:
            self._entries[entry.game.id.int] = entry
        except ValueError:
            entry.replay = None
            self.drop(entry.game.id)
            if _weight(entry) <= self._entries.maxsize:
                self._entries[entry.game.id.int] = entry


def _weight(entry: _Entry) -> int:
    """A weight in memory: one is some fifteen kilobytes, fifty states for undo or twenty steps of a replay."""
    undone = entry.game.moves // 50 if entry.game.past is not None else 0
    return 1 + undone + (1 + len(entry.replay.steps) // 20 if entry.replay is not None else 0)


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
        LOOKUPS("replay", "miss" if replay is None else "hit").inc()
        replay = replay or Replay()
        if replay.version < game.version:
            await self._extend(replay, await self._read_records(game, replay.version))
            self._games.keep_replay(game, replay)
        return replay

    async def turn(self) -> None:
        """Yield to the event loop within a long game: only one long game goes on at a time."""
        async with self._turns:
            await asyncio.sleep(0)

    async def _extend(self, replay: Replay, records: Sequence[AnyRecord]) -> None:
        """Add the new records; another task may be adding the same."""
        for number, (_, step) in enumerate(groupby(records, key=lambda record: record.step), 1):
            if (new_step := tuple(step))[0].version == replay.version + 1:
                replay.add(new_step)
            if number % AT_ONCE == 0:
                await self.turn()

    async def _read_records(self, game: Game, after: int) -> list[AnyRecord]:
        """The records after this version, at least up to the game's own."""
        if self._replica is not None and self._replica.usable and game.status == "finished":
            records = await ReplicaStore(self._store, self._replica).records(game.id, after)
            if records and records[-1].version >= game.version:
                return records
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


@dataclass(frozen=True)
class LiveParts:
    """Games as requests show them, in memory."""

    replays: Replays
    view_cache: ViewCache
