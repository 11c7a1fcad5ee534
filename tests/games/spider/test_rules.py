"""Every rule of Spider that refuses a command, by its slug."""

import pytest

from domain.game_type import Illegal
from domain.games.spider import SPIDER, Deal

from .positions import MANUAL, after, events, legal, move, position, remove, rule_against

TABLE = position("""
    0 # # 9C 8C 7D
    1 8S
    2 KH QS
    3 9H
    4 AD
    5 # TD..4D
    6 2S""")


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("0 0", "same_zone"),
        ("7 0", "source_empty"),
        ("0 3 x4", "face_up_only"),
        ("1 9 x2", "face_up_only"),
        ("0 7 x2", "run_in_suit"),
        ("2 7 x2", "run_in_suit"),
        ("1 4", "one_rank_lower"),
        ("3 1", "one_rank_lower"),
        ("6 4", "one_rank_lower"),
        ("2 4", "one_rank_lower"),
        ("5 1 x3", "one_rank_lower"),
    ],
)
def test_a_move_that_a_rule_forbids_is_refused_by_that_rule(command, rule):
    assert rule_against(TABLE, move(command)) == rule


def test_a_fitting_part_of_a_run_moves_and_leaves_the_rest():
    assert events(TABLE, move("5 1 x4"))[0].cards == ("7D", "6D", "5D", "4D")  # type: ignore[attr-defined]
    assert after(TABLE, move("5 1 x4")).columns[5][1:] == ("TD", "9D", "8D")


def test_an_empty_column_takes_any_card_and_every_part_of_a_run():
    assert [legal(TABLE, move(f"5 7 x{count}")) for count in range(1, 9)] == [True] * 7 + [False]
    assert legal(TABLE, move("4 8"))


def test_a_whole_column_may_pointlessly_move_into_a_space():
    assert legal(TABLE, move("6 7"))


def test_an_empty_stock_cannot_be_dealt_from():
    assert rule_against(TABLE, Deal()) == "stock_empty"


def test_runs_that_go_by_themselves_are_not_removed_by_hand():
    assert rule_against(position("0 KH..AH"), remove(0)) == "automatic_removal"


def test_only_a_finished_run_is_removed():
    state = position("0 KH..2H AD\n1 KH QS\n3 # (KD) QD..AD", MANUAL)
    for column in range(4):
        assert rule_against(state, remove(column)) == "finished_run"


def test_a_finished_run_goes_to_the_first_empty_foundation():
    state = position("0 KH..AH\nfinished S C", MANUAL)
    assert rule_against(state, remove(0, 1)) == "first_empty_foundation"
    assert rule_against(state, remove(0, 3)) == "first_empty_foundation"
    assert legal(state, remove(0, 2))


def test_no_other_seat_may_play():
    assert SPIDER.legal_commands(TABLE, 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        SPIDER.decide(TABLE, 1, Deal())
