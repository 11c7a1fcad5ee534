"""Mining: each analysed game is searched once for puzzles, by one worker, in a process of the lowest priority."""

import time
from collections.abc import Sequence
from typing import Any

import msgspec
import structlog
from psycopg import Connection

from domain.play.aggregate import fold
from service import solving
from service.analysis.history import has_solver, history_of
from service.jobs.process import write_note
from service.jobs.searching import Search, SearchThread
from service.jobs.stored_games import GameRef, prepare, records_of
from service.puzzles import collection
from service.puzzles.mining import BOUND, MEMORY, may_be_mined, mine
from service.settings import Settings

_LOCK = 0x70757A7A6C65  # "puzzle"
SECONDS = 20
"""Seconds of processor time for one game."""
_log = structlog.get_logger("puzzles")


def mine_stored(
    conninfo: str, settings: Settings, ref: GameRef, last: int, contests_due: bool, full: Sequence[str]
) -> None:  # fmt: skip
    """The job for one game: send its puzzles, as `collection.put` takes them. `full`: game types with enough."""
    prepare(conninfo, settings)
    records = records_of(ref)
    game = fold(records)
    player, key = game.players[0], game.type.key
    fits = has_solver(game.type) and key not in full and may_be_mined(game, contests_due=contests_due)
    if player is None or not fits:
        return
    until = time.process_time() + SECONDS

    def judge(state: Any) -> solving.Finding:
        """The finding within the bounds; once the time is up every position is open."""
        if time.process_time() > until:
            return solving.Finding("open", (), 0)
        return solving.verdict(key, game.options, state, BOUND, MEMORY)

    for puzzle in mine(history_of(records), last, judge):
        line = tuple(tuple(map(msgspec.to_builtins, commands)) for commands in puzzle.line)
        write_note((player, key, puzzle.step, puzzle.themes, line))


def mine_next(thread: SearchThread, connection: Connection[Any]) -> bool:
    """Search the game whose analysis was asked for first; False: all were searched."""
    if (game := collection.next_to_mine(connection)) is None:
        return False
    puzzles = 0 if game.last is None else _mine(thread, connection, game.ref, game.last)
    if not thread.is_stopping:
        collection.note_mined(connection, game.ref.game)
        _log.debug("mined", game=str(game.ref.game), puzzles=puzzles)
    return True


def _mine(thread: SearchThread, connection: Connection[Any], ref: GameRef, last: int) -> int:
    """Store the puzzles that a process finds; how many."""
    full = collection.full_types(connection, thread.settings.puzzles)
    args = thread.conninfo, thread.settings, ref, last, collection.are_contests_due(connection), full
    puzzles = 0
    for puzzle in thread.notes_of(connection, (mine_stored, args, {})):
        if puzzle is not None:
            collection.put(connection, ref.game, *puzzle)
            puzzles += 1
    return puzzles


# A quarter of one core at most, and that behind all else.
PUZZLES = Search(
    "puzzles", niceness=19, run=mine_next, poll=1.0, rest=3, lock=_LOCK, is_on=lambda settings: settings.puzzles
)
