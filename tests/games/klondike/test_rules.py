"""Every rule of Klondike that refuses a command, by its slug."""

import pytest

from domain.game_type import Illegal
from domain.games.klondike import KLONDIKE, Draw, Recycle
from domain.games.klondike import Options2 as Options

from .positions import after, move, position, rule_against

TABLE = position("""
    stock 2D
    waste 7H 9H
    home 3S
    0 # # 8C 7D
    1 8S
    2 KH QS
    3 8H
    4 TD""")


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("0 0", "same_zone"),
        ("S S", "same_zone"),
        ("5 0", "source_empty"),
        ("H 0", "source_empty"),
        ("waste 1 x2", "top_card_only"),
        ("S 1 x2", "top_card_only"),
        ("0 4 x3", "face_up_only"),
        ("0 C x2", "one_card_home"),
        ("S H", "own_foundation"),
        ("0 S", "own_foundation"),
        ("1 S", "next_in_suit"),
        ("2 5", "king_on_empty_column"),
        ("0 3", "alternating_colours"),
        ("1 4", "one_rank_lower"),
        ("1 0", "one_rank_lower"),
    ],
)
def test_a_move_that_a_rule_forbids_is_refused_by_that_rule(command, rule):
    assert rule_against(TABLE, move(command)) == rule


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


def test_a_whole_column_headed_by_a_king_may_pointlessly_move_to_an_empty_column():
    assert rule_against(position("2 KH QS"), move("2 5 x2")) is None


def test_no_other_seat_may_play():
    assert KLONDIKE.legal_commands(TABLE, 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        KLONDIKE.decide(TABLE, 1, Draw())


def test_one_pass_allows_no_recycle():
    state = position("waste 2D", Options(passes=1))
    assert rule_against(state, Recycle()) == "passes_used_up"
