"""What each option of Klondike changes."""

import msgspec
import pytest

from domain.capabilities import OptionRules, Undoing
from domain.games.klondike import KLONDIKE, Draw, Drawn, Recycle
from domain.games.klondike import Options as Options1
from domain.games.klondike import Options2 as Options

from .positions import after, events, legal, move, position, refuses_options, rule_against


def test_the_defaults_are_one_card_at_a_time_unlimited_passes_return_and_undo():
    options = Options()
    assert (options.draw, options.passes, options.foundation_return, options.undo) == (1, None, True, True)
    assert not options.end_on_last_pass
    assert not options.whole_run_only


@pytest.mark.parametrize(("draw", "drawn"), [(1, ("5S",)), (3, ("5S", "4S", "3S"))])
def test_draw_says_how_many_cards_come_at_once(draw, drawn):
    state = position("stock 2S 3S 4S 5S", Options(draw=draw))
    assert events(state, Draw()) == (Drawn(drawn),)


@pytest.mark.parametrize("passes", [1, 2, 3, 10])
def test_passes_allow_one_recycle_less(passes):
    state = position("stock 2S", Options(passes=passes))
    for _ in range(passes - 1):
        state = after(state, Draw(), Recycle())
    assert KLONDIKE.look(state, 0).facts.recycles_left == 0
    assert rule_against(after(state, Draw()), Recycle()) == "passes_used_up"


def test_a_whole_run_only_moves_undivided_between_columns():
    drawn = """
        0 # TS 9H 8C
        1 JD
        2 9D"""
    strict = position(drawn, Options(whole_run_only=True))
    assert legal(position(drawn), move("0 2"))
    assert rule_against(strict, move("0 2")) == "whole_run_only"
    assert legal(strict, move("0 1 x3"))


def test_with_whole_runs_only_the_top_card_of_a_run_still_goes_home_and_the_waste_still_plays():
    state = position(
        """
        waste 9S
        home 7C
        0 # 9H 8C
        1 TD""",
        Options(whole_run_only=True),
    )
    assert legal(state, move("0 C"))
    assert legal(state, move("waste 1"))


def test_without_foundation_return_no_move_from_a_foundation_is_listed():
    drawn = """
        home 5H
        0 6S"""
    assert legal(position(drawn), move("H 0"))
    assert not legal(position(drawn, Options(foundation_return=False)), move("H 0"))


def test_a_king_may_come_back_to_an_empty_column():
    assert legal(position("home KH"), move("H 3"))


def test_an_ending_on_the_last_pass_needs_a_limit_of_passes():
    assert refuses_options(Options(end_on_last_pass=True)) == "last_pass_of_unlimited"
    assert KLONDIKE.get(OptionRules).settle(Options(end_on_last_pass=True, passes=1), 1) == Options(
        end_on_last_pass=True, passes=1
    )


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_offered_as_the_option_says(undo):
    assert KLONDIKE.get(Undoing).allowed(Options(undo=undo)) is undo


@pytest.mark.parametrize("wrong", [{"draw": 2}, {"passes": 0}, {"passes": 101}, {"jokers": 1}])
def test_other_values_and_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


def test_a_hundred_passes_may_be_allowed_and_in_revision_1_ten():
    assert msgspec.convert({"passes": 100}, Options).passes == 100
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"passes": 11}, Options1)
