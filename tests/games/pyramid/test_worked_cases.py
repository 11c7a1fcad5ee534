"""Pyramid as it is commonly told, case by case."""

import pytest

from domain.game_type import Result
from domain.games.pyramid import PYRAMID, Draw, Drawn, Recycle, Recycled, Removed
from domain.games.pyramid import Options2 as Options
from domain.kit.pyramids import PLACES, available

from .positions import after, dealt, events, legal, position, remove, rule_against, stuck

LAST_ROW = """
    ##
    ## ##
    ## ## ##
    ## ## ## ##
    ## ## ## ## ##
    ## ## ## ## ## ##
    {row}
"""


def test_at_the_start_the_seven_cards_of_the_last_row_are_available():
    assert [PLACES[place] for place in available(dealt().pyramid)] == [f"pyramid_6_{card}" for card in range(7)]


@pytest.mark.parametrize("pair", ["QH AC", "JD 2S", "TD 3C", "9H 4D", "8S 5H", "7C 6D"])
def test_two_cards_that_make_thirteen_are_removed_together(pair):
    state = position(LAST_ROW.format(row=f"{pair} KD KS KC KH QD"))
    assert events(state, remove("60 61")) == (Removed(tuple(pair.split()), ("pyramid_6_0", "pyramid_6_1")),)
    assert legal(state, remove("61 60"))


def test_other_sums_stay_and_a_king_goes_alone():
    state = position(LAST_ROW.format(row="8S 6D KD AC JS TS 9S"))
    assert rule_against(state, remove("60 61")) == "thirteen"
    assert legal(state, remove("62"))
    assert rule_against(state, remove("62 63")) == "thirteen"
    assert rule_against(state, remove("60")) == "kings_alone"


def test_a_card_is_free_when_both_cards_on_it_are_gone():
    state = after(
        position(LAST_ROW.format(row="2S 4S 6D 7D 5C 9C TC").replace("## ##\n    2S", "## ##\n    2S")), remove("62 63")
    )
    free = [PLACES[place] for place in available(state.pyramid)]
    assert "pyramid_5_2" in free
    assert "pyramid_5_1" not in free
    assert rule_against(state, remove("51 60")) == "covered"


def test_the_top_of_the_waste_pairs_with_the_pyramid_and_with_the_card_beneath_only_where_agreed():
    table = LAST_ROW.format(row="9D 2S 3S 5S 6S 7S 8S") + "stock 4S\nwaste 9C"
    drawn = after(position(table), Draw())
    assert legal(drawn, remove("60 waste"))
    assert rule_against(drawn, remove("waste waste")) == "waste_pairs"
    agreed = after(position(table, Options(waste_pairs=True)), Draw())
    assert legal(agreed, remove("waste waste"))
    assert after(agreed, remove("waste waste")).waste == ()


def test_a_waste_pair_is_open_right_after_the_draw_and_not_later():
    table = LAST_ROW.format(row="9D KS 3S 5S 6S 7S 8S") + "stock 4S\nwaste 9C"
    drawn = after(position(table, Options(waste_pairs=True)), Draw())
    later = after(drawn, remove("61"))
    assert rule_against(later, remove("waste waste")) == "waste_pairs"
    assert not legal(later, remove("waste waste"))


TOMB = """
    ##
    ## ##
    ## ## ##
    ## ## ## ##
    ## ## ## ## ##
    ## 9H ## ## ## ##
    -- 4D -- -- -- -- --
"""


def test_a_card_covered_by_its_partner_alone_is_removed_with_it_only_where_agreed():
    state = position(TOMB)
    assert rule_against(state, remove("51 61")) == "covered"
    agreed = position(TOMB, Options(tuts_tomb_pairing=True))
    assert legal(agreed, remove("51 61"))
    assert after(agreed, remove("51 61")).discard[-2:] == ("9H", "4D")


def test_a_card_covered_by_another_card_too_is_not():
    state = position(TOMB.replace("-- 4D --", "-- 4D 8C"), Options(tuts_tomb_pairing=True))
    assert rule_against(state, remove("51 61")) == "covered"


def test_a_partner_that_is_covered_itself_does_not_count():
    covered = TOMB.replace("## ## ## ## ##\n    ##", "## 4C ## ## ##\n    --").replace("-- 4D --", "-- 8C --")
    state = position(covered.replace("9H ##", "9H --"), Options(tuts_tomb_pairing=True))
    assert rule_against(state, remove("41 51")) == "covered"


def test_an_empty_stock_is_turned_over_in_unchanged_order():
    state = after(dealt(), *[Draw()] * 24)
    assert state.waste[0] == "KH"
    assert events(state, Recycle()) == (Recycled(),)
    assert events(after(state, Recycle()), Draw()) == (Drawn(("KH",)),)
    assert PYRAMID.look(after(state, Recycle()), 0).facts.pass_number == 2


def test_with_one_pass_the_waste_is_not_turned_over():
    state = after(dealt(options=Options(passes=1)), *[Draw()] * 24)
    assert rule_against(state, Recycle()) == "passes_used_up"
    assert not legal(state, Recycle())


def test_the_last_card_of_the_pyramid_wins_unless_all_must_go():
    table = "KD\nstock 2S 3S 4S 5S 6S"
    won = after(position(table), remove("00"))
    assert PYRAMID.result(won) == Result("won", "pyramid_cleared", (0,), (0,))
    assert PYRAMID.legal_commands(won, 0) == ()
    assert rule_against(won, Draw()) == "game_over"
    going_on = after(position(table, Options(clear_all=True)), remove("00"))
    assert PYRAMID.result(going_on) is None
    assert PYRAMID.look(going_on, 0).facts.score == 5


DEAD = """
    2S
    4S 8S
    2C 4C 8C
    5H 5C JD 9S
    waste KS JC
    stock 9H KD
"""


def test_without_a_partner_in_reach_the_position_is_stuck_though_kings_can_be_removed():
    state = position(DEAD)
    assert legal(state, Draw())
    assert stuck(state)
    assert PYRAMID.result(position(DEAD, Options(undo=False))) is None


def test_the_passes_used_up_and_nothing_to_remove_are_a_loss():
    table = "2S\n4S 8S\nwaste 3C"
    assert PYRAMID.result(position(table, Options(passes=1, undo=False))) == Result("lost", "no_moves", (), (3,))
    open_game = position(table, Options(passes=1))
    assert PYRAMID.result(open_game) is None
    assert stuck(open_game)
