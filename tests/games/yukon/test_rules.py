"""Yukon as it is commonly told, case by case.

Positions are drawn with one line per column, cards bottom to top: `0 (9C) 5H`, where `(9C)` lies face down; `home 3S
5H` for the top cards of the foundations.
"""

import pytest

from domain.game_type import Result
from domain.games.yukon import YUKON, Move, Moved, Options, State, Turned
from domain.kit.cards import PACK
from tests.games.rules import Rules, heights, mover, piles

RULES = Rules(YUKON)
PLAIN, RETURN = Options(), Options(foundation_return=True)
stuck, sentences = RULES.stuck, RULES.sentences
move = mover(Move)


def position(text, options=PLAIN):
    """The position that the text draws; columns without a line are empty."""
    drawn = piles(text)
    columns = [drawn.get(str(place), []) for place in range(7)]
    faces = tuple(tuple(card.strip("()") for card in column) for column in columns)
    down = tuple(sum(card[0] == "(" for card in column) for column in columns)
    return State(options, faces, down, heights(drawn.get("home", ())))


def after(state, *said):
    return RULES.after(state, *map(move, said))


def events(state, said):
    return RULES.events(state, move(said))


def rule_against(state, said):
    return RULES.answer(state, move(said))


def legal(state, said):
    return RULES.legal(state, move(said))


def test_the_cards_are_dealt_row_by_row_over_the_columns_that_are_long_enough():
    deal = YUKON.evolve(YUKON.initial(Options(), 1), YUKON.events[0](PACK))
    assert deal.columns[0] == ("AS",)
    assert deal.columns[1] == ("2S", "8S", "AH", "7H", "KH", "6D")
    assert [column[-1] for column in deal.columns[2:]] == ["QD", "4C", "8C", "JC", "KC"]


TABLE = """
    0 TS
    1 (AC) 9H 2S KD 4C
    2 (5D) 9D
    3 TD
    4 9S
"""


def test_any_face_up_card_moves_with_all_cards_on_it_in_whatever_order_they_lie():
    state = position(TABLE)
    assert events(state, "1 0 x4") == (
        Moved(("9H", "2S", "KD", "4C"), "tableau_1", "tableau_0"),
        Turned("tableau_1", "AC"),
    )
    moved = after(state, "1 0 x4")
    assert moved.columns[:2] == (("TS", "9H", "2S", "KD", "4C"), ("AC",))
    assert moved.face_down == (0, 0, 1, 0, 0, 0, 0)


def test_a_column_takes_the_next_lower_rank_of_the_other_colour_only():
    state = position(TABLE)
    assert legal(state, "2 0")
    assert legal(state, "4 3")
    assert rule_against(state, "4 0") == "alternating_colours"
    assert rule_against(state, "3 4") == "one_rank_lower"


def test_an_uncovered_card_is_turned_and_a_face_up_one_is_not():
    assert events(position("0 9S 8H\n1 9C"), "0 1") == (Moved(("8H",), "tableau_0", "tableau_1"),)
    assert events(position("0 8H\n1 9C"), "0 1") == (Moved(("8H",), "tableau_0", "tableau_1"),)


def test_only_a_king_with_what_lies_on_it_goes_to_an_empty_column():
    state = position(TABLE)
    assert legal(state, "1 5 x2")
    assert after(state, "1 5 x2").columns[5] == ("KD", "4C")
    assert [rule_against(state, said) for said in ("0 5", "1 5", "1 5 x4")] == ["king_on_empty_column"] * 3


def test_foundations_go_up_in_suit_from_the_ace_by_top_cards():
    state = position("home AS\n0 (3H) 2S\n1 2S 3S\n2 AH\n3 2D")
    assert events(state, "0 S") == (Moved(("2S",), "tableau_0", "foundation_spades"), Turned("tableau_0", "3H"))
    assert after(state, "2 H").foundations == (1, 1, 0, 0)
    assert rule_against(state, "1 S x2") == "one_card_home"
    assert rule_against(state, "3 D") == "next_in_suit"
    assert rule_against(state, "2 S") == "own_foundation"


def test_a_card_comes_back_from_a_foundation_only_where_that_is_agreed():
    table = "home 5H\n0 6S\n1 6D"
    assert rule_against(position(table), "H 0") == "foundation_return"
    assert not legal(position(table), "H 0")
    state = position(table, RETURN)
    assert legal(state, "H 0")
    assert not legal(state, "H 1")
    assert after(state, "H 0").foundations == (0, 4, 0, 0)
    assert after(state, "H 0").columns[0] == ("6S", "5H")
    assert legal(position("home KH", RETURN), "H 3")


@pytest.mark.parametrize(("said", "rule"), [
    ("0 0", "same_zone"), ("6 0", "source_empty"), ("1 3 x5", "face_up_only"), ("2 3 x2", "face_up_only"),
    ("H 0", "foundation_return"),
])  # fmt: skip
def test_a_move_that_a_rule_forbids_is_refused_by_that_rule(said, rule):
    assert rule_against(position(TABLE), said) == rule


def test_from_a_foundation_only_the_top_card_is_taken_and_no_other_foundation_takes_it():
    state = position("home 5H\n0 7S", RETURN)
    assert rule_against(state, "H 0 x2") == "top_card_only"
    assert rule_against(state, "H S") == "own_foundation"
    assert rule_against(state, "S 0") == "source_empty"


def test_no_card_goes_onto_a_card_of_its_own_packet():
    state = position("0 9H 8S TS")
    assert YUKON.legal_commands(state, 0) == ()
    assert rule_against(state, "0 0 x3") == "same_zone"


LAST = "home KS KH KD QC\n2 KC"


def test_the_last_card_home_wins_with_a_score_of_52():
    won = after(position(LAST), "2 C")
    assert YUKON.result(won) == Result("won", "all_home", (0,), (52,))
    assert YUKON.legal_commands(won, 0) == ()
    assert rule_against(won, "2 C") == "game_over"
    assert not stuck(won)


DEAD = "home 3S\n0 (AH) 9S\n1 9C\n2 7S\n3 7C\n4 5S\n5 5C\n6 JS"


def test_a_game_in_which_no_card_can_move_is_lost_and_with_undo_stays_open_as_stuck():
    lost = position(DEAD, Options(undo=False))
    assert YUKON.result(lost) == Result("lost", "no_moves", (), (3,))
    assert stuck(lost)
    assert YUKON.result(position(DEAD)) is None
    assert stuck(position(DEAD))
    assert not stuck(position(DEAD.replace("6 JS", "6 8D")))


def test_a_kings_whole_column_that_only_changes_its_place_does_not_count_as_a_move():
    state = position("0 KS 2D\n1 9C")
    assert legal(state, "0 2 x2")
    assert stuck(state)
    assert not stuck(position("0 (3C) KS 2D\n1 9C"))


def test_a_card_that_can_come_back_from_a_foundation_counts_as_a_move():
    assert not stuck(position("home 5H\n0 6S", RETURN))
    assert stuck(position("home 5H\n0 6S"))


def test_a_table_before_the_deal_is_neither_stuck_nor_lost():
    start = YUKON.initial(Options(undo=False), 1)
    assert (stuck(start), YUKON.result(start), YUKON.legal_commands(start, 0)) == (False, None, ())


def test_the_top_card_goes_home_first_and_then_each_card_by_its_depth():
    state = position("home AS\n0 9H 2S\n1 3D\n2 TC")
    assert YUKON.legal_commands(state, 0) == (move("0 S"), move("0 1"), move("0 2 x2"))


def test_a_packet_of_more_than_a_suit_moves_as_one():
    packet = "9H 2S KD 4C 3C 3D 3H 4S 4D 4H 6C 6S 6D 6H"
    assert legal(position(f"0 {packet}\n1 TS"), "0 1 x14")


def test_the_facts_count_the_cards_that_lie_face_down():
    assert RULES.facts(RULES.deal()).face_down == 21
    assert RULES.facts(after(position("0 (AC) 9H\n1 TS"), "0 1")).face_down == 0


def test_what_happens_is_told():
    state = position("home 5H\n0 (AC) 9H 2S KD\n1 TS\n2 3D\n3 6S", RETURN)
    assert sentences(state, move("0 1 x3")) == [
        "The player moves the nine of hearts with 2 cards on it from column 1 to column 2.",
        "The ace of clubs is turned up in column 1.",
    ]
    assert sentences(state, move("0 4")) == ["The player moves the king of diamonds from column 1 to column 5."]
    assert sentences(state, move("H 3")) == [
        "The player moves the five of hearts from the foundation of hearts to column 4."
    ]
    assert "1 card on it" in sentences(position("0 9H 2S\n1 TS"), move("0 1 x2"))[0]
