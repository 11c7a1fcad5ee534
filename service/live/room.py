"""The card room: live games in memory, one lock per game, changed only after their events are committed."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Self
from uuid import UUID, uuid4
from weakref import WeakValueDictionary

from domain.game_type import Illegal
from domain.play.aggregate import AnyRecord, Game
from domain.play.deciding import Step
from service.event_store.errors import NotLeased, StaleVersion
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.live import deadlines, inbox
from service.live.game_cache import ColdGames, GameCache
from service.live.listeners import Listeners
from service.live.signatures import Signatures
from service.live.slots import Ownership, SoleOwner, slot_of
from service.live.snapshots import Snapshots
from service.live.unseen import NoSuchGame
from service.live.watchers import Watchers
from service.problems import Refused
from service.telemetry import tracing
from service.telemetry.metrics.counts import LOOKUPS, count_opening, count_step

Decide = Callable[[Game], Step]
Accompany = Callable[[Step], Sequence[Companion]]
_TRIES = 3


def _no_companions(step: Step) -> Sequence[Companion]:
    return ()


class Room:
    """Where games are played. Games are read from memory; unknown versions are read from the store and folded."""

    def __init__(self, store: EventStore, capacity: int, signatures: Signatures, owns: Ownership | None = None) -> None:
        self._store = store
        self._owns = SoleOwner() if owns is None else owns
        self._signatures = signatures
        self._games = GameCache(capacity)
        self.snapshots = Snapshots(store)
        self._cold = ColdGames(store, self.snapshots)
        self._waits = inbox.ActingCache()
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
        """The process ends: wake all streams, so that they stop."""
        self.closing = True
        self.watchers.wake()
        self.listeners.wake()

    def wake(self, player: UUID) -> None:
        """Wake this player's streams, so that they check their access."""
        self.watchers.wake_player(player)
        self.listeners.wake_player(player)

    def patience(self, seconds: float) -> float:
        """Seconds to wait for news; none once the process ends, when nobody is woken any more."""
        return 0.0 if self.closing else seconds

    async def game(self, game_id: UUID, whole: bool = False) -> Game:
        """The current game; raises Refused where there is none. `whole`: with the states that undo restores."""
        game = self._games.get(game_id)
        if game is not None and self._is_current(game) and not (whole and game.unread):
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

    async def query_missing_game(self) -> None:
        """Query the store for a game that does not exist: takes as long as for a missing one."""
        with suppress(NoSuchGame):
            await self._cold.game(uuid4(), None, whole=False)

    def _is_current(self, game: Game) -> bool:
        """Whether the game in memory is current: no other process can have changed it."""
        return self._owns.holds(game.id) and (game.importers is None or not self._owns.company)

    def new_id(self) -> UUID:
        """An id for a new game in a slot of this process."""
        return self._owns.new_id()

    @property
    def signer(self) -> str | None:
        """The name of the key that signs games now, for a new game's opening."""
        return self._signatures.signer

    def slots(self) -> Collection[int]:
        """The slots whose games are this process's own."""
        return self._owns.held

    def forget(self, game_id: UUID | None = None) -> None:
        """Forget an imported game whose importers changed; None: all imported games."""
        imported = self._games.which(lambda game: game.importers is not None)
        self._games.forget(imported if game_id is None else [game_id])

    def forget_all(self) -> None:
        """Forget all games, which may be outdated, and wake all watchers."""
        self._games.forget(self._games.which(lambda game: True))
        self.watchers.wake()

    def gained(self, slots: Collection[int]) -> None:
        """These slots are ours from now on: forget their games, which may be outdated."""
        self._games.forget(self._games.which(lambda game: slot_of(game.id) in slots))

    def hear(self, game_id: UUID, version: int) -> None:
        """Another process has recorded this version of the game."""
        known = self._games.get(game_id)
        if slot_of(game_id) in self._owns.held and (known is None or known.version < version):
            self._games.forget([game_id])
        self.watchers.tell(game_id, ())

    async def open(self, step: Step, companions: Sequence[Companion] = (), beside: Sequence[AnyRecord] = ()) -> Step:
        """Record a new game, with records `beside` it of other streams, such as a fixture's."""
        await self._store.append((*step.records, *beside), [*companions, *self._step_companions(None, step)])
        count_opening(step)
        self._games.keep(step.game)
        self.listeners.tell(step.game)
        return step

    def turn(self, game_id: UUID, *, of_service: bool = False) -> "Turn":
        """A turn at the game, for an `async with` block: it holds the game's lock in this process.

        A game of another process raises NotLeased, unless `of_service`: then only versions guard the change, and
        the owner hears of it.
        """
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return Turn(self, game_id, lock, of_service)

    async def act(
        self, game_id: UUID, decide: Decide, accompany: Accompany = _no_companions, *, of_service: bool = False
    ) -> Step:
        """Record what `decide` makes of the current game; raises Illegal, or Refused for an unknown game."""
        async with self.turn(game_id, of_service=of_service) as turn:
            while True:
                game = await turn.game()
                with tracing.span("decide"):
                    step = decide(game)
                if await turn.record(step, accompany(step)):
                    return step

    def lease(self, game_id: UUID, of_service: bool) -> int | None:
        """The slot whose lease the append needs; raises NotLeased for a game of another process."""
        if self._owns.holds(game_id):
            return self._owns.slot(game_id)
        if not of_service:
            raise NotLeased(slot_of(game_id))
        return None

    async def recheck_owner(self, game_id: UUID) -> bool:
        """Look up the game's owner again: whether it is us."""
        return await self._owns.recheck_owner(game_id)

    def _step_companions(self, before: Game | None, step: Step) -> Sequence[Companion]:
        """The statements to run with every step: inboxes, deadlines, the signature of a finished game."""
        return (
            *inbox.companions(before, step, self._waits.awaited),
            *deadlines.companions(step),
            *self._signatures.kept(step),
        )

    async def commit(self, before: Game, step: Step, companions: Sequence[Companion], slot: int | None) -> None:
        """Record a step and tell watchers and listeners; raises StaleVersion, NotLeased, DuplicateCompanion."""
        with tracing.span("append"):
            await self._append(step, [*companions, *self._step_companions(before, step)], slot)
        count_step(step)
        self._games.keep(step.game)
        self.snapshots.note(before, step)
        self.watchers.tell(step.game.id, step.records)
        self.listeners.tell(step.game)

    async def _append(self, step: Step, companions: Sequence[Companion], slot: int | None) -> None:
        """Append; after a failure the step may be stored or not, so the game is dropped from memory."""
        try:
            await self._store.append(step.records, companions, slot)
        except BaseException:
            self._games.drop(step.game.id)
            raise


class Turn:
    """One turn at a game under its lock: read `game`, decide, `record`; again while `record` is False.

    Another process may be faster: then the game is read and judged again, a few times.
    """

    def __init__(self, room: Room, game_id: UUID, lock: asyncio.Lock, of_service: bool) -> None:
        self._room, self._id, self._lock, self._of_service = room, game_id, lock, of_service
        self._tries = 0

    async def __aenter__(self) -> Self:
        await self._lock.acquire()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()

    async def game(self) -> Game:
        """The current game; raises Refused if it is unknown, or others were faster too often."""
        if self._tries == _TRIES:
            raise Refused("stale_version", "Others were faster, again and again.")
        self._tries += 1
        self._slot = self._room.lease(self._id, self._of_service)
        self._game = await self._room.game(self._id, whole=True)
        return self._game

    async def record(self, step: Step, companions: Sequence[Companion] = ()) -> bool:
        """Whether the step is recorded with these statements beside it; False: somebody was faster, judge again.

        Raises Illegal for a game that was played elsewhere, NotLeased, DuplicateCompanion or StoreUnavailable.
        """
        if self._game.importers is not None:
            raise Illegal("imported", "The game was played elsewhere and brought here: nobody changes it.")
        if not step.records:
            return True
        try:
            await self._room.commit(self._game, step, companions, self._slot)
        except StaleVersion:
            return False
        except NotLeased:
            if not await self._room.recheck_owner(self._id) and not self._of_service:
                raise
            return False
        return True


def require_version(game: Game, expected: int | None) -> None:
    """Raises Refused if the command expects another version of the game than the current one."""
    if expected is not None and expected != game.version:
        raise Refused("stale_version", f"The game stands at version {game.version}.", version=game.version)
