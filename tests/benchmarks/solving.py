"""`python -m tests.benchmarks.solving DEALS [GAME ...]`: how many of so many seeded deals are decided, and how fast.

`python -m tests.benchmarks.solving levels DEALS [GAME ...]`: with default options, the quarters of the positions that
those which can be won took.
"""

import sys
import time
from statistics import quantiles
from typing import NamedTuple

from service.solving import SOLVERS, Finding, verdict
from tests.solving.deals import deal

ROWS: tuple[tuple[str, dict[str, object]], ...] = (
    ("golf", {}), ("golf", {"wrap": True}), ("black_hole", {}), ("pyramid", {}), ("pyramid", {"draw": 3}),
    ("pyramid", {"passes": 3}), ("pyramid", {"passes": 3, "stock_top": True}), ("pyramid", {"clear_all": True}),
    ("pyramid", {"waste_pairs": True}), ("freecell", {}), ("seahaven_towers", {}), ("klondike", {}),
    ("klondike", {"draw": 3}), ("klondike", {"passes": 1}), ("canfield", {}), ("canfield", {"draw": 3}),
    ("canfield", {"draw": 3, "whole_column_only": True}), ("spider", {"suits": 1}), ("spider", {"suits": 2}),
    ("spider", {"suits": 4}), ("the_clock", {}),
)  # fmt: skip


class Told(NamedTuple):
    """A finding and the seconds of processor that it took."""

    finding: Finding
    seconds: float


def main(deals: int, keys: list[str]) -> None:
    """Print a row of RESULTS.md for each game and options; the code is compiled before the clock runs."""
    print("| Game type | Deals | Won | Impossible | Open | Median s | 95 % s | Worst s | Positions/s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for key, options in ROWS:
        if not keys or key in keys:
            _ask(key, options, 0, 100)
            told = [_ask(key, options, seed) for seed in range(deals)]
            verdicts, seconds = [each.finding.verdict for each in told], sorted(each.seconds for each in told)
            shares = [f"{100 * verdicts.count(kind) / len(told):.1f} %" for kind in ("won", "impossible", "open")]
            times = [f"{seconds[int(part * (len(told) - 1))]:.2f}" for part in (0.5, 0.95, 1)]
            rate = sum(each.finding.positions for each in told) / max(sum(seconds), 1e-9)
            said = ", ".join([key, *(f"`{name}` {value}" for name, value in options.items())])
            print(f"| {' | '.join([said, str(len(told)), *shares, *times, f'{rate:,.0f}'])} |", flush=True)


def print_levels(deals: int, keys: list[str]) -> None:
    """Print a row for each game type: deals, those won, and the positions that a quarter, half, three quarters took."""
    for key in keys or sorted(SOLVERS):
        found = [_ask(key, {}, seed).finding for seed in range(deals)]
        won = [one.positions for one in found if one.verdict == "won"]
        quarters = [round(one) for one in quantiles(won, n=4)] if len(won) > 1 else []
        print(f"| {key} | {deals} | {len(won)} | {' | '.join(f'{one:,}' for one in quarters)} |", flush=True)


def _ask(key: str, options: dict[str, object], seed: int, bound: int | None = None) -> Told:
    state = deal(key, seed, **options)
    start = time.process_time()
    finding = verdict(key, state.options, state, bound)
    return Told(finding, time.process_time() - start)


if __name__ == "__main__":
    of, what = (print_levels, sys.argv[2:]) if sys.argv[1] == "levels" else (main, sys.argv[1:])
    of(int(what[0]), what[1:])
