"""Deals of Seahaven Towers, won through the game's own commands."""

import pytest

from domain.games.seahaven_towers import SEAHAVEN_TOWERS, Options
from service.solving import verdict

from .positions import after, dealt, position


def solved(state, bound=2_000_000):
    return verdict("seahaven_towers", state.options, state, bound)


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 6])
def test_a_deal_that_can_be_won_is_won(seed):
    finding = solved(dealt(seed))
    assert finding.verdict == "won"
    assert SEAHAVEN_TOWERS.result(after(dealt(seed), *finding.commands)).ending == "won"


def test_a_deal_is_won_with_any_card_in_an_empty_column_too():
    options = Options(any_card=True)
    finding = solved(dealt(1, options))
    assert SEAHAVEN_TOWERS.result(after(dealt(1, options), *finding.commands)).ending == "won"


def test_a_position_without_a_way_out_is_told_from_one_with():
    hopeless = "0 AS 9H\n1 9C\n2 7S\n3 7C\n4 5S\n5 5C\n6 3S\n7 3C\n8 JS\n9 JC\ntowers 9S 7H 5H 3H"
    assert solved(position(hopeless)).verdict == "impossible"
    assert solved(position("home KS KH KD QC\ntowers KC")).verdict == "won"
