"""Deadlines: when a game's next move is due, written with its steps, and the clock that calls time.

A game with a limit for each move has its row updated with every step. A rated game without one is lost after a day or
a fortnight without a move: its row is written with the first move only, and updated when the clock gets to it.

A game that cannot be judged (its sealing key is missing, its records are damaged) is tried again an hour later;
the others do not wait for it.

The clock only triggers the check. Whether a seat's time is over is judged from the recorded times
(`domain/play/endings`), under the game's lock: a move that was committed a moment before stands.
"""

import asyncio
from contextlib import suppress
from uuid import UUID

import structlog

from domain.game_type import Illegal
from domain.play.endings import move_due_at, time_out
from service.event_store.errors import StoreUnavailable
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.keys.sealing import SealingKeyMissing
from service.live.room import Room
from service.problems import Refused
from service.telemetry.background import start_task

_DUE = """
SELECT game FROM deadlines WHERE due <= %s AND get_byte(uuid_send(game), 15) & 63 = ANY(%s) ORDER BY due LIMIT 100
"""
_LATER = "UPDATE deadlines SET due = %s WHERE game = %s AND due <= %s"
_FORGET = "DELETE FROM deadlines WHERE game = %s AND due <= %s"
_HOUR = 3_600_000_000
"""Microseconds until a game that could not be judged is tried again."""
_LOG = structlog.get_logger("clock")


class Clock:
    """Looks every `seconds` for games whose next move is overdue, in a task of the API process."""

    def __init__(self, store: EventStore, room: Room, seconds: float) -> None:
        self._store = store
        self._room = room
        self._seconds = seconds
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, in a task of the running loop."""
        self._task = start_task(self._run, "clock")

    async def stop(self) -> None:
        """End after the current game."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            with suppress(StoreUnavailable):
                await self.call_overdue()
            await asyncio.sleep(self._seconds)

    async def call_overdue(self) -> None:
        """Call time for every game of ours that is overdue."""
        for (game_id,) in await self._store.query(_DUE, (now(), list(self._room.slots()))):
            try:
                await self._call(game_id)
            except StoreUnavailable:
                raise
            except SealingKeyMissing:
                await self._postpone(game_id)
            except Exception:  # noqa: BLE001  the other games must not wait for a broken one
                _LOG.exception("no time can be called", game=str(game_id))
                await self._postpone(game_id)

    async def _postpone(self, game_id: UUID) -> None:
        """Try the game in an hour, unless another process has judged it meanwhile."""
        at = now()
        await self._store.append([], [Companion(_LATER, (at + _HOUR, game_id, at))])

    async def _call(self, game_id: UUID) -> None:
        """Call time in one game. If a move came in meanwhile there is nothing to call: set the row to the new time."""
        try:
            step = await self._room.act(game_id, lambda game: time_out(game, now()), of_service=True)
            _LOG.info("time is up", game=str(game_id), version=step.game.version)
        except Illegal:
            await self._reschedule(game_id)
        except Refused:
            pass

    async def _reschedule(self, game_id: UUID) -> None:
        """Set the row to the next move's deadline; delete it for a game without a limit."""
        limit, at = move_due_at(await self._room.game(game_id)), now()
        if limit is None:
            await self._store.append([], [Companion(_FORGET, (game_id, at))])
        elif limit > at:
            await self._store.append([], [Companion(_LATER, (limit, game_id, at))])
