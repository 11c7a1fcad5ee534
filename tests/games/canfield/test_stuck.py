"""How a game of Canfield ends without being won, and when it is told as stuck, in both directions."""

import pytest

from domain.game_type import Result
from domain.games.canfield import CANFIELD, Draw, Recycle
from domain.games.canfield import Options2 as Options

from .positions import PLAIN, after, legal, move, position, stuck

BLOCKED = """
    base 3
    home 3S
    reserve # JC
    0 KS
    1 KC
    2 9S
    3 9C
"""
"""No card has a place; red queens, red eights, the four of spades and the other threes would have one."""


def blocked(piles="", options=PLAIN, recycles=0):
    return position(BLOCKED + piles, options, recycles)


def test_no_move_and_no_stock_is_stuck():
    assert stuck(blocked())


def test_with_undo_a_dead_game_stays_open_and_without_it_is_lost():
    assert CANFIELD.result(blocked()) is None
    assert CANFIELD.result(blocked(options=Options(undo=False))) == Result("lost", "no_moves", (), (1,))


@pytest.mark.parametrize("card", ["4S", "3H", "8H", "QD"])
def test_one_move_from_the_reserve_is_enough_not_to_be_stuck(card):
    state = position(BLOCKED.replace("JC", card))
    assert not stuck(state)


def test_a_seen_stock_without_a_useful_card_is_stuck_although_it_can_be_drawn():
    state = blocked("stock 2D 5D 5S", Options(undo=False), recycles=1)
    assert legal(state, Draw())
    assert stuck(state)
    assert CANFIELD.result(state) is None


def test_a_seen_stock_with_a_useful_card_is_not_stuck():
    assert not stuck(blocked("stock 2D 8H 5S", recycles=1))


def test_a_useful_card_under_the_waste_is_not_stuck_while_the_waste_may_be_turned_over():
    assert not stuck(blocked("waste 2D 8H 5S", recycles=1))


def test_a_useful_card_under_the_waste_is_out_of_reach_in_the_last_pass():
    assert stuck(blocked("waste 2D 8H 5S", Options(passes=2), recycles=1))
    assert not stuck(blocked("waste 2D 8H 5S", Options(passes=2), recycles=0))


def test_the_rest_of_the_last_pass_still_counts():
    assert not stuck(blocked("stock 2D 8H\nwaste 5S", Options(passes=2), recycles=1))


def test_drawing_three_a_useful_card_that_never_comes_to_the_top_does_not_count():
    assert stuck(blocked("stock 5S 8H 2D", Options(draw=3), recycles=1))
    assert not stuck(blocked("stock 8H 5S 2D", Options(draw=3), recycles=1))


def test_drawing_three_the_waste_joins_the_next_pass_and_changes_who_comes_to_the_top():
    state = blocked("stock 5S 8H 2D\nwaste 5D", Options(draw=3), recycles=1)
    assert not stuck(state)
    assert after(state, Draw(), Recycle(), Draw()).waste == ("5D", "2D", "8H")


def test_drawing_three_the_last_packet_may_be_short():
    assert not stuck(blocked("stock 8H 5S 2D 5D", Options(draw=3), recycles=1))


def test_unseen_stock_cards_that_could_help_keep_it_from_being_told():
    state = position(BLOCKED.replace("#", "(8D)") + "stock 2D 5D 5S")
    assert not stuck(state)
    assert stuck(position(BLOCKED.replace("#", "(6D)") + "stock 2D 5D 5S"))


def test_a_card_deep_in_the_reserve_is_out_of_reach_once_the_stock_is_known():
    assert stuck(position(BLOCKED.replace("#", "(8D)") + "stock 2D 5D 5S", recycles=1))
    assert stuck(position(BLOCKED.replace("#", "(8D)") + "waste 2D 5D 5S"))


SPACE = "base 3\nhome 3S\n0 KS\n1 KC\n2 9S\n"


def test_a_single_column_that_changes_places_with_a_space_is_not_a_move():
    state = position(SPACE)
    assert legal(state, move("0 3"))
    assert stuck(state)


def test_a_part_of_a_column_that_goes_into_a_space_is_a_move_unless_columns_move_whole():
    state = SPACE.replace("2 9S", "2 TH 9S")
    assert not stuck(position(state))
    assert stuck(position(state, Options(whole_column_only=True)))


def test_any_card_that_the_stock_can_bring_has_a_place_in_a_space():
    assert not stuck(position(SPACE + "stock 2D", recycles=1))
    assert not stuck(position(SPACE + "waste 2D", Options(passes=1)))


def test_a_card_that_can_come_back_from_a_foundation_is_a_move():
    drawn = BLOCKED.replace("home 3S", "home 8H")
    assert not stuck(position(drawn, Options(foundation_return=True)))
    assert stuck(position(drawn))


@pytest.mark.parametrize("options", [PLAIN, Options(undo=False)])
def test_the_last_card_home_wins_and_then_nothing_is_legal(options):
    state = position("base 3\nhome 2S 2H 2D AC\n0 2C", options)
    assert CANFIELD.result(state) is None
    won = after(state, move("0 C"))
    assert CANFIELD.result(won) == Result("won", "all_home", (0,), (52,))
    assert not stuck(won)
    assert CANFIELD.legal_commands(won, 0) == ()
    assert CANFIELD.look(won, 0).to_act == ()


@pytest.mark.parametrize("options", [PLAIN, Options(undo=False)])
def test_before_the_deal_nothing_is_lost_or_stuck(options):
    before = CANFIELD.initial(options, 1)
    assert CANFIELD.result(before) is None
    assert not stuck(before)
