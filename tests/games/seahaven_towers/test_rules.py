"""Every rule of Seahaven Towers that refuses a command, by its slug."""

import pytest

from domain.game_type import Illegal
from domain.games.seahaven_towers import SEAHAVEN_TOWERS

from .positions import after, move, position, rule_against, standard

TABLE = position("""
    towers 7H - TD -
    home 3S
    0 2D 8C 7C
    1 8S
    2 KH QH
    3 8H
    4 TC 9C 8C 7C
    9 6D 9D""")


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("0 0", "same_zone"),
        ("a a", "same_zone"),
        ("b b", "same_zone"),
        ("5 0", "source_empty"),
        ("b 0", "source_empty"),
        ("a 3 x2", "one_card"),
        ("a 3", None),
        ("2 5 x2", None),
        ("2 5", "king_on_empty_column"),
        ("0 5 x3", "no_run"),
        ("1 5 x2", "no_run"),
        ("4 5 x4", "king_on_empty_column"),
        ("0 C x2", "one_card_home"),
        ("0 S", "own_foundation"),
        ("1 S", "next_in_suit"),
        ("1 3", "in_suit"),
        ("0 1", "in_suit"),
        ("1 c", "tower_occupied"),
        ("a b", "tower_to_tower"),
        ("a c", "tower_to_tower"),
        ("0 b x2", "one_card_in_a_tower"),
        ("0 4", "one_rank_lower"),
        ("3 a", "tower_occupied"),
        ("9 2", "in_suit"),
    ],
)
def test_a_move_that_a_rule_forbids_is_refused_by_that_rule(command, rule):
    assert rule_against(TABLE, move(command)) == rule


def test_more_cards_than_the_towers_carry_are_refused():
    state = position("0 TC 9C 8C 7C 6C\n1 JC\ntowers 7H 7D TD")
    assert rule_against(state, move("0 1 x5")) == "run_limit"
    assert rule_against(position("0 TC 9C\n1 JC\ntowers 7H 7D TD"), move("0 1 x2")) is None


def test_a_standard_move_is_refused_by_the_rule_that_refuses_the_move_it_spells():
    spelt = {
        "61": "source_empty",
        "b10": "source_empty",
        "bh": "source_empty",
        "1010": "same_zone",
        "14": "in_suit",
        "2h": "next_in_suit",
        "2c": "tower_occupied",
        "16v3": "no_run",
        "103": "in_suit",
        "110": "in_suit",
        "36v1": "king_on_empty_column",
        "2hv2": "no_run",
    }
    assert {text: rule_against(TABLE, *standard(text)) for text in spelt} == spelt


def test_a_won_game_takes_no_further_move():
    won = after(position("home KS KH KD QC\n3 KC"), move("3 C"))
    assert rule_against(won, move("0 3")) == "game_over"
    assert SEAHAVEN_TOWERS.legal_commands(won, 0) == ()
    assert SEAHAVEN_TOWERS.look(won, 0).to_act == ()


def test_no_other_seat_may_play():
    assert SEAHAVEN_TOWERS.legal_commands(TABLE, 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        SEAHAVEN_TOWERS.decide(TABLE, 1, move("2 5"))
