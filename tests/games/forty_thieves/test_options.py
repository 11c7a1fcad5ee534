"""What each option of Forty Thieves changes."""

import msgspec
import pytest

from domain.capabilities import Undoing
from domain.games.forty_thieves import FORTY_THIEVES, Draw, Options, Recycle, Recycled

from .positions import after, events, legal, move, position, rule_against

STREETS = Options(build="alternating")
RUNS = Options(runs=True)
TWICE = Options(passes=2)


def test_the_defaults_are_in_suit_single_cards_one_pass_and_undo():
    assert Options() == Options(build="suit", runs=False, passes=1, undo=True)


def test_in_alternating_colours_a_red_eight_goes_on_a_black_nine():
    state = position("0 9S\n1 8H\n2 8D\n3 8C\n4 7S", STREETS)
    assert legal(state, move("1 0"))
    assert legal(state, move("2 0"))
    assert legal(state, move("4 1"))
    assert rule_against(state, move("3 0")) == "alternating_colours"
    assert rule_against(state, move("4 3")) == "alternating_colours"
    assert rule_against(state, move("4 0")) == "alternating_colours"
    assert rule_against(position("0 9S\n1 7H", STREETS), move("1 0")) == "one_rank_lower"


def test_foundations_go_up_in_suit_whatever_the_columns_do():
    state = position("home AS\n0 2S\n1 2H", STREETS)
    assert legal(state, move("0 S0"))
    assert rule_against(state, move("1 S0")) == "own_foundation"


def test_runs_move_as_one_and_so_does_any_part_of_them_that_fits():
    state = position("0 4C 9H 8H 7H\n1 TH\n2 8H", RUNS)
    assert after(state, move("0 1 x3")).columns[:2] == (("4C",), ("TH", "9H", "8H", "7H"))
    assert legal(state, move("0 2"))
    assert rule_against(state, move("0 1 x2")) == "one_rank_lower"
    assert rule_against(state, move("0 1 x4")) == "no_run"


def test_into_an_empty_column_any_part_of_a_run_moves():
    state = position("0 4C 9H 8H 7H\n" + "\n".join(f"{column} KS" for column in range(1, 9)), RUNS)
    assert [legal(state, move(f"0 9 x{count}")) for count in (1, 2, 3, 4)] == [True, True, True, False]


def test_runs_are_what_columns_are_built_in():
    table = "0 9H 8S\n1 TC\n2 TH"
    assert rule_against(position(table, RUNS), move("0 2 x2")) == "no_run"
    assert legal(position(table, Options(build="alternating", runs=True)), move("0 1 x2"))


def test_cards_of_a_run_go_home_one_at_a_time():
    state = position("home AH\n0 3H 2H", RUNS)
    assert legal(state, move("0 H0"))
    assert rule_against(state, move("0 H0 x2")) == "one_card_home"


def test_with_two_passes_the_waste_is_turned_over_once_in_unchanged_order():
    state = position("0 KD\nstock 2H 3H", TWICE)
    assert rule_against(state, Recycle()) == "stock_not_empty"
    drawn = after(state, Draw(), Draw())
    assert events(drawn, Recycle()) == (Recycled(),)
    again = after(drawn, Recycle())
    assert (again.stock, again.waste) == (("2H", "3H"), ())
    last = after(again, Draw(), Draw())
    assert rule_against(last, Recycle()) == "passes_used_up"
    assert legal(last, move("waste 1"))


def test_passes_are_told():
    facts = FORTY_THIEVES.look(position("0 KD\nstock 2H", TWICE), 0).facts
    assert (facts.pass_number, facts.recycles_left) == (1, 1)
    facts = FORTY_THIEVES.look(position("0 KD\nstock 2H", TWICE, recycles=1), 0).facts
    assert (facts.pass_number, facts.recycles_left) == (2, 0)


def test_without_a_limit_the_waste_is_turned_over_as_often_as_wanted():
    state = position("0 KD\nwaste 2H", Options(passes=None), recycles=40)
    assert legal(state, Recycle())
    assert FORTY_THIEVES.look(state, 0).facts.recycles_left is None


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_offered_as_the_option_says(undo):
    assert FORTY_THIEVES.get(Undoing).allowed(Options(undo=undo)) is undo


@pytest.mark.parametrize("wrong", [{"build": "rank"}, {"passes": 0}, {"passes": 101}, {"draw": 3}])
def test_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)
