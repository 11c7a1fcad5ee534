"""How a game of Spider ends, and when it is told as stuck, in both directions."""

import pytest

from domain.game_type import Result
from domain.games.spider import SPIDER, Deal, Options

from .positions import MANUAL, PLAIN, after, legal, move, position, remove, rule_against, stuck

NO_UNDO = Options(undo=False)
BLOCKED = """
    0 # KS
    1 # KC
    2 # KD
    3 # KH
    4 # JS
    5 # JC
    6 # 9S
    7 # 9C
    8 # 7S
    9 # 7H
"""
"""No card has a place on another."""
ROW = "stock 9C 9C 9C 9C 9C 9C 9C 9C 9C 9C"


def test_where_nothing_is_legal_the_player_is_told_that_it_is_stuck():
    state = position(BLOCKED)
    assert SPIDER.legal_commands(state, 0) == ()
    assert stuck(state)


def test_with_undo_a_dead_game_stays_open_and_without_it_is_lost():
    assert SPIDER.result(position(BLOCKED)) is None
    assert SPIDER.result(position(BLOCKED + "finished S C", NO_UNDO)) == Result("lost", "no_moves", (), (26,))


def test_one_move_is_enough_not_to_be_stuck():
    state = position(BLOCKED.replace("9 # 7H", "9 # 8H"), NO_UNDO)
    assert not stuck(state)
    assert SPIDER.result(state) is None


def test_a_row_in_the_stock_is_enough_not_to_be_stuck_whatever_its_cards():
    state = position(BLOCKED + ROW, NO_UNDO)
    assert SPIDER.legal_commands(state, 0) == (Deal(),)
    assert not stuck(state)
    assert SPIDER.result(state) is None


def test_a_space_is_enough_not_to_be_stuck():
    assert not stuck(position(BLOCKED.replace("9 # 7H", "")))


def test_a_space_that_forbids_the_deal_is_not_stuck_while_ten_cards_can_still_be_spread():
    state = position("0 KS JC\n1 KC 9D\n2 KD 7S\n3 KH 5H\n4 3S AC\n" + ROW)
    assert not legal(state, Deal())
    assert not stuck(state)
    spread = after(state, *(move(f"{column} {column + 5}") for column in range(5)))
    assert legal(spread, Deal())


NINE = "0 KS JC\n1 KC 9D\n2 KD 7S\n3 KH 5H\n4 3S\n"


def test_fewer_than_ten_cards_in_the_columns_with_a_stock_that_can_never_be_dealt_are_stuck():
    state = position(NINE + ROW)
    assert legal(state, move("0 5"))
    assert stuck(state)


def test_fewer_than_ten_cards_are_not_stuck_once_the_stock_is_used_up_or_may_be_dealt_over_spaces():
    assert not stuck(position(NINE))
    assert not stuck(position(NINE + ROW, Options(deal_with_spaces=True)))


def test_a_stock_out_of_reach_does_not_end_the_game_while_cards_can_be_moved():
    assert SPIDER.result(position(NINE + ROW, NO_UNDO)) is None


def test_a_finished_run_that_may_be_removed_is_not_stuck():
    table = BLOCKED.replace("9 # 7H", "9 # KD..AD")
    assert not stuck(position(table, MANUAL))
    assert stuck(position(table.replace("KD..AD", "KD..2D AH"), MANUAL))


@pytest.mark.parametrize("options", [PLAIN, NO_UNDO])
def test_a_won_game_is_neither_stuck_nor_lost(options):
    state = position("0 KD..2D\n9 AD\nfinished S S H H D C C", options)
    won = after(state, move("9 0"))
    assert not stuck(won)
    assert SPIDER.result(won).ending == "won"


def test_a_won_game_refuses_everything():
    won = position("finished S S H H D D C C", MANUAL)
    assert {rule_against(won, said) for said in (move("0 1"), Deal(), remove(0))} == {"game_over"}


@pytest.mark.parametrize("options", [PLAIN, NO_UNDO])
def test_before_the_deal_nothing_is_lost_or_stuck(options):
    before = SPIDER.initial(options, 1)
    assert SPIDER.result(before) is None
    assert not stuck(before)
