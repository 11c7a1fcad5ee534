"""`python -m tests.benchmarks.agreeing DEALS [GAME ...]`: whether other people's solvers come to the same verdicts.

They know nothing of Kibitz: pyksolve (MIT, from PyPI: `pip install pyksolve`) for Klondike, and the program `fc-solve`
(of the Debian package freecell-solver-bin) for FreeCell and Seahaven Towers. Each is given the cards of seeded deals.
One that says won where we say impossible, or the other way round, is printed with its seed, and ends this with 1.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from domain.kit.cards import RANKS
from service.solving import Verdict, verdict
from tests.solving.deals import deal

BOUND = 200_000
"""Positions that the others may look at; with all of ours they would take hours."""
_ROWS: tuple[tuple[str, dict[str, object]], ...] = (
    ("klondike", {}), ("klondike", {"draw": 3}), ("freecell", {}), ("seahaven_towers", {}),
    ("seahaven_towers", {"any_card": True}),
)  # fmt: skip


def _pyksolve(state: Any) -> Verdict:
    """Of Klondike with any number of passes. It reads cards in dealing order: two digits for the rank, one the suit."""
    solver: Any = import_module("pyksolve.solver")  # only this benchmark needs it
    columns = state.columns
    dealt = [columns[column][row] for row in range(len(columns)) for column in range(row, len(columns))]
    cards = [f"{RANKS.index(card[0]) + 1:02}{'CDHS'.index(card[1]) + 1}" for card in (*dealt, *reversed(state.stock))]
    game = solver.Solitaire()
    if not game.load_solitaire("".join(cards)):
        raise ValueError("pyksolve does not take these cards")
    game.draw_count = state.options.draw
    game.reset_game(state.options.draw)
    assert game.get_pysol().splitlines()[1] == columns[0][0]
    found = game.solve_fast(max_closed_count=BOUND)
    if found in (solver.SolveResult.SolvedMinimal, solver.SolveResult.SolvedMayNotBeMinimal):
        return "won"
    return "impossible" if found is solver.SolveResult.Impossible else "open"


def _fc_solve(state: Any) -> Verdict:
    cells, kings = [card for card in state.cells if card is not None], getattr(state.options, "any_card", True) is False
    board = [f"FC: {' '.join(cells)}"] if cells else []
    board += [" ".join(column) for column in state.columns]
    rules = ("-g", f"{'seahaven_towers' if hasattr(state, 'towers') else 'freecell'}",
             "--empty-stacks-filled-by", "kings" if kings else "any")  # fmt: skip
    text = "\n".join(board) + "\n"
    if not kings and _run_fc_solve(text, *rules, "-l", "lg") == "won":  # quick; it puts any card into an empty column
        return "won"
    return _run_fc_solve(text, *rules, "-to", "01ABCDE")


def _run_fc_solve(board: str, *arguments: str) -> Verdict:
    said = subprocess.run(
        ["fc-solve", *arguments, "-mi", str(BOUND)], input=board, capture_output=True, text=True, check=True
    ).stdout
    if "This game is solveable" in said:
        return "won"
    seen = re.search(r"states checked is (\d+)", said)  # at its bound, too, it says that it could not solve the game
    return "impossible" if seen is not None and int(seen[1]) < BOUND else "open"


_OTHERS: dict[str, tuple[str, Callable[[Any], Verdict]]] = {
    "klondike": ("pyksolve", _pyksolve),
    "freecell": ("fc-solve", _fc_solve),
    "seahaven_towers": ("fc-solve", _fc_solve),
}


def main(deals: int, keys: Sequence[str]) -> int:
    """Print a row of RESULTS.md for each game and options; how many deals have two verdicts."""
    heads = ("Both won", "Both impossible", "Only we decide", "Only they decide", "Neither", "Opposite")
    print(f"| Game type | By | Deals | {' | '.join(heads)} |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    opposite = 0
    for key, options in _ROWS:
        if keys and key not in keys:
            continue
        name, find = _OTHERS[key]
        told = Counter[tuple[Verdict, Verdict]]()
        for seed in range(deals):
            state = deal(key, seed, **options)
            pair = verdict(key, state.options, state).verdict, find(state)
            told[pair] += 1
            if set(pair) == {"won", "impossible"}:
                print(f"{key} {options}, seed {seed}: {pair[0]}, and {name} says {pair[1]}", file=sys.stderr)
        opposite += _print_row(key, options, name, told)
    return int(opposite > 0)


def _print_row(key: str, options: dict[str, object], name: str, told: Counter[tuple[Verdict, Verdict]]) -> int:
    """How many deals have two verdicts."""
    we = sum(count for (ours, theirs), count in told.items() if ours != "open" and theirs == "open")
    they = sum(count for (ours, theirs), count in told.items() if ours == "open" and theirs != "open")
    opposite = told["won", "impossible"] + told["impossible", "won"]
    both = (told["won", "won"], told["impossible", "impossible"], we, they, told["open", "open"], opposite)
    game = ", ".join([key, *(f"`{option}` {value}" for option, value in options.items())])
    print(f"| {game} | {name} | {told.total()} | {' | '.join(map(str, both))} |", flush=True)
    return opposite


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
