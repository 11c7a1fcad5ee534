"""How many positions can be reached in so many commands from fixed deals.

The deals are those of shuffle 0 by `kibitz-shuffle-1`, its seed 32 times the same byte. The counts were confirmed by a
second program, written from the rules alone, which shares no code with this one.
"""

import pytest

from domain.chance import Chance
from domain.games.canfield import CANFIELD
from domain.games.canfield import Options2 as Options
from domain.games.canfield import State2 as State

from .positions import after


def reached(options: Options, seed: bytes, depths: list[int]) -> list[int]:
    """The number of different positions after so many commands, for each of these depths."""
    states: set[State] = {CANFIELD.evolve(CANFIELD.initial(options, 1), CANFIELD.deal(options, Chance(seed), 1)[0])}
    counts = []
    for _ in range(max(depths)):
        states = {after(state, command) for state in states for command in CANFIELD.legal_commands(state, 0)}
        counts.append(len(states))
    return [counts[depth - 1] for depth in depths]


@pytest.mark.parametrize(
    ("options", "byte", "counts"),
    [
        (Options(), 0, {10: 2, 20: 50, 34: 689}),
        (Options(), 1, {10: 4, 20: 82, 34: 1176}),
        (Options(draw=3), 0, {5: 2, 15: 20, 24: 122}),
        (Options(draw=3), 1, {5: 3, 15: 125, 24: 1874}),
        (Options(whole_column_only=True), 0, {10: 2, 20: 43, 34: 545}),
        (Options(whole_column_only=True), 1, {10: 4, 20: 82, 34: 1176}),
        (Options(foundation_return=True), 0, {10: 2, 20: 51, 34: 1442}),
        (Options(foundation_return=True), 1, {10: 4, 20: 84, 34: 1854}),
    ],
)
def test_as_many_positions_are_reached_as_a_second_program_counts(options, byte, counts):
    assert reached(options, bytes([byte]) * 32, list(counts)) == list(counts.values())
