"""Seahaven Towers as it is commonly told, case by case."""

from domain.chance import Chance
from domain.game_type import Result
from domain.games.seahaven_towers import SEAHAVEN_TOWERS, Moved
from domain.kit.cards import PACK

from .positions import after, begun, events, legal, move, position, rule_against

PLAIN_DEAL = begun(Chance(b"", given=PACK))


def test_the_deal_is_ten_columns_of_five_and_two_cards_in_the_middle_towers():
    assert [len(column) for column in PLAIN_DEAL.columns] == [5] * 10
    assert PLAIN_DEAL.towers == (None, PACK[50], PACK[51], None)
    assert PLAIN_DEAL.foundations == (0,) * 4


def test_rows_are_dealt_over_the_columns_and_the_last_card_dealt_is_on_top():
    assert PLAIN_DEAL.columns[0] == (PACK[0], PACK[10], PACK[20], PACK[30], PACK[40])
    assert tuple(column[-1] for column in PLAIN_DEAL.columns) == PACK[40:50]


def test_the_four_of_diamonds_goes_on_the_five_of_diamonds_and_on_no_other_five():
    state = position("0 4D\n1 5D\n2 5H\n3 5C")
    assert legal(state, move("0 1"))
    assert rule_against(state, move("0 2")) == "in_suit"
    assert rule_against(state, move("0 3")) == "in_suit"


def test_a_covered_card_cannot_be_moved():
    state = position("0 4S 6H\n1 5S\n2 7H")
    assert legal(state, move("0 2"))
    assert rule_against(state, move("0 1")) == "in_suit"
    assert rule_against(state, move("0 1 x2")) == "no_run"
    assert legal(after(state, move("0 2")), move("0 1"))


def test_two_free_towers_carry_three_cards_and_not_four():
    three = position("0 2H 9C 8C 7C\n1 TC\ntowers KH KD")
    assert events(three, move("0 1 x3")) == (Moved(("9C", "8C", "7C"), "tableau_0", "tableau_1", "12"),)
    assert after(three, move("0 1 x3")).columns[:2] == (("2H",), ("TC", "9C", "8C", "7C"))
    assert rule_against(position("0 9C 8C 7C 6C\n1 TC\ntowers KH KD"), move("0 1 x4")) == "run_limit"


def test_that_run_is_what_the_single_moves_come_to():
    state = position("0 2H 9C 8C 7C\n1 TC\ntowers KH KD")
    singly = after(state, move("0 c"), move("0 d"), move("0 1"), move("d 1"), move("c 1"))
    assert singly == after(state, move("0 1 x3"))


def test_with_all_towers_full_nothing_goes_to_a_tower_and_a_tower_still_goes_home():
    state = position("0 5H\ntowers AS KH KD KC")
    assert rule_against(state, move("0 a")) == "tower_occupied"
    assert legal(state, move("a S"))


def test_an_empty_column_takes_a_king_and_no_queen():
    state = position("0 2D QS\n1 2H KS\ntowers KH QD")
    assert rule_against(state, move("0 5")) == "king_on_empty_column"
    assert rule_against(state, move("b 5")) == "king_on_empty_column"
    assert legal(state, move("1 5"))
    assert legal(state, move("a 5"))


def test_a_run_that_a_king_heads_goes_into_an_empty_column_whole():
    state = position("0 2D KS QS JS\ntowers KH QD")
    assert after(state, move("0 5 x3")).columns[5] == ("KS", "QS", "JS")
    assert rule_against(state, move("0 5 x2")) == "king_on_empty_column"
    assert rule_against(position("0 2D KS QS JS\ntowers KH QD 5H"), move("0 5 x3")) == "run_limit"


def test_an_empty_column_does_not_help_to_carry_a_run():
    assert rule_against(position("0 2D 9S 8S\n1 TS\ntowers KH KD QD JD"), move("0 1 x2")) == "run_limit"


def test_a_foundation_takes_the_next_card_from_a_tower():
    state = position("home 3S\ntowers 4S")
    assert legal(state, move("a S"))
    assert after(state, move("a S")).foundations == (4, 0, 0, 0)


def test_from_tower_to_tower_is_no_move():
    assert rule_against(position("towers 4S"), move("a b")) == "tower_to_tower"


def test_the_game_is_won_with_52_cards_home():
    state = position("home KS KH KD QC\n3 KC")
    assert SEAHAVEN_TOWERS.result(state) is None
    assert SEAHAVEN_TOWERS.result(after(state, move("3 C"))) == Result("won", "all_home", (0,), (52,))
