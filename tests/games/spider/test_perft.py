"""How many positions can be reached in so many commands from fixed deals.

The deals are those of shuffle 0 by `kibitz-shuffle-1`, its seed 32 times the same byte. The counts were confirmed by a
second program, written from the rules alone, which shares no code with this one.
"""

import pytest

from domain.chance import Chance
from domain.games.spider import SPIDER, Options, State

from .positions import after

FOUR = Options()
TWO = Options(suits=2, extra_columns="1_4_7_10")
ONE = Options(suits=1)


def reached(options: Options, seed: bytes, depth: int) -> list[int]:
    """The number of different positions after 1, 2, ... commands."""
    states: set[State] = {SPIDER.evolve(SPIDER.initial(options, 1), SPIDER.deal(options, Chance(seed), 1)[0])}
    counts = []
    for _ in range(depth):
        states = {after(state, command) for state in states for command in SPIDER.legal_commands(state, 0)}
        counts.append(len(states))
    return counts


@pytest.mark.parametrize(
    ("options", "byte", "counts"),
    [
        (FOUR, 0, [3, 11, 56, 301, 1493]),
        (FOUR, 1, [8, 44, 231, 1129]),
        (TWO, 0, [3, 11, 56, 295, 1456]),
        (TWO, 1, [8, 44, 226, 1061]),
        (ONE, 0, [3, 11, 56, 289, 1417]),
        (ONE, 1, [8, 44, 232, 1124]),
    ],
)
def test_as_many_positions_are_reached_as_a_second_program_counts(options, byte, counts):
    assert reached(options, bytes([byte]) * 32, len(counts)) == counts
