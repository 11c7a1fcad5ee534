"""The Wilson lower bound against its formula in decimals of sixty digits."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.boards.scoreboards import UNIT, lower_bound, share

Z = Fraction(49, 25)
UNHURRIED = settings(deadline=None, derandomize=True, database=None)


@pytest.mark.parametrize(("wins", "games", "bound"), [(1, 1, "0.207"), (9, 10, "0.596"), (99, 100, "0.946")])
def test_one_of_one_is_worth_less_than_nine_of_ten_and_that_less_than_99_of_100(
    wins: int, games: int, bound: str
) -> None:
    assert f"{Decimal(lower_bound(wins, games, Z)) / UNIT:.3f}" == bound


@UNHURRIED
@given(games=st.integers(1, 10**6), share_won=st.fractions(0, 1))
def test_the_bound_is_the_formula_rounded_down(games: int, share_won: Fraction) -> None:
    wins = int(share_won * games)
    with localcontext(prec=60):
        n, p, z = Decimal(games), Decimal(wins) / games, Decimal("1.96")
        exact = (p + z * z / (2 * n) - z * (p * (1 - p) / n + z * z / (4 * n * n)).sqrt()) / (1 + z * z / n)
        distance = exact * UNIT - lower_bound(wins, games, Z)
    assert Decimal("-1e-20") < distance < 1


def test_nothing_won_is_worth_nothing() -> None:
    assert [lower_bound(0, games, Z) for games in (0, 1, 20, 10**9)] == [0, 0, 0, 0]


@UNHURRIED
@given(games=st.integers(1, 2000), wins=st.integers(0, 1999))
def test_a_further_win_raises_the_bound_and_a_further_loss_lowers_it(games: int, wins: int) -> None:
    wins = min(wins, games)
    bound = lower_bound(wins, games, Z)
    assert 0 <= bound < lower_bound(wins + 1, games + 1, Z) < UNIT
    assert lower_bound(wins, games + 1, Z) < bound or wins == 0


def test_a_share_is_rounded_down_and_nothing_of_nothing_is_nothing() -> None:
    assert (share(2, 3), share(3, 3), share(0, 0)) == (666_666_666, UNIT, 0)
