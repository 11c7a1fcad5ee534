"""Forty Thieves as it is commonly told, case by case."""

from domain.game_type import Result
from domain.games.forty_thieves import CARDS, FORTY_THIEVES, Draw, Drawn, Moved, Recycle

from .positions import after, dealt, events, legal, move, position, rule_against


def test_ten_columns_of_four_are_dealt_row_by_row_and_64_cards_are_the_stock():
    state = dealt()
    assert [len(column) for column in state.columns] == [4] * 10
    assert state.columns[3] == (CARDS[3], CARDS[13], CARDS[23], CARDS[33])
    assert len(state.stock) == 64
    assert state.waste == ()
    assert events(state, Draw()) == (Drawn((CARDS[40],)),)


def test_cards_are_drawn_one_at_a_time_onto_one_waste_at_any_time():
    state = after(position("0 9H\n1 8H\nstock 2S 3S 4S"), Draw(), Draw())
    assert (state.stock, state.waste) == (("2S",), ("4S", "3S"))


def test_on_a_nine_of_hearts_goes_an_eight_of_hearts_and_nothing_else():
    state = position("""
        0 9H
        1 8H
        2 8D
        3 8S
        4 TH
        5 9H
        6 KH""")
    assert events(state, move("1 0")) == (Moved(("8H",), "tableau_1", "tableau_0"),)
    assert {rule_against(state, move(f"{column} 0")) for column in (2, 3)} == {"in_suit"}
    assert {rule_against(state, move(f"{column} 0")) for column in (4, 5, 6)} == {"one_rank_lower"}
    assert legal(state, move("1 5"))


def test_nothing_goes_on_an_ace_and_a_king_on_nothing():
    state = position("0 AS\n1 KS\n2 2S\n" + "\n".join(f"{column} 7D" for column in range(3, 10)))
    assert not any(legal(state, move(f"{source} 0")) for source in (1, 2))
    assert not any(legal(state, move(f"1 {target}")) for target in range(10) if target != 1)


def test_only_the_top_card_moves_even_where_more_lie_in_order():
    state = position("0 9H 8H\n1 TH")
    assert rule_against(state, move("0 1 x2")) == "one_at_a_time"
    assert not legal(state, move("0 1"))


def test_any_card_goes_into_an_empty_column_from_a_column_or_the_waste():
    state = position("0 9H 4C\nwaste KD 2S")
    assert after(state, move("0 7")).columns[7] == ("4C",)
    assert after(state, move("waste 7")).columns[7] == ("2S",)
    assert after(state, move("waste 7")).waste == ("KD",)


def test_the_top_of_the_waste_can_be_played_and_the_cards_under_it_cannot():
    state = position("0 3S\n1 KH\nwaste 2H 2S" + "".join(f"\n{column} 7D" for column in range(2, 10)))
    assert legal(state, move("waste 0"))
    assert rule_against(state, move("waste 0 x2")) == "top_card_only"


def test_foundations_go_up_in_suit_from_the_ace_one_card_at_a_time():
    state = position("home 2S\n0 3S\n1 AH\n2 4S\n3 3H\n4 5S 4S")
    assert after(state, move("0 S0")).foundations == (3, 0, 0, 0, 0, 0, 0, 0)
    assert after(state, move("1 H0")).foundations == (2, 0, 1, 0, 0, 0, 0, 0)
    assert rule_against(state, move("2 S0")) == "next_in_suit"
    assert rule_against(state, move("0 H0")) == "own_foundation"
    assert rule_against(state, move("3 H0")) == "next_in_suit"


def test_a_card_goes_home_from_the_waste():
    state = after(position("home AD\nwaste 5C 2D"), move("waste D0"))
    assert (state.waste, state.foundations[4]) == (("5C",), 2)


def test_every_suit_has_two_foundations():
    state = position("home 7C AC\n0 2C\n1 8C")
    assert legal(state, move("0 C1"))
    assert legal(state, move("1 C0"))
    assert rule_against(state, move("0 C0")) == rule_against(state, move("1 C1")) == "next_in_suit"


def test_there_is_one_pass():
    state = after(position("0 KD\nstock 2H"), Draw())
    assert rule_against(state, Draw()) == "stock_empty"
    assert rule_against(state, Recycle()) == "passes_used_up"
    assert not legal(state, Recycle())


def test_the_last_card_home_wins():
    state = position("home KS KS KH KH KD KD KC QC\n0 KC")
    assert FORTY_THIEVES.result(state) is None
    won = after(state, move("0 C1"))
    assert FORTY_THIEVES.result(won) == Result("won", "all_home", (0,), (104,))
    assert FORTY_THIEVES.legal_commands(won, 0) == ()
    assert rule_against(won, Draw()) == "game_over"
    assert FORTY_THIEVES.look(won, 0).to_act == ()
