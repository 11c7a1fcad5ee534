"""How a game of Forty Thieves ends, and when it is told as stuck, in both directions."""

import pytest

from domain.capabilities import Score
from domain.game_type import Result
from domain.games.forty_thieves import FORTY_THIEVES, Draw, Options

from .positions import PLAIN, WON, after, legal, move, position, stuck

NO_UNDO = Options(undo=False)
BLOCKED = """
    0 KS
    1 KC
    2 KD
    3 KH
    4 JS
    5 JC
    6 9S
    7 9C
    8 7D
    9 7H
"""
"""No card has a place on another; an eight of spades, say, would have one."""


def test_where_nothing_can_be_done_a_game_without_undo_is_lost_and_with_undo_stuck():
    table = "home 2S 2D\n" + BLOCKED
    assert FORTY_THIEVES.legal_commands(position(table), 0) == ()
    assert FORTY_THIEVES.result(position(table)) is None
    assert stuck(position(table))
    assert FORTY_THIEVES.result(position(table, NO_UNDO)) == Result("lost", "no_moves", (), (4,))


def test_while_a_card_can_be_drawn_a_game_is_not_lost_though_it_is_stuck():
    state = position(BLOCKED + "stock 4S 4D", NO_UNDO)
    assert stuck(state)
    assert FORTY_THIEVES.result(state) is None
    assert FORTY_THIEVES.result(after(state, Draw(), Draw())).reason == "no_moves"


@pytest.mark.parametrize("useful", ["8S", "AD"])
def test_a_card_of_the_stock_that_has_a_place_is_enough_not_to_be_stuck(useful):
    assert not stuck(position(BLOCKED + f"stock 4S {useful} 4D"))


def test_a_card_that_a_second_foundation_waits_for_is_enough_not_to_be_stuck():
    assert not stuck(position("home 5C AC\n" + BLOCKED + "stock 2C"))
    assert stuck(position("home 5C AC\n" + BLOCKED + "stock 3C"))


def test_a_card_under_the_waste_counts_only_while_the_waste_can_be_turned_over():
    table = BLOCKED + "waste 8S 4D"
    assert stuck(position(table))
    assert not stuck(position(table, Options(passes=2)))
    assert stuck(position(table, Options(passes=2), recycles=1))


def test_one_move_is_enough_not_to_be_stuck():
    assert not stuck(position(BLOCKED.replace("9 7H", "9 8C")))


def test_with_an_empty_column_a_card_that_lies_on_others_is_a_move_and_so_is_any_of_the_stock():
    table = BLOCKED.replace("9 7H", "")
    assert not stuck(position(table.replace("8 7D", "8 4C 7D")))
    assert not stuck(position(table + "stock 4S"))
    assert not stuck(position(table + "waste 4S"))


def test_a_whole_column_that_only_changes_its_place_is_no_move():
    table = BLOCKED.replace("9 7H", "")
    assert legal(position(table), move("0 9"))
    assert stuck(position(table))
    run = position(table.replace("8 7D", "8 7D 6D"), Options(runs=True))
    assert legal(run, move("8 9 x2"))
    assert not stuck(run)


def test_a_stuck_game_without_undo_goes_on_while_a_column_can_change_its_place():
    assert FORTY_THIEVES.result(position(BLOCKED.replace("9 7H", ""), NO_UNDO)) is None


@pytest.mark.parametrize("options", [PLAIN, NO_UNDO])
def test_a_won_game_is_neither_stuck_nor_lost(options):
    assert not stuck(position(WON, options))
    assert FORTY_THIEVES.result(position(WON, options)).ending == "won"


@pytest.mark.parametrize("options", [PLAIN, NO_UNDO])
def test_before_the_deal_nothing_is_lost_or_stuck(options):
    before = FORTY_THIEVES.initial(options, 1)
    assert FORTY_THIEVES.result(before) is None
    assert not stuck(before)


def test_the_score_is_the_number_of_cards_home():
    assert FORTY_THIEVES.get(Score).count(position("home 5C AC KS\n0 2H")) == 19
