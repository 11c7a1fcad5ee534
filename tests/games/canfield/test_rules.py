"""Every rule of Canfield that refuses a command, by its slug."""

import pytest

from domain.game_type import Illegal
from domain.games.canfield import CANFIELD, Draw, Recycle
from domain.games.canfield import Options2 as Options

from .positions import after, legal, move, position, rule_against

TABLE = position("""
    base 3
    stock 2D
    waste 7H 9H
    home 5S
    reserve # 8H
    0 8C 7D
    1 8S
    2 AH
    3 TD""")


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("0 0", "same_zone"),
        ("S S", "same_zone"),
        ("S 0", "foundation_return"),
        ("waste 1 x2", "top_card_only"),
        ("reserve 1 x2", "top_card_only"),
        ("0 3 x3", "column_too_short"),
        ("0 C x2", "one_card_home"),
        ("waste S", "own_foundation"),
        ("0 S", "own_foundation"),
        ("1 S", "next_in_suit"),
        ("waste H", "next_in_suit"),
        ("reserve 3", "alternating_colours"),
        ("reserve 0", "alternating_colours"),
        ("0 3 x2", "one_rank_lower"),
        ("1 3", "one_rank_lower"),
        ("1 2", "one_rank_lower"),
    ],
)
def test_a_move_that_a_rule_forbids_is_refused_by_that_rule(command, rule):
    assert rule_against(TABLE, move(command)) == rule


def test_from_an_empty_pile_nothing_can_be_taken():
    bare = position("0 KH", Options(foundation_return=True))
    for source in ("reserve", "waste", "1", "S"):
        assert rule_against(bare, move(f"{source} 0")) == "source_empty"


def test_nothing_goes_on_a_two_but_an_ace_and_on_an_ace_only_a_king():
    state = position("base 5\n0 2S\n1 AD\n2 KC\n3 QH")
    assert [legal(state, move(said)) for said in ("1 0", "2 1", "2 0", "3 0", "3 1", "3 2")] == [
        True, True, False, False, False, True,
    ]  # fmt: skip


def test_the_waste_is_not_turned_over_while_the_stock_has_cards():
    assert rule_against(TABLE, Recycle()) == "stock_not_empty"


def test_an_empty_stock_cannot_be_drawn_from():
    assert rule_against(after(TABLE, Draw()), Draw()) == "stock_empty"


def test_without_waste_there_is_nothing_to_turn_over():
    assert rule_against(position("0 KH"), Recycle()) == "waste_empty"


def test_the_waste_can_be_turned_over_for_ever_when_passes_are_unlimited():
    state = position("stock 2D 9C")
    for _ in range(20):
        state = after(state, Draw(), Draw(), Recycle())
    assert state == position("stock 2D 9C", recycles=20)


def test_one_pass_allows_no_recycle():
    assert rule_against(position("waste 2D", Options(passes=1)), Recycle()) == "passes_used_up"


def test_no_other_seat_may_play():
    assert CANFIELD.legal_commands(TABLE, 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        CANFIELD.decide(TABLE, 1, Draw())


ROUND = "KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS"
"""A column that goes on from ace to king: every rank twice."""


def test_a_column_that_goes_on_from_ace_to_king_gives_the_part_that_fits_by_colour():
    state = position(f"base 2\n0 {ROUND}\n1 AD\n2 AC")
    assert legal(state, move("0 1 x13"))
    assert rule_against(state, move("0 1 x26")) == "alternating_colours"
    assert legal(state, move("0 2 x26"))
    assert rule_against(state, move("0 2 x13")) == "alternating_colours"


def test_a_column_is_never_put_on_itself_though_its_own_top_would_take_its_bottom():
    state = position(f"base 2\n0 {ROUND}\n1 AC\n2 9C")
    assert rule_against(state, move("0 0 x26")) == "same_zone"
    assert all(command.source != command.target for command in CANFIELD.legal_commands(state, 0)[:-1])
