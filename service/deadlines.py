"""Deadlines: games with a limit for each move, kept in the transaction of each step, and the clock that calls time.

The clock only says what time it is. Whether a seat has run out is judged from the recorded times (`domain/game/clock`),
under the game's lock: a move that was committed a moment before stands.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import UUID

import structlog

from domain.game.clock import due, time_out
from domain.game.play import Step
from domain.game_type import Illegal
from service.event_store.errors import StoreUnavailable
from service.event_store.rows import Companion
from service.event_store.store import EventStore
from service.ids import now
from service.problems import Refused

if TYPE_CHECKING:
    from service.room import Room

_KEEP = "INSERT INTO deadlines (game, due) VALUES (%s, %s) ON CONFLICT (game) DO UPDATE SET due = excluded.due"
_DUE = "SELECT game FROM deadlines WHERE due <= %s ORDER BY due LIMIT 100"
_LOG = structlog.get_logger(__name__)


def kept(step: Step) -> list[Companion]:
    """The statement that goes with a step of a game with a limit."""
    if not step.records or step.game.opening.move_seconds is None:
        return []
    limit = due(step.game)
    if limit is None:
        return [Companion("DELETE FROM deadlines WHERE game = %s", (step.game.id,))]
    return [Companion(_KEEP, (step.game.id, limit))]


class Clock:
    """Looks every so often for games whose next move is overdue; one task of the process that serves."""

    def __init__(self, store: EventStore, room: "Room", seconds: float) -> None:
        self._store = store
        self._room = room
        self._seconds = seconds
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, in a task of the running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="clock")

    async def stop(self) -> None:
        """End after the game in hand."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            with suppress(StoreUnavailable):
                await self.look()
            await asyncio.sleep(self._seconds)

    async def look(self) -> None:
        """Call time for every game that is overdue."""
        for (game_id,) in await self._store.query(_DUE, (now(),)):
            await self._call(game_id)

    async def _call(self, game_id: UUID) -> None:
        """A move that came in meanwhile has set the deadline anew: then there is nothing to call."""
        with suppress(Illegal, Refused):
            step = await self._room.act(game_id, lambda game: time_out(game, now()))
            _LOG.info("time is up", game=str(game_id), version=step.game.version)
