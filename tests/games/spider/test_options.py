"""What each option of Spider changes."""

from collections import Counter

import msgspec
import pytest

from domain.capabilities import Undoing
from domain.chance import Chance
from domain.games.spider import RUN, SPIDER, Deal, Moved, Options, RowDealt, SuitRemoved, Turned

from .positions import MANUAL, after, events, legal, move, position, remove, rule_against

RELAXED = Options(deal_with_spaces=True)


def dealt(options):
    return SPIDER.evolve(SPIDER.initial(options, 1), SPIDER.deal(options, Chance(bytes(32)), 1)[0])


def test_the_defaults_are_four_suits_the_first_four_columns_automatic_removal_no_deal_over_spaces_and_undo():
    assert Options() == Options(
        suits=4, extra_columns="first_4", manual_removal=False, deal_with_spaces=False, undo=True
    )


@pytest.mark.parametrize(("suits", "copies"), [(1, {"S": 8}), (2, {"S": 4, "H": 4}), (4, dict.fromkeys("SHDC", 2))])
def test_suits_say_which_cards_are_in_play_and_how_often(suits, copies):
    deck = SPIDER.deal(Options(suits=suits), Chance(bytes(32)), 1)[0].cards
    assert Counter(deck) == {rank + suit: count for suit, count in copies.items() for rank in "A23456789TJQK"}
    assert SPIDER.look(dealt(Options(suits=suits)), 0).facts.suits == suits


def test_the_extra_cards_may_lie_on_the_first_fourth_seventh_and_tenth_column():
    state = dealt(Options(extra_columns="1_4_7_10"))
    assert [len(column) for column in state.columns] == [6, 5, 5, 6, 5, 5, 6, 5, 5, 6]
    assert state.face_down == (5, 4, 4, 5, 4, 4, 5, 4, 4, 5)
    deck = SPIDER.deal(Options(), Chance(bytes(32)), 1)[0].cards
    assert [state.columns[column][4] for column in (0, 3, 6, 9)] == list(deck[40:44])
    assert [column[-1] for column in state.columns] == list(deck[44:54])


def test_with_manual_removal_a_finished_run_stays_until_it_is_removed():
    state = position("0 # (9C) KH..2H\n1 2C AH", MANUAL)
    assert events(state, move("1 0")) == (Moved(("AH",), "tableau_1", "tableau_0"),)
    complete = after(state, move("1 0"))
    assert legal(complete, remove(0))
    assert events(complete, remove(0)) == (
        SuitRemoved(RUN["H"], "tableau_0", "foundation_0"),
        Turned("tableau_0", "9C"),
    )
    assert after(complete, remove(0)).finished == ("H",)


def test_with_manual_removal_a_finished_run_may_be_taken_apart_or_moved_whole():
    state = position("0 3C KH..AH\n1 3C\n", MANUAL)
    assert legal(state, move("0 1 x2"))
    assert legal(state, move("0 5 x13"))
    assert after(state, move("0 5 x13"), remove(5)).finished == ("H",)


def test_with_manual_removal_a_row_does_not_remove_and_may_bury_a_run():
    table = "\n".join(f"{column} KH..AH" if column == 3 else f"{column} KS" for column in range(10))
    state = position(table + "\nstock 9C 9C 9C 9C 9C 9C AH 9C 9C 9C", MANUAL)
    assert [type(event) for event in events(state, Deal())] == [RowDealt]
    assert rule_against(after(state, Deal()), remove(3)) == "finished_run"


def test_with_manual_removal_the_game_is_won_only_when_the_eighth_run_is_removed():
    state = position("0 KD..2D\n9 AD\nfinished S S H H D C C", MANUAL)
    complete = after(state, move("9 0"))
    assert SPIDER.result(complete) is None
    assert SPIDER.result(after(complete, remove(0, 7))).ending == "won"


def test_a_row_may_be_dealt_over_empty_columns_where_that_is_allowed():
    drawn = "0 KS\n1 QD\nstock 9C 8C 7C 6C 5C 4C 3C 2C AC TC"
    assert not legal(position(drawn), Deal())
    state = position(drawn, RELAXED)
    assert legal(state, Deal())
    row = after(state, Deal())
    assert row.columns == (
        ("KS", "TC"),
        ("QD", "AC"),
        *((card,) for card in ("2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C")),
    )
    assert row.face_down == (0,) * 10


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_offered_as_the_option_says(undo):
    assert SPIDER.get(Undoing).allowed(Options(undo=undo)) is undo


@pytest.mark.parametrize("wrong", [{"suits": 3}, {"suits": 0}, {"extra_columns": "first4"}, {"cells": 1}])
def test_other_values_and_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)
