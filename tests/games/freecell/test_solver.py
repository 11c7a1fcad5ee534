"""Deals of Microsoft's FreeCell, won through the game's own commands."""

import pytest

from domain.games.freecell import FREECELL, Options
from service.solving import verdict

from .positions import after, dealt


def solved(state, bound=2_000_000):
    return verdict("freecell", state.options, state, bound)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 617])
def test_a_deal_that_can_be_won_is_won(number):
    finding = solved(dealt(number))
    assert finding.verdict == "won"
    assert FREECELL.result(after(dealt(number), *finding.commands)).ending == "won"


def test_it_is_won_one_card_at_a_time_too():
    options = Options(strict_single=True)
    finding = solved(dealt(1, options))
    assert FREECELL.result(after(dealt(1, options), *finding.commands)).ending == "won"


def test_the_deal_that_nobody_wins_is_not_won():
    """Microsoft's deal 11982 has no solution; the search is given up after a while."""
    assert solved(dealt(11982), 20_000).verdict != "won"
