"""The card room: live games in memory, one lock per game, changed only after their events are committed."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from uuid import UUID, uuid4
from weakref import WeakValueDictionary

from domain.game_type import Illegal
from domain.play.aggregate import AnyRecord, Game
from domain.play.deciding import Step
from service.event_store.errors import NotLeased, StaleVersion
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.live import deadlines, inbox
from service.live.cold_games import ColdGames
from service.live.game_cache import Remembered
from service.live.listeners import Listeners
from service.live.signatures import Signatures
from service.live.slots import Alone, Owns, slot_of
from service.live.snapshots import Snapshots
from service.live.unseen import NoSuchGame
from service.live.watchers import Watchers
from service.problems import Refused
from service.telemetry import tracing
from service.telemetry.metrics import games
from service.telemetry.metrics.counts import LOOKUPS

Decide = Callable[[Game], Step]
Accompany = Callable[[Step], Sequence[Companion]]
_TRIES = 3


def _alone(step: Step) -> Sequence[Companion]:
    return ()


class Room:
    """Where games are played. Reads come from memory; a version that is not known is fetched and folded."""

    def __init__(self, store: EventStore, capacity: int, signatures: Signatures, owns: Owns | None = None) -> None:
        self._store = store
        self._owns = Alone() if owns is None else owns
        self._signatures = signatures
        self._games = Remembered(capacity)
        self.snapshots = Snapshots(store)
        self._cold = ColdGames(store, self.snapshots)
        self._waits = inbox.Lately()
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self.watchers = Watchers()
        self.listeners = Listeners()
        self.closing = False

    @property
    def cached(self) -> int:
        """How many games are in memory."""
        return len(self._games)

    @property
    def watched(self) -> int:
        """How many streams are open."""
        return len(self.watchers) + len(self.listeners)

    def close(self) -> None:
        """The process ends: whoever watches is woken, to break off."""
        self.closing = True
        self.watchers.wake()
        self.listeners.wake()

    def wake(self, player: UUID) -> None:
        """What this player follows looks again whether it may."""
        self.watchers.wake_player(player)
        self.listeners.wake_player(player)

    def patience(self, seconds: float) -> float:
        """Seconds to wait for news: none once the process ends, for nobody is woken after that."""
        return 0.0 if self.closing else seconds

    async def game(self, game_id: UUID, whole: bool = False) -> Game:
        """The game as it stands; raises Refused where there is none. `whole`: with the states that undo restores."""
        game = self._games.get(game_id)
        if game is not None and self._current(game) and not (whole and game.unread):
            self._games.used(game_id)
            LOOKUPS["game", "hit"] += 1
            return game
        LOOKUPS["game", "miss"] += 1
        forgotten = self._games.forgotten
        try:
            game = await self._cold.game(game_id, game, whole)
        except Refused:
            self._games.drop(game_id)
            raise
        kept = self._games.keep(game) if forgotten == self._games.forgotten else game
        return game if whole and kept.unread else kept

    async def search_in_vain(self) -> None:
        """Ask the store for a game that is not there, past the memory."""
        with suppress(NoSuchGame):
            await self._cold.game(uuid4(), None, whole=False)

    def _current(self, game: Game) -> bool:
        """Whether nobody else can have moved this game on unheard."""
        return self._owns.holds(game.id) and (game.importers is None or not self._owns.company)

    def new_id(self) -> UUID:
        """An id for a new game, which will be this process's own."""
        return self._owns.new_id()

    @property
    def signer(self) -> str | None:
        """The key that signs games now, by its name: a new game's opening tells it."""
        return self._signatures.signer

    def slots(self) -> Collection[int]:
        """The slots whose games are this process's own."""
        return self._owns.held

    def forget(self, game_id: UUID | None = None) -> None:
        """An imported game has changed hands or is gone, or any may be: what is being read is not kept either."""
        imported = self._games.which(lambda game: game.importers is not None)
        self._games.forget(imported if game_id is None else [game_id])

    def forget_all(self) -> None:
        """Whatever is in memory may have moved on: it is fetched anew, and whoever watches looks."""
        self._games.forget(self._games.which(lambda game: True))
        self.watchers.wake()

    def gained(self, slots: Collection[int]) -> None:
        """The games of these slots are ours from now on: what is known of them may be old, and is fetched anew."""
        self._games.forget(self._games.which(lambda game: slot_of(game.id) in slots))

    def hear(self, game_id: UUID, version: int) -> None:
        """Another process has recorded this version of the game."""
        known = self._games.get(game_id)
        if slot_of(game_id) in self._owns.held and (known is None or known.version < version):
            self._games.forget([game_id])
        self.watchers.tell(game_id, ())

    async def open(self, step: Step, companions: Sequence[Companion] = (), beside: Sequence[AnyRecord] = ()) -> Step:
        """A new game, recorded, with the records `beside` it of what it was opened for."""
        await self._store.append((*step.records, *beside), [*companions, *self._kept(None, step)])
        games.opened(step)
        self._games.keep(step.game)
        self.listeners.tell(step.game)
        return step

    async def act(
        self, game_id: UUID, decide: Decide, expected: int | None = None, accompany: Accompany = _alone,
        *, of_service: bool = False,
    ) -> Step:  # fmt: skip
        """Decide against the game as it stands and record the step; raises Illegal, Refused (stale, unknown).

        Without `expected` a game that moved on meanwhile is fetched and the command judged afresh. A game that belongs
        to another process is NotLeased, but not for an act `of_service`: versions alone guard that, and the owner hears
        of it.
        """
        async with self._lock(game_id):
            for _ in range(_TRIES):
                slot = self._lease(game_id, of_service)
                game = await self.game(game_id, whole=True)
                _fresh(game, expected)
                with tracing.span("decide"):
                    step = decide(game)
                _own(game)
                try:
                    return await self._commit(game, step, [*accompany(step), *self._kept(game, step)], slot)
                except StaleVersion:
                    continue
                except NotLeased:
                    if not await self._owns.regained(game_id) and not of_service:
                        raise
        raise Refused("stale_version", "Others were faster, again and again.")

    def _lease(self, game_id: UUID, of_service: bool) -> int | None:
        """The slot whose lease the append needs; raises NotLeased where the game is another process's to change."""
        if self._owns.holds(game_id):
            return self._owns.slot(game_id)
        if not of_service:
            raise NotLeased(slot_of(game_id))
        return None

    def _kept(self, before: Game | None, step: Step) -> Sequence[Companion]:
        """What is kept in the transaction of every step: inboxes, deadlines, the signature of a game that is over."""
        return (*inbox.kept(before, step, self._waits.awaited), *deadlines.kept(step), *self._signatures.kept(step))

    async def _commit(self, before: Game, step: Step, companions: Sequence[Companion], slot: int | None) -> Step:
        if step.records:
            with tracing.span("append"):
                await self._append(step, companions, slot)
            games.stepped(step)
            self._games.keep(step.game)
            self.snapshots.note(before, step)
            self.watchers.tell(step.game.id, step.records)
            self.listeners.tell(step.game)
        return step

    async def _append(self, step: Step, companions: Sequence[Companion], slot: int | None) -> None:
        """After a failure the step may be stored or not: the game is fetched anew by whoever asks next."""
        try:
            await self._store.append(step.records, companions, slot)
        except BaseException:
            self._games.drop(step.game.id)
            raise

    def _lock(self, game_id: UUID) -> asyncio.Lock:
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock


def _own(game: Game) -> None:
    if game.importers is not None:
        raise Illegal("imported", "The game was played elsewhere and brought here: nobody changes it.")


def _fresh(game: Game, expected: int | None) -> None:
    if expected is not None and expected != game.version:
        raise Refused("stale_version", f"The game stands at version {game.version}.", version=game.version)
