"""How many positions can be reached, and whole deals."""

import pytest

from domain.games.golf import GOLF, Draw, Options
from service.solving import verdict

from .positions import PUBLISHED, SOLUTION, after, dealt, play, random_deal


def solved(state, bound=2_000_000):
    return verdict("golf", state.options, state, bound)


def reached(state, depth):
    """The numbers of positions after 1, 2, ... commands that differ in columns, stock or the rank of the discard."""
    layer = {_key(state): state}
    for _ in range(depth):
        nexts = [after(one, command) for one in layer.values() for command in GOLF.legal_commands(one, 0)]
        layer = {_key(one): one for one in nexts}
        yield len(layer)


def _key(state):
    return state.columns, state.stock, state.discard[-1][0]


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        (Options(), [3, 4, 8, 19, 47, 101, 188, 318, 497, 734]),
        (Options(wrap=True), [3, 4, 8, 19, 47, 101, 190, 330, 535, 826]),
    ],
)
def test_the_positions_within_ten_commands_of_the_published_deal_are_counted(options, counts):
    assert list(reached(dealt(PUBLISHED, options), 10)) == counts


def test_the_published_solution_wins():
    commands = [Draw() if said == "D" else play(int(said)) for said in SOLUTION]
    assert GOLF.result(after(dealt(), *commands)).ending == "won"


def test_a_solver_wins_this_deal_through_the_game_types_own_commands():
    deal = random_deal(0)
    finding = solved(deal, bound=300_000)
    assert finding.verdict == "won"
    assert GOLF.result(after(deal, *finding.commands)).ending == "won"


def test_a_solver_finds_this_deal_impossible():
    assert solved(random_deal(25)).verdict == "impossible"
