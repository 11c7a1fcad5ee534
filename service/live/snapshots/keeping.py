"""Keeping snapshots, beside the commands and never in their way: of a game at every 16th version and at its end."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

import structlog

from domain.play import snapshot
from domain.play.aggregate import Game
from domain.play.deciding import Step
from service.event_store.errors import StoreUnavailable
from service.event_store.store import EventStore
from service.live.snapshots import forms
from service.live.snapshots.reading import game_of
from service.telemetry.background import start_task

EVERY = 16
"""Versions: half of them are folded at a cold look, some 70 microseconds; one is written for some 8 commands."""
_PATIENCE = 3.0  # seconds for the last ones, when the process ends
_PAUSE = 5.0  # seconds in which the snapshots of a game become one
_AT_ONCE = 5
"""In one statement: whoever gives a command meanwhile waits for their making, a fraction of a millisecond."""
_KEEP = """
WITH kept AS (
    INSERT INTO snapshots (game, version, form, body)
    SELECT * FROM unnest(%s::uuid[], %s::int[], %s::text[], %s::bytea[])
    ON CONFLICT (game) DO UPDATE SET version = excluded.version, form = excluded.form, body = excluded.body
    WHERE snapshots.version < excluded.version OR snapshots.form <> excluded.form
    RETURNING 1
)
SELECT count(*) FROM kept
"""
_log = structlog.get_logger("snapshots")


class Snapshots:
    """The snapshots of one process's games: noted when due, written some seconds later, read when a game is cold.

    One that is lost, with the process or the database, costs a longer fold.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._due: dict[UUID, Game] = {}
        self._task: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()

    async def game(self, game_id: UUID) -> Game | None:
        """The game as it stands, which may be short of what undo restores; None where it must be read otherwise."""
        return await self._store.answered(game_of(game_id, self._store.codec))

    def note(self, before: Game | None, step: Step) -> None:
        """After this step, a snapshot may be due."""
        if snapshot.due(before, step.records, EVERY):
            self._due[step.game.id] = step.game

    def start(self) -> None:
        """Write from now on."""
        self._task = start_task(self._kept, "snapshots")

    async def stop(self) -> None:
        """Write what is due, if the database answers soon, and no more."""
        self._ended.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=_PATIENCE)
            self._task.cancel()

    async def _kept(self) -> None:
        last = False
        while not last:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), _PAUSE)
            last = self._ended.is_set()  # what falls due while these are written has a turn of its own
            try:
                await self.keep()
            except Exception:  # noqa: BLE001  the next ones are kept, whatever one of them has met
                _log.exception("snapshots not kept")

    async def keep(self) -> None:
        """Write what is due now."""
        due, self._due = list(self._due.values()), {}
        try:
            for first in range(0, len(due), _AT_ONCE):
                await self._store.query(_KEEP, self._columns(due[first : first + _AT_ONCE]))
        except StoreUnavailable as error:
            _log.info("snapshots not kept", games=len(due), error=str(error))

    def _columns(self, games: Sequence[Game]) -> tuple[list[object], ...]:
        """Game, version, form and body of each."""
        taken = [(game, found) for game in games if (found := snapshot.of(game)) is not None]
        rows = [
            (game.id, found.version, forms.form_of(game.type.key, game.type.revision), found) for game, found in taken
        ]
        bodies: list[object] = [forms.written(game, form, found, self._store.codec) for game, _, form, found in rows]
        return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows], bodies
