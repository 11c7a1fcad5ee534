"""The card room: live games in memory, one lock per game, changed only after their events are committed."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from uuid import UUID, uuid4
from weakref import WeakValueDictionary

from domain.game_type import Illegal
from domain.play.aggregate import AnyRecord, Game
from domain.play.deciding import Step
from domain.play.endings import may_be_left, move_due_at
from service.event_store.errors import NotLeased, StaleVersion
from service.event_store.store import EventStore, count_tries
from service.event_store.writing.rows import Companion
from service.live import inbox
from service.live.replay import GameCache
from service.live.seats import NoSuchGame
from service.live.signatures import Signatures
from service.live.slots import Ownership, SoleOwner, slot_of
from service.live.snapshots import EVERY, ColdGames, Snapshots
from service.live.watchers import Listeners, Watchers
from service.outbox.events import EventWaiters, game_statements
from service.problems import Refused
from service.telemetry import tracing
from service.telemetry.metrics import LOOKUPS, count_opening, count_step

Decide = Callable[[Game], Step]
Accompany = Callable[[Step], Sequence[Companion]]
_KEEP_DEADLINE = "INSERT INTO deadlines (game, due) VALUES (%s, %s) ON CONFLICT (game) DO UPDATE SET due = excluded.due"
EndingCompanions = Callable[[Step], Awaitable[Sequence[Companion]]]


async def _no_ending_companions(step: Step) -> Sequence[Companion]:
    return ()


class Room:
    """Where games are played. Games are read from memory; unknown versions are read from the store and folded."""

    def __init__(self, store: EventStore, capacity: int, signatures: Signatures, owns: Ownership | None = None) -> None:
        self._store = store
        self._owns = SoleOwner() if owns is None else owns
        self._signatures = signatures
        self.games = GameCache(capacity)
        self.snapshots = Snapshots(store)
        self._cold = ColdGames(store, self.snapshots)
        self._acting = inbox.ActingCache()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.watchers = Watchers()
        self.listeners = Listeners()
        self.owners = EventWaiters(store.session)
        self.closing = False
        self.ending_companions: EndingCompanions = _no_ending_companions
        """Further statements to run with the end of a fixture's game."""

    @property
    def watched(self) -> int:
        """How many streams are open."""
        return len(self.watchers) + len(self.listeners) + len(self.owners)

    def close(self) -> None:
        """The process ends: wake all streams, so that they stop."""
        self.closing = True
        self.watchers.wake()
        self.listeners.wake()
        self.owners.wake()

    def wake(self, player: UUID) -> None:
        """Wake this player's streams, so that they check their access."""
        self.watchers.wake_player(player)
        self.listeners.wake_player(player)
        self.owners.wake_owner(player)

    def patience(self, seconds: float) -> float:
        """Seconds to wait for news; 0 once the process ends, because no stream is woken any more."""
        return 0.0 if self.closing else seconds

    async def game(self, game_id: UUID, with_undo: bool = False) -> Game:
        """The current game; raises Refused where there is none. `with_undo`: with the states that undo restores."""
        return await self._find(game_id, with_undo, self._owns.holds(game_id))

    async def game_to_change(self, game_id: UUID, *, of_service: bool = False) -> tuple[Game, int | None]:
        """The current game, whose lock is held, with the states that undo restores, and the slot to `record` with.

        Raises Refused where there is none. A game of another process raises NotLeased, unless `of_service` or that
        process cannot be reached: then only versions guard the change, and the owner hears of it.
        """
        slot, ours = None, self._owns.holds(game_id)
        if ours:
            slot = self._owns.slot(game_id)
        elif not (of_service or self._owns.is_cut_off(game_id)):
            raise NotLeased(slot_of(game_id))
        return await self._find(game_id, True, ours), slot

    async def _find(self, game_id: UUID, with_undo: bool, ours: bool) -> Game:
        """The game from memory, if no other process can have changed it since (`ours`), else from the store."""
        game = self.games.game(game_id)
        current = game is not None and ours and (game.importers is None or not self._owns.has_peers)
        if game is not None and current and not (with_undo and game.unread):
            LOOKUPS("game", "hit").inc()
            return game
        LOOKUPS("game", "miss").inc()
        forgotten = self.games.forgotten
        try:
            game = await self._cold.read(game_id, game, with_undo)
        except Refused:
            self.games.drop(game_id)
            raise
        newest = self.games.keep(game) if forgotten == self.games.forgotten else game
        return game if with_undo and newest.unread else newest

    async def query_missing_game(self) -> None:
        """Read a game that does not exist, so that a hidden one takes the time of a missing one."""
        with suppress(NoSuchGame):
            await self._cold.read(uuid4(), None, with_undo=False)

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
        imported = self.games.ids(lambda game: game.importers is not None)
        self.games.forget(imported if game_id is None else [game_id])

    def forget_all(self) -> None:
        """Forget all games, which may be outdated, and wake all watchers."""
        self.games.forget(self.games.ids(lambda game: True))
        self.watchers.wake()

    def forget_slots(self, slots: Collection[int]) -> None:
        """These slots are ours from now on: forget their games, which may be outdated."""
        self.games.forget(self.games.ids(lambda game: slot_of(game.id) in slots))

    async def reach(self, game_id: UUID, version: int) -> None:
        """Wait until memory has this version, which the store commits a moment earlier.

        A client that has heard of a step then gets no earlier one.
        """
        if self._is_behind(game_id, version):
            async with self.lock(game_id):
                if self._is_behind(game_id, version):
                    self.games.forget([game_id])

    def _is_behind(self, game_id: UUID, version: int) -> bool:
        game = self.games.game(game_id)
        return game is not None and game.version < version

    def hear(self, game_id: UUID, version: int) -> None:
        """Another process has recorded this version of the game."""
        game = self.games.game(game_id)
        if slot_of(game_id) in self._owns.held and (game is None or game.version < version):
            self.games.forget([game_id])
        self.watchers.tell(game_id, ())

    async def open(
        self, step: Step, companions: Sequence[Companion] = (), other_records: Sequence[AnyRecord] = ()
    ) -> Step:
        """Record a new game, with records of other streams, such as a fixture's."""
        await self._store.append((*step.records, *other_records), [*companions, *self._collect_companions(None, step)])
        count_opening(step)
        self.games.keep(step.game)
        self.listeners.tell(step.game)
        return step

    def lock(self, game_id: UUID) -> asyncio.Lock:
        """The game's lock in this process: a change holds it from `game_to_change` to `record`."""
        return self._locks.setdefault(game_id.int, asyncio.Lock())

    async def act(
        self, game_id: UUID, decide: Decide, accompany: Accompany = lambda step: (), *, of_service: bool = False
    ) -> Step:
        """Record what `decide` makes of the current game; raises Illegal, or Refused for an unknown game."""
        async with self.lock(game_id):
            for _ in count_tries():
                game, slot = await self.game_to_change(game_id, of_service=of_service)
                try:
                    with tracing.span("decide"):
                        step = decide(game)
                except (Illegal, Refused):
                    if await self.is_outdated(game):
                        continue
                    raise
                if await self.record(game, step, accompany(step), slot, of_service=of_service):
                    break
        return step

    async def is_outdated(self, game: Game) -> bool:
        """Whether the refused change was judged by an outdated game, which is then read again.

        A process that cannot reach this one plays its games, and every process may act for the service.
        """
        if not self._owns.has_peers or not await self._store.since(game.id, game.version):
            return False
        self.games.forget([game.id])
        return True

    async def record(
        self, game: Game, step: Step, companions: Sequence[Companion], slot: int | None, *, of_service: bool = False
    ) -> bool:
        """Record a step of this game with these statements, and notify watchers and listeners.

        False: another process was faster, or the lease turned out to be ours after all: read and judge again. Raises
        Illegal for a game that was played elsewhere, NotLeased, DuplicateCompanion or StoreUnavailable.
        """
        if game.importers is not None:
            raise Illegal("imported", "The game was played elsewhere and brought here: nobody changes it.")
        if not step.records:
            return True
        try:
            if game.opening.fixture is not None and game.status != step.game.status != "playing":
                companions = [*companions, *await self.ending_companions(step)]
            with tracing.span("append"):
                await self._store.append(step.records, [*companions, *self._collect_companions(game, step)], slot)
        except BaseException as error:
            self.games.drop(game.id)  # the step may be stored or not
            if isinstance(error, StaleVersion):
                return False
            if isinstance(error, NotLeased) and (await self._owns.recheck_owner(game.id) or of_service):
                return False
            raise
        self._tell(game, step)
        return True

    def _collect_companions(self, before: Game | None, step: Step) -> list[Companion]:
        """The statements to run with a step: inboxes, account events, deadline, signature, where it may change them."""
        game, companions = step.game, list[Companion]()
        begins = before is None or before.moves == 0
        changes: list[inbox.Change] = []
        if len(game.players) > 1:
            changes = inbox.changes(before, step, self._acting.find)
            companions += inbox.companions(changes)
        if changes or before is None or game.status != "playing":
            companions += game_statements(step.records, game, inbox.turns(changes))
        if game.opening.move_seconds is not None or begins or game.status != "playing":
            companions += _deadline_companions(before, step)
        if game.revealed:
            companions += self._signatures.companions(step)
        return companions

    def _tell(self, before: Game, step: Step) -> None:
        """Keep the game after a committed step, and notify its watchers and listeners."""
        game = step.game
        self.games.keep(game)
        if game.version // EVERY != before.version // EVERY or game.status != "playing":
            self.snapshots.note(before, step)
        if game.status == "finished":
            count_step(step)
        if self.watchers.of_games and game.id in self.watchers.of_games:
            self.watchers.tell(game.id, step.records)
        if game.revealed or self.listeners.of_players:
            self.listeners.tell(game)


def stale(game: Game) -> Refused:
    """The refusal of a change that was thought for another version of the game."""
    return Refused("stale_version", f"The game stands at version {game.version}.", version=game.version)


def _deadline_companions(before: Game | None, step: Step) -> list[Companion]:
    """The statement for the row of the deadline; none where it does not change."""
    game = step.game
    begins_or_ends = before is None or before.moves == 0 or game.status != "playing"  # a step may hold several moves
    if not step.records or (game.opening.move_seconds is None and not (may_be_left(game) and begins_or_ends)):
        return []
    if (limit := move_due_at(game)) is None:
        return [Companion("DELETE FROM deadlines WHERE game = %s", (game.id,))]
    return [Companion(_KEEP_DEADLINE, (game.id, limit))]
