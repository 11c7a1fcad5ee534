"""What each option of Canfield changes."""

import msgspec
import pytest

from domain.capabilities import Undoing
from domain.games.canfield import CANFIELD, Draw, Drawn, Filled, Moved, Recycle
from domain.games.canfield import Options as Options1
from domain.games.canfield import Options2 as Options

from .positions import after, events, legal, move, position, rule_against

RETURN = Options(foundation_return=True)


def test_the_defaults_are_one_card_at_a_time_unlimited_passes_any_part_no_return_and_undo():
    assert Options() == Options(draw=1, passes=None, whole_column_only=False, foundation_return=False, undo=True)


@pytest.mark.parametrize(("draw", "drawn"), [(1, ("5S",)), (3, ("5S", "4S", "3S"))])
def test_draw_says_how_many_cards_come_at_once(draw, drawn):
    state = position("stock 2S 3S 4S 5S", Options(draw=draw))
    assert events(state, Draw()) == (Drawn(drawn),)


def test_drawing_three_from_two_brings_both_and_only_the_last_can_be_played():
    state = after(position("stock 4D 9C\n0 5S\n1 TH", Options(draw=3)), Draw())
    assert (state.waste, state.stock) == (("9C", "4D"), ())
    assert legal(state, move("waste 0"))
    assert not legal(state, move("waste 1"))
    assert legal(after(state, move("waste 0")), move("waste 1"))


@pytest.mark.parametrize("passes", [1, 2, 3, 10])
def test_passes_allow_one_recycle_less(passes):
    state = position("stock 2S\n0 KS", Options(passes=passes))
    for _ in range(passes - 1):
        state = after(state, Draw(), Recycle())
    assert CANFIELD.look(state, 0).facts.recycles_left == 0
    assert rule_against(after(state, Draw()), Recycle()) == "passes_used_up"


def test_after_the_last_pass_the_waste_stays_and_its_top_can_be_played():
    state = after(position("stock 4D\n0 5S", Options(passes=1)), Draw())
    assert legal(state, move("waste 0"))


def test_with_whole_columns_only_the_top_card_still_goes_home_and_reserve_and_waste_still_play():
    state = position(
        """
        home 7C
        reserve # 9S
        waste 9C
        0 9H 8C
        1 TD""",
        Options(whole_column_only=True),
    )
    assert legal(state, move("0 C"))
    assert legal(state, move("waste 1"))
    assert legal(state, move("reserve 1"))


def test_with_whole_columns_only_a_space_takes_a_whole_column_and_no_part_of_one():
    state = position("0 9H 8C\n1 KS", Options(whole_column_only=True))
    assert legal(state, move("0 2 x2"))
    assert rule_against(state, move("0 2")) == "whole_column_only"


def test_a_card_may_come_back_from_a_foundation_only_where_that_is_allowed():
    drawn = "home 5H\n0 6S\n1 4C"
    assert rule_against(position(drawn), move("H 0")) == "foundation_return"
    state = position(drawn, RETURN)
    assert events(state, move("H 0")) == (Moved(("5H",), "foundation_hearts", "tableau_0"),)
    assert after(state, move("H 0"), move("1 0")).columns[0] == ("6S", "5H", "4C")


def test_a_card_of_the_base_rank_may_come_back_and_begin_again():
    state = position("base 3\nhome 3H\n0 4S", RETURN)
    back = after(state, move("H 0"))
    assert back.foundations == (0, 0, 0, 0)
    assert legal(back, move("0 H"))


def test_a_card_comes_back_to_a_space_only_once_the_reserve_is_used_up():
    assert legal(position("home 5H\n0 KS", RETURN), move("H 3"))
    assert rule_against(position("home 5H\nreserve 9C\n0 KS", RETURN), move("H 3")) == "reserve_fills"


def test_a_column_that_is_emptied_by_a_move_home_is_filled_from_the_reserve_with_that_option_too():
    state = position("home 7S\nreserve 5H\n0 8S", RETURN)
    assert events(state, move("0 S"))[1] == Filled("5H", "tableau_0")


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_offered_as_the_option_says(undo):
    assert CANFIELD.get(Undoing).allowed(Options(undo=undo)) is undo


@pytest.mark.parametrize("wrong", [{"draw": 2}, {"passes": 0}, {"passes": 101}, {"jokers": 1}])
def test_other_values_and_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


def test_a_hundred_passes_may_be_allowed_and_in_revision_1_ten():
    assert msgspec.convert({"passes": 100}, Options).passes == 100
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"passes": 11}, Options1)
