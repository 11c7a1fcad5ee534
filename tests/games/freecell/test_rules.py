"""Every rule of FreeCell that refuses a command, by its slug."""

import pytest

from domain.game_type import Illegal
from domain.games.freecell import FREECELL, Options

from .positions import after, move, position, rule_against, standard

TABLE = position("""
    cells 7H - TD -
    home 3S
    0 2D 8C 7D
    1 8S
    2 KH QS
    3 8H
    4 TC 9D 8C 7D 6S 5D 4C 3H""")


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("0 0", "same_zone"),
        ("a a", "same_zone"),
        ("b b", "same_zone"),
        ("5 0", "source_empty"),
        ("b 0", "source_empty"),
        ("a 1 x2", "one_card"),
        ("2 5 x2", None),
        ("0 5 x3", "no_run"),
        ("1 5 x2", "no_run"),
        ("4 5 x9", "no_run"),
        ("0 D x2", "one_card_home"),
        ("0 S", "own_foundation"),
        ("1 S", "next_in_suit"),
        ("0 3", "alternating_colours"),
        ("1 c", "cell_occupied"),
        ("a b", "cell_to_cell"),
        ("a c", "cell_to_cell"),
        ("0 b x2", "one_card_in_a_cell"),
        ("0 2", "one_rank_lower"),
        ("1 0", "one_rank_lower"),
        ("4 5 x8", None),
        ("S 0", "foundation_return"),
    ],
)
def test_a_move_that_a_rule_forbids_is_refused_by_that_rule(command, rule):
    assert rule_against(TABLE, move(command)) == rule


def test_more_cards_than_cells_and_columns_carry_are_refused():
    full = position("""
        cells 7H 7D TD KD
        0 TC 9D 8C
        1 JH""")
    assert rule_against(full, move("0 1 x3")) is None
    assert rule_against(full, move("0 2 x2")) is None
    crowded = position("0 TC 9D 8C\n1 JH\n2 KH\n3 KC\n4 QH\n5 QC\n6 QD\n7 JC\ncells 7H 7D TD")
    assert rule_against(crowded, move("0 1 x3")) == "run_limit"


def test_a_standard_move_is_refused_by_the_rule_that_refuses_the_move_it_spells():
    spelt = {
        "61": "source_empty",
        "b1": "source_empty",
        "bh": "source_empty",
        "11": "same_zone",
        "14": "alternating_colours",
        "2h": "next_in_suit",
        "2c": "cell_occupied",
        "15v3": "no_run",
        "a5": "alternating_colours",
        "2hv2": "no_run",
    }
    assert {text: rule_against(TABLE, *standard(text)) for text in spelt} == spelt


def test_a_card_comes_back_from_a_foundation_to_a_column_only():
    options = Options(foundation_return=True)
    state = position("home 3S\n0 4H", options)
    assert rule_against(state, move("S a")) == "return_to_column"
    assert rule_against(state, move("S H")) == "return_to_column"
    assert rule_against(state, move("S 0 x2")) == "one_card"
    assert rule_against(state, move("H 0")) == "source_empty"


def test_a_won_game_takes_no_further_move():
    won = after(position("home KS KH KD QC\n3 KC", Options(foundation_return=True)), move("3 C"))
    assert rule_against(won, move("C 3")) == "game_over"
    assert FREECELL.legal_commands(won, 0) == ()
    assert FREECELL.look(won, 0).to_act == ()


def test_no_other_seat_may_play():
    assert FREECELL.legal_commands(TABLE, 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        FREECELL.decide(TABLE, 1, move("2 5"))
