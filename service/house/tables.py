"""The house's bots at their tables: one task for each game that waits for one, woken by the game's own stream.

The inbox holds the games that wait for the house, so a process that starts, or takes a game over, goes on with them.
"""

import asyncio
from contextlib import suppress
from functools import partial
from uuid import UUID

import msgspec
import structlog

from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step, play
from domain.view import Seat
from service.accounts.players import Accounts
from service.event_store.errors import StoreUnavailable
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.house.players import HOUSE, PLAYERS, Level
from service.house.thinking import Thinking
from service.live import inbox
from service.live.room import Room
from service.live.shapes import AnyPlayCommand
from service.live.watchers import Records
from service.problems import Refused
from service.telemetry.background import start_task

_WAITING = """
SELECT DISTINCT game FROM waiting WHERE player = ANY(%s) AND get_byte(uuid_send(game), 15) & 63 = ANY(%s)
"""
_SILENCE = 300.0
"""Seconds without news after which a bot leaves a table; it returns when the game waits for the house."""
_COURTESY = 1.5
"""Seconds that people have where they may act too: a program would always be the first to call."""
_TRIES = 3
"""Failures at a table after which the house resigns there, so that people do not wait."""
_PAUSE = 1.0
"""Seconds after a failure; after a resignation that failed, sixty times as long."""
_LOG = structlog.get_logger("house")


class HouseBots:
    """Searches every `seconds` for games of this process that wait for the house, in a task of the API process."""

    def __init__(
        self, store: EventStore, room: Room, accounts: Accounts, thinking: Thinking, seconds: float
    ) -> None:  # fmt: skip
        self._store, self._room, self._accounts = store, room, accounts
        self._thinking, self._seconds = thinking, seconds
        self._task: asyncio.Task[None] | None = None
        self._tables: dict[UUID, asyncio.Task[None]] = {}
        self._woken = asyncio.Event()

    def start(self) -> None:
        """Begin, in a task of the running loop."""
        self._task = start_task(self._run, "house")

    async def stop(self) -> None:
        """Leave the tables as they are; the next process goes on."""
        tasks = [task for task in (self._task, *self._tables.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._thinking.close()

    async def register(self, level: Level) -> None:
        """Register the players of this level, unless they are registered."""
        for player in PLAYERS[level]:
            await self._accounts.register_program(player.id, player.name)

    def wake(self) -> None:
        """Search at once: the house has taken a seat."""
        self._woken.set()

    async def _run(self) -> None:
        while True:
            with suppress(StoreUnavailable):
                for (game_id,) in await self._store.query(_WAITING, (list(HOUSE), list(self._room.slots()))):
                    if game_id not in self._tables:
                        self._tables[game_id] = task = start_task(partial(self._play, game_id), "house-table")
                        task.add_done_callback(lambda task, game_id=game_id: self._tables.pop(game_id))  # type: ignore[misc]
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), self._seconds)
            self._woken.clear()

    async def _play(self, game_id: UUID) -> None:
        """Play until the table is silent for long; where the store is away or another process has the game, return."""
        try:
            await Table(self._room, self._thinking, game_id).play()
        except (StoreUnavailable, Refused):
            await asyncio.sleep(self._seconds)
        except Exception:  # noqa: BLE001  the other tables go on
            _LOG.exception("the house cannot play on", game=str(game_id))
            await asyncio.sleep(60 * _PAUSE)


class Table:
    """The house's part in one game, with all its seats there."""

    def __init__(self, room: Room, thinking: Thinking, game_id: UUID) -> None:
        self._room, self._thinking, self._game_id = room, thinking, game_id
        self._failures = 0

    async def play(self) -> None:
        """Play to the end of the game, or until there is no news for long."""
        async with self._room.watchers.watch(self._game_id, None) as news:
            with suppress(TimeoutError):
                while True:
                    while not news.empty():  # the game that is read next includes it
                        news.get_nowait()
                    game = await self._room.game(self._game_id)
                    if game.status != "playing":
                        return
                    if not await self._take_turn(game, news):
                        await asyncio.wait_for(news.get(), _SILENCE)

    async def _take_turn(self, game: Game, news: "asyncio.Queue[Records]") -> bool:
        """Act at one seat of the house; False if no seat of the house has a command in this position."""
        acting = inbox.find_acting(game)
        ours = [(player, seat) for player, seat in acting if player in HOUSE]
        if ours and len(ours) < len(acting):
            with suppress(TimeoutError):
                await asyncio.wait_for(news.get(), _COURTESY)
                return True
        for player, seat in ours:
            if await self._act(game, player, seat):
                return True
        return False

    async def _act(self, game: Game, player: UUID, seat: Seat) -> bool:
        """Choose a command and record it; False if there is none. After some failures the seat resigns."""
        try:
            move = await self._thinking.choose(game, seat, HOUSE[player].level)
            if move is None:
                return False
            await self._record(game, msgspec.convert(move, AnyPlayCommand), player, seat)
            self._failures = 0
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001  people wait at this table
            self._failures += 1
            _LOG.exception("the house cannot move", game=str(game.id), seat=seat, failures=self._failures)
            if self._failures >= _TRIES:
                await self._record(game, ev.Resign(), player, seat)
            await asyncio.sleep(_PAUSE)
        return True

    async def _record(self, game: Game, command: msgspec.Struct, player: UUID, seat: Seat) -> None:
        """Record the command, unless the game has moved on meanwhile."""

        def decide(current: Game) -> Step:
            if current.version != game.version:
                return Step((), current)
            return play(current, command, Act(player, seat, now()))

        await self._room.act(game.id, decide)
