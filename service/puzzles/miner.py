"""Mining: a thread beside the worker, one analysed game at a time, in a process of the lowest priority, with rests."""

from functools import partial
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

import structlog
from msgspec import Struct
from psycopg import Connection

from service.event_store.reading import read_head
from service.live.heavy import GameRef
from service.puzzles import collection
from service.puzzles.themes import Theme
from service.settings import Settings
from service.workers.connected_thread import ConnectedThread
from service.workers.searching import read_lines, started

_LOCK = 0x70757A7A6C65  # "puzzle": an advisory lock: one worker mines
_LOOK = 1.0  # seconds between two looks for a game
SECONDS = 20
"""Seconds of processor time for one game."""
_REST = 3
"""Rests so many times as long as it worked: a quarter of one core at most, and that behind everything else."""
_log = structlog.get_logger("puzzles")


class Task(NamedTuple):
    """What the process is told. `full`: game types that have puzzles enough."""

    conninfo: str
    settings: Settings
    ref: GameRef
    last: int
    contests_due: bool
    full: tuple[str, ...]


class Line(Struct, frozen=True):
    """A puzzle that it has found; commands as in a record."""

    player: UUID
    game_type: str
    step: int
    themes: tuple[Theme, ...]
    line: tuple[tuple[dict[str, Any], ...], ...]


class Miner(ConnectedThread):
    """Looks once through each game that was analysed; what it found is kept."""

    def __init__(self, conninfo: str, settings: Settings) -> None:
        super().__init__(conninfo, "puzzles")
        self._settings = settings

    def start(self) -> None:
        """Run in a thread of this process; where no puzzles are kept there is none."""
        if self._settings.puzzles:
            super().start()

    def _work(self, connection: Connection[Any]) -> None:
        leads = self._lead(connection, _LOCK)
        while leads and not self._stopping.is_set():
            began = monotonic()
            if (game := collection.next_to_mine(connection)) is not None:
                found = 0 if game.last is None else self._mine(connection, game.ref, game.last)
                if not self._stopping.is_set():
                    collection.note_mined(connection, game.ref.game)
                    _log.debug("mined", game=str(game.ref.game), puzzles=found)
            self._stopping.wait(max(_LOOK, _REST * (monotonic() - began)))

    def _mine(self, connection: Connection[Any], ref: GameRef, last: int) -> int:
        """Keep what a process finds; how many puzzles."""
        full = collection.full_types(connection, self._settings.puzzles)
        due, found = collection.are_contests_due(connection), 0
        task = Task(self._conninfo, self._settings, ref, last, due, full)
        with started("service.puzzles", task, self._settings.search_niceness) as child:
            for line in read_lines(child, Line, partial(read_head, connection)):
                if line is not None:
                    collection.put(connection, ref.game, line.player, line.game_type, line.step, line.themes, line.line)
                    found += 1
                if self._stopping.is_set():
                    break
        return found
