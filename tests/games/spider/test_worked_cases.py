"""Spider as it is commonly told, case by case."""

from domain.chance import Chance
from domain.game_type import Result
from domain.games.spider import PACKS, RUN, SPIDER, Deal, Moved, Options, RowDealt, SuitRemoved, Turned

from .positions import PLAIN, after, cards, events, legal, move, position, rule_against

ROWS = """
    0 KS
    1 KS
    2 KS
    3 KS
    4 KS
    5 KS
    6 KS
    7 KS
    8 KS
    9 KS
"""
"""Ten columns of which none is empty."""


def dealt(options=PLAIN):
    given = PACKS[options.suits]
    return SPIDER.evolve(SPIDER.initial(options, 1), SPIDER.deal(options, Chance(b"", given=given), 1)[0])


def test_the_deal_is_four_columns_of_six_and_six_of_five_with_ten_cards_face_up_and_fifty_in_the_stock():
    state = dealt()
    assert [len(column) for column in state.columns] == [6, 6, 6, 6, 5, 5, 5, 5, 5, 5]
    assert sum(len(column) - down for column, down in zip(state.columns, state.face_down, strict=True)) == 10
    assert len(state.stock) == 50


def test_rows_are_dealt_over_the_columns_then_the_extra_cards_then_a_row_face_up_and_the_next_row_is_the_stocks():
    deck = PACKS[4]
    state = dealt()
    assert state.columns[1] == (deck[1], deck[11], deck[21], deck[31], deck[41], deck[45])
    assert state.columns[9] == (deck[9], deck[19], deck[29], deck[39], deck[53])
    assert events(state, Deal()) == (RowDealt(deck[54:64]),)


def test_the_stock_holds_five_rows():
    state = dealt()
    for number in range(5):
        assert events(state, Deal())[0] == RowDealt(PACKS[4][54 + 10 * number : 64 + 10 * number])
        state = after(state, Deal())
    assert rule_against(state, Deal()) == "stock_empty"


def test_of_a_jack_ten_nine_in_three_suits_only_the_nine_moves_onto_any_ten_or_into_a_space():
    state = position("""
        0 JH TD 9S
        1 TC
        2 QD
        3 JC""")
    assert legal(state, move("0 1"))
    assert legal(state, move("0 4"))
    assert rule_against(state, move("0 3 x2")) == "run_in_suit"
    assert rule_against(state, move("0 2 x3")) == "run_in_suit"


def test_a_jack_ten_nine_in_suit_moves_as_three_onto_any_queen():
    state = position("""
        0 JC TC 9C
        1 QD
        2 QC""")
    assert events(state, move("0 1 x3")) == (Moved(("JC", "TC", "9C"), "tableau_0", "tableau_1"),)
    assert after(state, move("0 2 x3")).columns[:3] == ((), ("QD",), ("QC", "JC", "TC", "9C"))


def test_the_suit_does_not_matter_and_the_ace_is_low():
    state = position("""
        0 KS
        1 QD
        2 AH
        3 2C
        4 3D""")
    assert legal(state, move("1 0"))
    assert legal(state, move("0 5"))
    assert legal(state, move("2 3"))
    assert rule_against(state, move("0 2")) == "one_rank_lower"
    assert not any(legal(state, move(f"{column} 2")) for column in (0, 1, 3, 4))


def test_with_an_empty_column_no_row_is_dealt():
    state = position(ROWS.replace("4 KS", "") + "stock 2C..AC KH..6H")
    assert rule_against(state, Deal()) == "empty_column"
    assert not legal(state, Deal())


def test_an_ace_that_completes_a_run_removes_it_at_once_and_turns_the_next_card():
    state = position("""
        0 # (9C) KH..2H
        1 # (3D) AH""")
    said = move("1 0")
    assert events(state, said) == (
        Moved(("AH",), "tableau_1", "tableau_0"),
        Turned("tableau_1", "3D"),
        SuitRemoved(RUN["H"], "tableau_0", "foundation_0"),
        Turned("tableau_0", "9C"),
    )
    done = after(state, said)
    assert done.columns[:2] == (("5C", "9C"), ("5C", "3D"))
    assert done.face_down[:2] == (1, 1)
    assert done.finished == ("H",)


def test_an_ace_of_another_suit_does_not_complete_a_run():
    state = position("""
        0 # KH..2H
        1 AD""")
    assert events(state, move("1 0")) == (Moved(("AD",), "tableau_1", "tableau_0"),)


def test_a_run_that_is_moved_together_in_two_parts_is_removed_too():
    state = position("""
        0 KD 9S KC..7C
        1 5D 6C..AC""")
    assert events(state, move("1 0 x6"))[-1] == SuitRemoved(RUN["C"], "tableau_0", "foundation_0")
    assert after(state, move("1 0 x6")).columns[:2] == (("KD", "9S"), ("5D",))


def test_a_run_whose_king_lies_face_down_is_not_removed():
    state = position("""
        0 # (KH) QH..2H
        1 AH""")
    assert events(state, move("1 0")) == (Moved(("AH",), "tableau_1", "tableau_0"),)


def test_a_dealt_row_that_completes_a_run_removes_it():
    state = position(ROWS.replace("3 KS", "3 (4D) KH..2H") + "stock 9C 9C 9C 9C 9C 9C AH 9C 9C 9C")
    row = ("9C", "9C", "9C", "AH", "9C", "9C", "9C", "9C", "9C", "9C")
    assert events(state, Deal()) == (
        RowDealt(row),
        SuitRemoved(RUN["H"], "tableau_3", "foundation_0"),
        Turned("tableau_3", "4D"),
    )


def test_a_dealt_row_that_completes_two_runs_removes_that_of_the_lower_column_first():
    table = ROWS.replace("3 KS", "3 KH..2H").replace("7 KS", "7 (4D) KC..2C")
    state = position(table + "stock 9C 9C AC 9C 9C 9C AH 9C 9C 9C\nfinished S")
    assert events(state, Deal())[1:] == (
        SuitRemoved(RUN["H"], "tableau_3", "foundation_1"),
        SuitRemoved(RUN["C"], "tableau_7", "foundation_2"),
        Turned("tableau_7", "4D"),
    )
    assert after(state, Deal()).finished == ("S", "H", "C")


def test_with_one_suit_every_descending_run_moves_as_a_unit():
    state = dealt(Options(suits=1))
    assert {card[1] for column in state.columns for card in column} == {"S"}
    table = position("0 # 9S 8S 7S\n1 TS", Options(suits=1))
    assert legal(table, move("0 1 x3"))


def test_the_eighth_run_wins_and_no_card_is_left():
    state = position("0 KD..2D\n9 AD\nfinished S S H H D C C")
    assert SPIDER.result(state) is None
    won = after(state, move("9 0"))
    assert SPIDER.result(won) == Result("won", "all_home", (0,), (104,))
    assert not won.stock
    assert not any(won.columns)
    assert SPIDER.legal_commands(won, 0) == ()
    assert rule_against(won, Deal()) == "game_over"
    assert SPIDER.look(won, 0).to_act == ()


def test_the_two_copies_of_a_card_read_the_same():
    state = position("0 8D\n1 8D\n2 9S")
    assert after(state, move("0 2")).columns[2] == after(state, move("1 2")).columns[2] == cards(["9S", "8D"])
