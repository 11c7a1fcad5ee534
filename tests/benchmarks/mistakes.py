"""`python -m tests.benchmarks.mistakes GAMES [GAME ...]`: whether the analysis finds a mistake that was planted.

A game of a seeded deal follows a line that wins up to some step; then comes a move after which a search has seen that
nothing wins, a few moves more, and a resignation. The analysis must name that very step wherever its verdicts come so
far. One that names another step is printed, and ends this with 1.

Canfield is played drawing three: drawing one, hardly any move loses. Spider is played with each number of suits.
"""

import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Literal

from domain.games import GAME_TYPES
from service.analysis.history import ask, history_of, next_question
from service.analysis.report import PatienceReport, report_patience
from service.solving import SOLVERS, Finding
from tests.analysis.planted import NoMistake, Planted, planted, records

Told = Literal["exact", "between", "wrong"]


_ROWS: tuple[tuple[str, dict[str, object]], ...] = (
    *((key, {}) for key in SOLVERS if key not in {"canfield", "spider"}), ("canfield", {"draw": 3}),
    ("spider", {"suits": 1}), ("spider", {"suits": 2}), ("spider", {"suits": 4}),
)  # fmt: skip


def main(games: int, keys: Sequence[str]) -> int:
    """Print a row of RESULTS.md for each game type; whether one was wrong."""
    print("| Game type | Games | Exact | Left open between two steps | Wrong | Verdicts, median | Seconds, median |")
    print("|---|---|---|---|---|---|---|", flush=True)
    wrong = 0
    for key, options in _ROWS:
        if keys and key not in keys:
            continue
        told, asked, seconds, seed = Counter[Told](), list[int](), list[float](), 0
        while told.total() < games and seed < 20 * games:
            seed += 1
            try:
                game = planted(key, f"mistake {seed}", Random(seed).randint(1, 60), **options)
            except NoMistake:
                continue
            began = time.process_time()
            found = _analyse(game)
            seconds.append(time.process_time() - began)
            asked.append(len(found.asked))
            told[_judge(game, found)] += 1
        wrong += told["wrong"]
        name = ", ".join([GAME_TYPES[key].name, *(f"`{option}` {value}" for option, value in options.items())])
        if not told.total():
            print(f"| {name} | 0 | | | | | |", flush=True)
            continue
        counts = " | ".join(str(told[one]) for one in ("exact", "between", "wrong"))
        medians = f"{statistics.median(asked):.0f} | {statistics.median(seconds):.2f}"
        print(f"| {name} | {told.total()} | {counts} | {medians} |", flush=True)
    return int(wrong > 0)


def _analyse(game: Planted) -> PatienceReport:
    history, findings = history_of(records(game.key, game.seed, game.commands, **game.options)), dict[int, Finding]()
    while (step := next_question(history, findings)) is not None:
        findings[step] = ask(history, step)
    return report_patience(history, findings)


def _judge(game: Planted, found: PatienceReport) -> Told:
    if found.lost_step == game.lost_step:
        return "exact"
    last, first = found.last_winnable_step, found.first_lost_step
    if found.outcome == "open" and (last or 0) < game.lost_step <= (first or game.lost_step):
        return "between"
    print(f"{game.key}, {game.seed}: step {game.lost_step}, told {found.outcome} {last} to {first}", file=sys.stderr)
    return "wrong"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
