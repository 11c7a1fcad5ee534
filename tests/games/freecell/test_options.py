"""What each option of FreeCell changes."""

import msgspec
import pytest

from domain.capabilities import Undoing
from domain.games.freecell import FREECELL, Options

from .positions import after, legal, move, position, rule_against, standard

STRICT, RETURN = Options(strict_single=True), Options(foundation_return=True)


def test_the_defaults_are_runs_no_return_and_undo():
    assert Options() == Options(strict_single=False, foundation_return=False, undo=True)


def test_with_strict_single_moves_a_run_is_carried_card_by_card():
    state = position("0 6D 5S\n1 7S", STRICT)
    assert rule_against(state, move("0 1 x2")) == "strict_single"
    assert after(state, move("0 a"), move("0 1"), move("a 1")).columns[1] == ("7S", "6D", "5S")
    assert {command.count for command in FREECELL.legal_commands(state, 0)} == {1}


def test_with_strict_single_moves_standard_notation_means_one_card_into_an_empty_column():
    state = position("0 6D 5S", STRICT)
    assert after(state, *standard("12")).columns[:2] == (("6D",), ("5S",))
    assert FREECELL.look(state, 0).facts.run_limit == 1


def test_the_top_of_a_foundation_comes_back_only_where_the_option_allows_it():
    drawn = "home 5H\n0 6S\n1 4C"
    assert not legal(position(drawn), move("H 0"))
    state = after(position(drawn, RETURN), move("H 0"), move("1 0"))
    assert state.columns[0] == ("6S", "5H", "4C")
    assert state.foundations == (0, 4, 0, 0)


def test_a_card_that_comes_back_may_go_into_an_empty_column():
    assert legal(position("home 5H\n0 9C", RETURN), move("H 3"))


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_offered_as_the_option_says(undo):
    assert FREECELL.get(Undoing).allowed(Options(undo=undo)) is undo


@pytest.mark.parametrize("wrong", [{"strict_single": 1}, {"cells": 3}, {"undo": None}])
def test_other_values_and_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)
