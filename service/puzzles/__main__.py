"""The process that looks through one game, started by the miner: `python -m service.puzzles`; a line for a puzzle."""

import os
import time
from typing import Any

import msgspec

from domain.play.aggregate import fold
from service import solving
from service.analysis.history import history_of
from service.analysis.questions import has_solver
from service.live.heavy import stored
from service.puzzles.miner import SECONDS, Line, Task
from service.puzzles.mining import BOUND, MEMORY, may_be_mined, mine
from service.workers.searching import take_task, write_line


def main() -> None:
    """Look through the game until the time is up, and end."""
    task: Task = take_task()
    stored.prepare(task.conninfo, task.settings)
    records = [record for step in stored.replay_of(task.ref).steps for record in step]
    game = fold(records)
    player = game.players[0]
    fits = has_solver(game.type) and game.type.key not in task.full and player is not None
    if fits and player is not None and may_be_mined(game, contests_due=task.contests_due):
        until = time.process_time() + SECONDS

        def judge(state: Any) -> solving.Finding:
            """What is found within the bounds; once the time is up everything is open."""
            if time.process_time() > until:
                return solving.Finding("open", (), 0)
            return solving.verdict(game.type.key, game.options, state, BOUND, MEMORY)

        for puzzle in mine(history_of(records), task.last, judge):
            said = tuple(tuple(map(msgspec.to_builtins, commands)) for commands in puzzle.line)
            write_line(Line(player, game.type.key, puzzle.step, puzzle.themes, said))
    os._exit(0)


if __name__ == "__main__":
    main()
