from itertools import combinations

import pytest

from domain.games.bridge_solitaire.rules import house_call, suit_winners, winners
from domain.games.bridge_solitaire.state import HIGH_TO_LOW, Options

from .positions import bidding, hand


def test_the_walk_equals_its_closed_form_on_all_8192_holdings():
    """With n cards in a suit, as many win as there are of the suit's n highest among them."""
    holdings = [held for count in range(14) for held in combinations(HIGH_TO_LOW, count)]
    assert len(holdings) == 8192
    assert all(suit_winners(held) == len(set(HIGH_TO_LOW[: len(held)]) & set(held)) for held in holdings)


@pytest.mark.parametrize(
    ("held", "count"),
    [
        ("AQT9", 2), ("AKQJT8", 5), ("Q87", 1), ("94", 0), ("3", 0), ("AQT32", 3), ("K43", 1), ("A93", 1),
        ("AK", 2), ("Q85", 1), ("JT72", 1), ("Q8", 0), ("Q82", 1), ("K", 0), ("K4", 1), ("T54", 0), ("762", 0), ("", 0),
        ("AKQJT98765432", 13),
    ],
)  # fmt: skip
def test_holdings_of_the_published_examples_win_as_told_there(held, count):
    assert suit_winners(held) == count


def call(picture, **options):
    made = house_call(hand(picture), (), Options(**options))
    return f"{made.level}{made.strain}" if made.level else "pass"


def test_six_winners_make_the_house_pass():
    picture = "AKQJT8 C, Q87 H, 94 S, 3 D, *1"
    assert winners(hand(picture)) == 6
    assert call(picture) == "pass"


def test_five_winners_and_a_single_diamond_make_the_house_bid_one_diamond():
    picture = "AQT32 H, 3 D, K43 C, A93 S, *1"
    assert winners(hand(picture)) == 5
    assert call(picture) == "1D"


def test_thirteen_winners_make_the_house_pass():
    assert winners(hand("AKQJ S, AKQ H, AKQ D, AKQ C")) == 13
    assert call("AKQJ S, AKQ H, AKQ D, AKQ C") == "pass"


def test_no_winners_make_the_house_bid_six_of_the_highest_shortest_suit():
    assert call("5432 S, 543 H, 543 D, 543 C") == "6H"


def test_with_house_tie_lowest_the_lowest_of_the_shortest_suits_is_named():
    assert call("5432 S, 543 H, 543 D, 543 C", house_tie="lowest") == "6C"


def test_four_winners_all_in_spades_make_the_house_bid_two_diamonds():
    assert winners(hand("KQJT9 S, J32 H, QJ D, 432 C")) == 4
    assert call("KQJT9 S, J32 H, QJ D, 432 C") == "2D"


def test_of_three_suits_tied_at_three_the_house_names_spades():
    assert winners(hand("QJT S, JT98 H, KQ2 D, A72 C")) == 5
    assert call("QJT S, JT98 H, KQ2 D, A72 C") == "1S"


def test_a_void_is_the_shortest_suit():
    assert call("65432 S, 65432 H, 543 C") == "6D"


def test_jokers_count_nothing():
    assert winners(hand("A S, *1, *2")) == 1


def test_excluded_discards_are_nobodys_cards():
    """Without the ace and the king, discarded, the queen is the highest that anybody holds."""
    held, discards = hand("QJ S, 432 H, 432 D, 65432 C"), hand("AK S, 98765 H")
    assert winners(held) == 0
    assert winners(held, discards) == 2
    assert house_call(held, discards, Options()).level == 6
    assert house_call(held, discards, Options(exclude_discards=True)).level == 4


def test_where_the_house_has_no_card_left_every_card_of_the_players_wins():
    assert suit_winners("32", "AKQJT987654") == 2
    assert suit_winners("32", "AKQJT98765") == 1
    assert suit_winners("5432", "AKQJT9") == 1


def test_the_game_leaves_its_own_discards_out_when_told_to():
    """The seven discards of these positions are the ace and low spades, so that a king is the highest left."""
    picture = "98 S, 432 H, 432 D, 65432 C"
    assert bidding(picture).discard == tuple(rank + "S" for rank in "A234567")
    assert bidding(picture).call.level == 6
    assert bidding(picture, exclude_discards=True).call.level == 6
    assert bidding("KQ S, 432 H, 432 D, 65432 C").call.level == 5
    assert bidding("KQ S, 432 H, 432 D, 65432 C", exclude_discards=True).call.level == 4
