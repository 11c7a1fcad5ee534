"""`python -m tests.benchmarks.levels DEALS [GAME ...]`: the quarters of search effort on so many seeded deals.

Each game type with its default options; the quarters are of the deals that can be won.
"""

import sys
from statistics import quantiles

from domain.capabilities import OptionRules
from domain.games import GAME_TYPES
from service.solving import SOLVERS, seeded, verdict


def main(deals: int, keys: list[str]) -> None:
    """Print a row for each game type: deals, those won, and the positions that a quarter, half, three quarters took."""
    for key in keys or sorted(SOLVERS):
        kind = GAME_TYPES[key]
        options = kind.get(OptionRules).settle(kind.options(), 1)
        found = [verdict(key, options, seeded(kind, options, seed.to_bytes(32, "big"))) for seed in range(deals)]
        won = [one.positions for one in found if one.verdict == "won"]
        quarters = [round(one) for one in quantiles(won, n=4)] if len(won) > 1 else []
        print(f"| {key} | {deals} | {len(won)} | {' | '.join(f'{one:,}' for one in quarters)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
