"""When a game of Klondike is told as stuck, in both directions."""

import pytest

from domain.games.klondike import Draw, Recycle
from domain.games.klondike import Options2 as Options

from .positions import PLAIN, after, legal, move, position, stuck

BLOCKED = """
    home {home}
    0 # # KS
    1 # # KC
    2 # # KD
    3 # # KH
    4 # # 9S
    5 # # 9C
    6 # # 7S
"""
"""No column takes another's top card; red eights, red sixes and black or red queens would have a place."""


def blocked(piles="", options=PLAIN, recycles=0, home=""):
    return position(BLOCKED.format(home=home) + piles, options, recycles)


def test_no_move_and_no_stock_is_stuck():
    assert stuck(blocked())


def test_one_move_is_enough_not_to_be_stuck():
    assert not stuck(blocked(home="6S"))


def test_a_seen_stock_without_a_useful_card_is_stuck_although_it_can_be_drawn():
    state = blocked("stock 2D 3D 5S", recycles=1)
    assert legal(state, Draw())
    assert stuck(state)


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
    state = blocked("stock 5S 8H 2D\nwaste 3D", Options(draw=3), recycles=1)
    assert not stuck(state)
    assert after(state, Draw(), Recycle(), Draw()).waste == ("3D", "2D", "8H")


def test_drawing_three_the_last_packet_may_be_short():
    assert not stuck(blocked("stock 8H 5S 2D 3D", Options(draw=3), recycles=1))


def test_unseen_stock_cards_that_could_help_keep_it_from_being_told():
    assert not stuck(blocked("stock 2D 3D 5S"))
    assert stuck(blocked("stock 2D 3D 5S", recycles=1))


def test_a_seen_waste_does_not_tell_of_the_unseen_stock():
    state = after(blocked("stock 2D 3D 5S"), Draw(), Draw())
    assert not stuck(state)
    assert stuck(after(state, Draw()))


def test_unseen_cards_that_could_not_help_wherever_they_lay_do_not_keep_it_from_being_told():
    state = position("""
        stock 2D 3D 5S
        0 (4D) KS
        1 KC
        2 KD
        3 KH
        4 9S
        5 9C
        6 7S""")
    assert stuck(state)


def test_a_face_down_card_that_could_lie_in_the_stock_keeps_it_from_being_told():
    state = position("""
        stock 2D 3D 5S
        0 (8D) KS
        1 KC
        2 KD
        3 KH
        4 9S
        5 9C
        6 7S""")
    assert not stuck(state)


KINGS = """
    0 KS QD JS
    1 # # 9S
    2 # # 9C
    3 # # 7S
    4 # # 7C
    5 # # 7D
"""


def test_a_kings_column_that_only_changes_places_is_not_a_move():
    state = position(KINGS)
    assert legal(state, move("0 6 x3"))
    assert stuck(state)


def test_a_king_that_uncovers_a_card_is_a_move():
    assert not stuck(position(KINGS.replace("0 KS", "0 # KS")))


def test_a_king_in_the_stock_has_a_place_in_an_empty_column():
    assert not stuck(position(KINGS + "stock KH", recycles=1))


def test_a_king_in_the_stock_has_a_place_on_the_queen_of_its_suit():
    table = """
        home QS
        0 # # 9S
        1 # # 9C
        2 # # 7S
        3 # # 7C
        4 # # 7D
        5 # # 5D
        6 # # 5H
    """
    assert not stuck(position(table + "stock KS", Options(foundation_return=False), recycles=1))
    assert stuck(position(table + "stock KC", Options(foundation_return=False), recycles=1))


def test_a_whole_column_that_goes_onto_another_is_a_move():
    state = position("""
        0 QS JD
        1 # # KH
        2 # # 9C
        3 # # 7S
        4 # # 7C
        5 # # 7D
        6 # # 5D""")
    assert not stuck(state)


def test_a_card_that_can_come_back_from_a_foundation_is_a_move():
    assert not stuck(blocked(home="8H"))
    assert stuck(blocked(home="8H", options=Options(foundation_return=False)))


@pytest.mark.parametrize("foundation_return", [True, False])
def test_a_won_game_is_not_stuck(foundation_return):
    assert not stuck(position("home KS KH KD KC", Options(foundation_return=foundation_return)))
