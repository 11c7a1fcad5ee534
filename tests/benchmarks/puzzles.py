"""`python -m tests.benchmarks.puzzles GAMES [GAME ...]`: how many puzzles the finished games of each type have.

Each of so many seeded deals, if it can be won, is played on the solver's line, but every fifth move is drawn by lot,
until it is over or lost; then it is looked through as the worker does it, within the same bounds.
"""

import statistics
import sys
import time
from collections import Counter
from random import Random
from typing import Any

from domain.games import GAME_TYPES
from service.analysis.history import History, history_of
from service.puzzles.miner import SECONDS
from service.puzzles.mining import BOUND, MEMORY, mine
from service.solving import SOLVERS, Finding, verdict
from tests.analysis.planted import after, moves, opened, records

_MOST, _MISTAKES = 400, 0.2


def main(games: int, keys: list[str]) -> None:
    """Print a row for each game type."""
    print("| Game type | Games | With puzzles | Puzzles, by moves of the solution | Seconds, median |")
    print("|---|---|---|---|---|", flush=True)
    for key in keys or SOLVERS:
        told = [_look_through(*one) for seed in range(games) if (one := _played(key, f"yield {seed}"))]
        lengths = Counter(length for found, _ in told for length in found)
        by_moves = ", ".join(f"{many} of {length}" for length, many in sorted(lengths.items()))
        seconds = statistics.median([spent for _, spent in told] or [0.0])
        some = sum(bool(found) for found, _ in told)
        print(f"| {GAME_TYPES[key].name} | {len(told)} | {some} | {by_moves} | {seconds:.2f} |", flush=True)


def _played(key: str, seed: str) -> tuple[History, int] | None:
    """The game up to its end or its loss, and its last step that can be won; None: the solver does not win the deal."""
    game, said, lots, last = opened(key, seed), list[Any](), Random(seed), 0
    line = _ask(key, game.state).commands
    while game.status == "playing" and line and len(said) < _MOST:
        last = game.step
        command = line[0] if lots.random() > _MISTAKES else lots.choice(moves(game))
        line = line[1:] if command == line[0] else ()
        game = after(game, command)
        said.append(command)
        line = line or _ask(key, game.state).commands
    return (history_of(records(key, seed, said)), last) if said else None


def _look_through(history: History, last: int) -> tuple[list[int], float]:
    """The moves of each puzzle's solution, and the seconds of processor that it took, as a worker takes them."""
    key, began = history.game.type.key, time.process_time()

    def judge(state: Any) -> Finding:
        return _ask(key, state) if time.process_time() < began + SECONDS else Finding("open", (), 0)

    return [len(puzzle.line) for puzzle in mine(history, last, judge)], time.process_time() - began


def _ask(key: str, state: Any) -> Finding:
    return verdict(key, state.options, state, BOUND, MEMORY)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
