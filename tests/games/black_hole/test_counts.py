"""How many positions can be reached, and whole deals."""

from domain.games.black_hole import BLACK_HOLE
from service.solving import verdict

from .deals import DEAL_6, PUBLISHED, dealt, random_deal
from .positions import after, from_pile


def solved(state, bound=2_000_000):
    return verdict("black_hole", state.options, state, bound)


PUBLISHED_SOLUTION = (
    "16 13 16 13 2 3 13 15 11 16 14 3 5 5 12 0 9 14 7 7 8 0 9 10 7 14 "
    "10 8 15 6 1 4 11 1 4 6 15 12 4 0 8 3 2 5 10 6 1 2 9 11 12"
)
"""Printed beside the deal in the same test data."""


def reached(state, depth):
    """The numbers of different positions after 1, 2, ... moves, piles and rank of the foundation's top told apart."""
    layer = {_key(state): state}
    for _ in range(depth):
        nexts = [after(one, move) for one in layer.values() for move in BLACK_HOLE.legal_commands(one, 0)]
        layer = {_key(one): one for one in nexts}
        yield len(layer)


def _key(state):
    return state.piles, state.foundation[-1][0]


def test_the_positions_within_nine_moves_of_two_published_deals_are_counted():
    assert list(reached(dealt(), 9)) == [2, 3, 5, 15, 16, 34, 33, 46, 102]
    assert list(reached(dealt(DEAL_6), 9)) == [2, 3, 5, 3, 9, 16, 54, 115, 372]


def test_the_published_solution_wins():
    moves = [from_pile(int(pile)) for pile in PUBLISHED_SOLUTION.split()]
    won = after(dealt(PUBLISHED), *moves)
    assert BLACK_HOLE.result(won).ending == "won"


def test_a_solver_wins_these_deals_through_the_game_types_own_commands():
    for number in (7, 17):
        deal = random_deal(number)
        finding = solved(deal, bound=20_000)
        assert finding.verdict == "won"
        assert BLACK_HOLE.result(after(deal, *finding.commands)).ending == "won"


def test_a_solver_finds_these_deals_impossible():
    assert [solved(random_deal(number)).verdict for number in (3, 9, 15, 23)] == ["impossible"] * 4
