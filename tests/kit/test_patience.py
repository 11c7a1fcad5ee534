"""The words of the patiences."""

from collections import Counter

import pytest

from domain.game_type import Illegal
from domain.kit.cards import PACK
from domain.kit.patience import (
    ALTERNATING,
    FOUNDATIONS,
    HOME,
    IN_SUIT,
    KINGS,
    NO_CARD,
    ON_ALTERNATING,
    ON_IN_SUIT,
    check_alternating,
    check_home,
    check_in_suit,
    column_zone,
    count_needed,
    fitting_count,
    foundation_zones,
    home_cards,
    next_home,
    run_length,
    the,
    top_of,
    with_value_at,
    zone_name,
)


def rule(check, *said):
    with pytest.raises(Illegal) as refusal:
        check(*said)
    return refusal.value.rule


def test_a_red_jack_takes_both_black_tens_and_nothing_else():
    assert ALTERNATING["JH"] == {"TS", "TC"}
    assert IN_SUIT["JH"] == {"TH"}
    assert {len(taken) for taken in ALTERNATING.values()} == {0, 2}
    assert Counter(len(taken) for taken in IN_SUIT.values()) == {1: 48, 0: 4}


def test_nothing_lies_on_an_ace():
    assert not any(ALTERNATING[ace] or IN_SUIT[ace] for ace in PACK if ace[0] == "A")


def test_a_black_ten_goes_on_both_red_jacks_and_a_king_on_nothing():
    assert ON_ALTERNATING["TC"] == ("JH", "JD")
    assert ON_IN_SUIT["TC"] == ("JC",)
    assert all(ON_ALTERNATING[king] == ON_IN_SUIT[king] == () for king in KINGS)


def test_there_are_four_kings():
    assert {"KS", "KH", "KD", "KC"} == KINGS


@pytest.mark.parametrize(
    ("column", "alternating", "in_suit"),
    [("", 0, 0), ("9C", 1, 1), ("9C 7H", 1, 1), ("KS 9C 8H 7S", 3, 1), ("8S 9C 8C 7C", 1, 3), ("3S 2H AS", 3, 1)],
)
def test_a_run_is_counted_from_the_top(column, alternating, in_suit):
    assert run_length(column.split(), ALTERNATING) == alternating
    assert run_length(column.split(), IN_SUIT) == in_suit


@pytest.mark.parametrize(
    ("run", "top", "fits"),
    [("9S 8H 7S", "TH", 3), ("9S 8H 7S", "9C", 2), ("9S 8H 7S", "8D", 1), ("9S 8H 7S", "TC", 0), ("9S 8H 7S", "7D", 0),
     ("9S 8H 7S", "JH", 0), ("9S 8H 7S", "2H", 0)],
)  # fmt: skip
def test_one_number_of_cards_of_a_run_fits_a_card(run, top, fits):
    assert fitting_count(run.split(), top, ALTERNATING) == fits


def test_a_run_in_suit_fits_its_own_suit_only():
    run = ["9C", "8C", "7C"]
    assert [fitting_count(run, top, IN_SUIT) for top in ("TC", "9C", "8C", "7C", "TS")] == [3, 2, 1, 0, 0]


def test_the_top_of_an_empty_column_is_no_card():
    assert top_of(("2H", "QS")) == "QS"
    assert top_of(()) == NO_CARD


def test_one_value_is_changed_and_the_others_stay():
    assert with_value_at((1, 2, 3), 1, 9) == (1, 9, 3)


def test_every_card_has_its_place_at_home():
    assert HOME["AS"] == (0, 0)
    assert HOME["TD"] == (2, 9)
    assert all(home_cards(suit, needed + 1)[-1] == card for card, (suit, needed) in HOME.items())


def test_only_the_next_card_of_the_suit_goes_home():
    homes = (0, 4, 0, 0)
    check_home(homes, ["5H"], 1)
    assert rule(check_home, homes, ["6H"], 1) == "next_in_suit"
    assert rule(check_home, homes, ["5H"], 2) == "own_foundation"
    assert rule(check_home, homes, ["6S", "5H"], 1) == "one_card_home"


def test_foundations_may_begin_with_another_rank_and_go_on_from_the_king_to_the_ace():
    assert [count_needed(card, 12) for card in ("QH", "KH", "AH", "JH")] == [0, 1, 2, 12]
    assert home_cards(1, 3, 12) == ("QH", "KH", "AH")
    assert next_home((0, 3, 13, 1), 12) == {"QS", "2H", "KC"}
    assert next_home((0, 3, 13, 1)) == {"AS", "4H", "2C"}
    check_home((0, 2, 0, 0), ["AH"], 1, 12, "base rank")
    with pytest.raises(Illegal, match="from the base rank without a gap"):
        check_home((0, 2, 0, 0), ["2H"], 1, 12, "base rank")


def test_a_king_goes_on_an_ace_where_that_is_agreed():
    check_alternating("AC", "KH", king_on_ace=True)
    assert rule(lambda: check_alternating("AC", "KS", king_on_ace=True)) == "alternating_colours"
    assert rule(lambda: check_alternating("2C", "KH", king_on_ace=True)) == "one_rank_lower"


@pytest.mark.parametrize(
    ("top", "card", "alternating", "in_suit"),
    [
        ("9C", "8H", None, "in_suit"),
        ("9C", "8C", "alternating_colours", None),
        ("9C", "8S", "alternating_colours", "in_suit"),
        ("9C", "7C", "alternating_colours", "one_rank_lower"),
        ("9C", "7H", "one_rank_lower", "in_suit"),
        ("AC", "KH", "one_rank_lower", "in_suit"),
        ("AC", "KC", "alternating_colours", "one_rank_lower"),
    ],
)
def test_a_card_that_does_not_fit_is_refused_by_its_rule_and_the_tables_agree(top, card, alternating, in_suit):
    for check, table, wrong in ((check_alternating, ALTERNATING, alternating), (check_in_suit, IN_SUIT, in_suit)):
        assert (card in table[top]) == (wrong is None)
        if wrong is None:
            check(top, card)
        else:
            assert rule(check, top, card) == wrong


def test_the_foundations_stand_above_the_columns_that_are_named():
    zones = foundation_zones((0, 2, 0, 13), (0, 1, 8, 9))
    assert tuple(zone.id for zone in zones) == FOUNDATIONS
    assert [(zone.x, zone.y) for zone in zones] == [(0, 0), (1.25, 0), (10, 0), (11.25, 0)]
    assert [zone.cards for zone in zones] == [(), ("AH", "2H"), (), PACK[39:]]


def test_a_column_stands_below_with_its_unseen_cards_counted():
    zone = column_zone(3, ("9C", "8H"), 2)
    assert (zone.id, zone.label, zone.layout) == ("tableau_3", "Column 4", "column")
    assert (zone.x, zone.y, zone.face_down, zone.cards) == (3.75, 1.25, 2, ("9C", "8H"))
    assert column_zone(3, ("9C", "8H"), left=2).x == 6.25


def test_cards_are_told_one_after_another():
    assert the(("AS",)) == "the ace of spades"
    assert the(("AS", "2H", "TC")) == "the ace of spades, the two of hearts and the ten of clubs"


def test_zones_have_names():
    zones = ("tableau_3", "foundation_spades", "waste")
    assert [zone_name(zone) for zone in zones] == ["column 4", "the foundation of spades", "the waste"]
