"""The card room: live games in memory, one lock per game, changed only after their events are committed."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from uuid import UUID
from weakref import WeakValueDictionary

from msgspec.structs import replace

from domain.game.aggregate import AnyRecord, Game, fold
from domain.game.events import Opened
from domain.game.play import Step
from domain.game_type import Illegal
from service import deadlines, inbox
from service.event_store.errors import StaleVersion
from service.event_store.rows import Companion
from service.event_store.store import EventStore
from service.listeners import Listeners
from service.problems import Refused
from service.signing import Signatures

Decide = Callable[[Game], Step]
Accompany = Callable[[Step], Sequence[Companion]]
_TRIES = 3
_UNHEARD = 256
"""Steps that wait for a slow watcher; one that is further behind fetches what it missed."""


def _alone(step: Step) -> Sequence[Companion]:
    return ()


class Room:
    """Where games are played. Reads come from memory; a version that is not known is fetched and folded."""

    def __init__(self, store: EventStore, capacity: int, signatures: Signatures) -> None:
        self._store = store
        self._signatures = signatures
        self._capacity = capacity
        self._games: OrderedDict[UUID, Game] = OrderedDict()
        self._weight = 0
        self._forgotten = 0
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self._watchers: dict[UUID, set[asyncio.Queue[tuple[AnyRecord, ...]]]] = {}
        self.listeners = Listeners()
        self.closing = False

    @property
    def cached(self) -> int:
        """How many games are in memory."""
        return len(self._games)

    @property
    def watched(self) -> int:
        """How many streams are open."""
        return sum(map(len, self._watchers.values())) + len(self.listeners)

    def close(self) -> None:
        """The process ends: whoever watches is woken, to break off."""
        self.closing = True
        for watcher in [watcher for watchers in self._watchers.values() for watcher in watchers]:
            _tell(watcher, ())
        self.listeners.wake()

    async def game(self, game_id: UUID) -> Game:
        """The game as it stands; raises Refused where there is none."""
        if (game := self._games.get(game_id)) is not None:
            self._games.move_to_end(game_id)
            return game
        forgotten = self._forgotten
        records, importers = await self._store.found(game_id)
        if not records or not isinstance(records[0].event, Opened):
            raise Refused("no_such_thing", "There is no such game, or you may not see it.")
        game = replace(fold(records), importers=importers)
        return self._keep(game) if forgotten == self._forgotten else game

    def forget(self, game_id: UUID | None = None) -> None:
        """An imported game has changed hands or is gone, or any may be: what is being read is not kept either."""
        self._forgotten += 1
        imported = [game.id for game in self._games.values() if game.importers is not None]
        for gone in imported if game_id is None else [game_id]:
            self._forget(gone)

    async def open(self, step: Step, companions: Sequence[Companion] = (), beside: Sequence[AnyRecord] = ()) -> Step:
        """A new game, recorded, with the records `beside` it of what it was opened for."""
        await self._store.append((*step.records, *beside), [*companions, *self._kept(None, step)])
        self._keep(step.game)
        self.listeners.tell(step.game)
        return step

    async def act(
        self, game_id: UUID, decide: Decide, expected: int | None = None, accompany: Accompany = _alone
    ) -> Step:
        """Decide against the game as it stands and record the step; raises Illegal, Refused (stale, unknown).

        Without `expected` a game that moved on meanwhile is fetched and the command judged afresh.
        """
        async with self._lock(game_id):
            for _ in range(_TRIES):
                game = await self.game(game_id)
                _fresh(game, expected)
                step = decide(game)
                _own(game)
                try:
                    return await self._commit(step, [*accompany(step), *self._kept(game, step)])
                except StaleVersion:
                    continue
        raise Refused("stale_version", "Others were faster, again and again.")

    def _kept(self, before: Game | None, step: Step) -> Sequence[Companion]:
        """What is kept in the transaction of every step: inboxes, deadlines, the signature of a game that is over."""
        return (*inbox.kept(before, step), *deadlines.kept(step), *self._signatures.kept(step))

    async def _commit(self, step: Step, companions: Sequence[Companion]) -> Step:
        if step.records:
            await self._append(step, companions)
            self._keep(step.game)
            for watcher in self._watchers.get(step.game.id, ()):
                _tell(watcher, step.records)
            self.listeners.tell(step.game)
        return step

    async def _append(self, step: Step, companions: Sequence[Companion]) -> None:
        """After a failure the step may be stored or not: the game is fetched anew by whoever asks next."""
        try:
            await self._store.append(step.records, companions)
        except BaseException:
            self._forget(step.game.id)
            raise

    def _keep(self, game: Game) -> Game:
        """The newest version known stays: one that was fetched meanwhile may be older."""
        known = self._games.get(game.id)
        if known is not None and known.version > game.version:
            game = known
        self._forget(game.id)
        self._games[game.id] = game
        self._weight += _weight(game)
        while self._weight > self._capacity and len(self._games) > 1:
            self._forget(next(iter(self._games)))
        return game

    def _forget(self, game_id: UUID) -> None:
        if (game := self._games.pop(game_id, None)) is not None:
            self._weight -= _weight(game)

    def _lock(self, game_id: UUID) -> asyncio.Lock:
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock

    @asynccontextmanager
    async def watch(self, game_id: UUID) -> AsyncIterator["asyncio.Queue[tuple[AnyRecord, ...]]"]:
        """A queue that receives the records of every step committed from now on."""
        queue: asyncio.Queue[tuple[AnyRecord, ...]] = asyncio.Queue(_UNHEARD)
        self._watchers.setdefault(game_id, set()).add(queue)
        try:
            yield queue
        finally:
            watchers = self._watchers[game_id]
            watchers.discard(queue)
            if not watchers:
                del self._watchers[game_id]


def _weight(game: Game) -> int:
    """What a game takes up: undo keeps a state for every step, some fifteen kilobytes for fifty of them."""
    return 1 + (game.moves // 50 if game.past is not None else 0)


def _tell(watcher: "asyncio.Queue[tuple[AnyRecord, ...]]", records: tuple[AnyRecord, ...]) -> None:
    while watcher.full():
        watcher.get_nowait()
    watcher.put_nowait(records)


def _own(game: Game) -> None:
    if game.importers is not None:
        raise Illegal("imported", "The game was played elsewhere and brought here: nobody changes it.")


def _fresh(game: Game, expected: int | None) -> None:
    if expected is not None and expected != game.version:
        raise Refused("stale_version", f"The game stands at version {game.version}.", version=game.version)
