"""FreeCell as it is commonly told, case by case."""

from domain.capabilities import NumberedDeals
from domain.game_type import Result
from domain.games.freecell import FREECELL, Moved

from .positions import FULL, after, dealt, events, legal, move, position, rule_against


def test_the_deal_is_four_columns_of_seven_and_four_of_six():
    state = dealt(1)
    assert [len(column) for column in state.columns] == [7, 7, 7, 7, 6, 6, 6, 6]
    assert state.cells == (None,) * 4
    assert state.foundations == (0,) * 4


def test_rows_are_dealt_over_the_columns_and_the_last_card_dealt_is_on_top():
    state, cards = dealt(1), FREECELL.get(NumberedDeals).cards(1, FREECELL.options())
    assert tuple(column[0] for column in state.columns) == cards[:8]
    assert tuple(column[-1] for column in state.columns[:4]) == cards[48:]


def test_a_red_jack_goes_on_a_black_queen_and_on_nothing_else():
    state = position("""
        0 JD
        1 QC
        2 QS
        3 QH
        4 KC""")
    assert legal(state, move("0 1"))
    assert legal(state, move("0 2"))
    assert rule_against(state, move("0 3")) == "alternating_colours"
    assert rule_against(state, move("0 4")) == "one_rank_lower"


FIVE_FOUR_THREE = """
    0 9C 5S 4H 3S
    1 6D
    2 KC
    3 KD
    4 KH
    5 KS
    6 QC
    7 QD
"""


def test_five_four_three_goes_onto_a_six_by_way_of_two_free_cells():
    state = position(FIVE_FOUR_THREE + "cells JC JD")
    assert events(state, move("0 1 x3")) == (Moved(("5S", "4H", "3S"), "tableau_0", "tableau_1", "12"),)
    assert after(state, move("0 1 x3")).columns[:2] == (("9C",), ("6D", "5S", "4H", "3S"))


def test_that_run_is_what_the_single_moves_come_to():
    state = position(FIVE_FOUR_THREE + "cells JC JD")
    singly = after(state, move("0 c"), move("0 d"), move("0 1"), move("d 1"), move("c 1"))
    assert singly == after(state, move("0 1 x3"))


def test_one_free_cell_carries_two_cards_only():
    state = position(FIVE_FOUR_THREE.replace("6D", "5D") + "cells JC JD JH")
    assert rule_against(position(FIVE_FOUR_THREE + "cells JC JD JH"), move("0 1 x3")) == "run_limit"
    assert rule_against(state, move("0 1 x2")) == "alternating_colours"
    assert legal(position(FIVE_FOUR_THREE.replace("6D", "5C") + "cells JC JD JH"), move("0 1 x2"))


SIX = """
    0 9D 8S 7H 6S 5H 4S 3H
    1 {}
    2 KD
    3 KH
    4 KS
    5 QC
    6 QD
    cells JC JD
"""


def test_two_free_cells_and_an_empty_column_carry_six_onto_a_card_and_three_into_that_column():
    assert legal(position(SIX.format("9H")), move("0 1 x6"))
    assert rule_against(position(SIX.format("TC")), move("0 1 x7")) == "run_limit"
    assert legal(position(SIX.format("9H")), move("0 7 x3"))
    assert rule_against(position(SIX.format("9H")), move("0 7 x4")) == "run_limit"


def test_with_all_cells_full_nothing_goes_to_a_cell():
    state = position("0 5H" + FULL)
    assert rule_against(state, move("0 a")) == "cell_occupied"
    assert not any(command.target.startswith("cell") for command in FREECELL.legal_commands(state, 0))


def test_a_foundation_begins_with_the_ace_and_then_takes_the_two():
    state = position("0 2C\n1 AC")
    assert rule_against(state, move("0 C")) == "next_in_suit"
    started = after(state, move("1 C"))
    assert legal(started, move("0 C"))
    assert after(started, move("0 C")).foundations == (0, 0, 0, 2)


def test_an_empty_column_takes_any_card():
    state = position("0 9S 7D\ncells 2H")
    assert legal(state, move("0 5"))
    assert legal(state, move("a 5"))


def test_the_game_is_won_with_52_cards_home():
    state = position("home KS KH KD QC\n3 KC")
    assert FREECELL.result(state) is None
    assert FREECELL.result(after(state, move("3 C"))) == Result("won", "all_home", (0,), (52,))
