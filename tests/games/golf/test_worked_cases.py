"""Golf as it is commonly told, case by case."""

from domain.game_type import Result
from domain.games.golf import GOLF, Draw, Drawn, Moved, Options

from .positions import after, dealt, events, legal, play, position, rule_against


def test_35_cards_are_dealt_in_seven_columns_one_is_turned_and_16_are_the_stock():
    state = dealt()
    assert [len(column) for column in state.columns] == [5] * 7
    assert state.columns[0] == ("QD", "5C", "2D", "4S", "6S")
    assert state.discard == ("2S",)
    assert len(state.stock) == 16
    assert events(state, Draw()) == (Drawn("3S"),)


def test_on_a_six_goes_a_five_or_a_seven_of_any_suit_and_no_six():
    state = position("""
        discard 6S
        0 5H
        1 7S
        2 6D
        3 5C
        4 8S""")
    assert [legal(state, play(column)) for column in range(5)] == [True, True, False, True, False]
    assert rule_against(state, play(2)) == "adjacent_rank"
    assert events(state, play(0)) == (Moved("5H", "tableau_0", "discard"),)


def test_on_an_ace_goes_a_two_and_no_king_and_on_a_two_an_ace_or_a_three():
    on_ace = position("discard AH\n0 2C\n1 KD")
    assert legal(on_ace, play(0))
    assert rule_against(on_ace, play(1)) == "adjacent_rank"
    on_two = position("discard 2S\n0 AH\n1 3C")
    assert legal(on_two, play(0))
    assert legal(on_two, play(1))


def test_a_king_goes_on_a_queen_and_then_nothing_until_a_card_is_drawn():
    state = after(position("discard QD\nstock JS\n0 KS\n1 QH"), play(0))
    assert rule_against(state, play(1)) == "nothing_on_a_king"
    assert GOLF.legal_commands(state, 0) == (Draw(),)
    assert legal(after(state, Draw()), play(1))


def test_what_goes_on_a_king_is_an_option():
    table = "discard KD\nstock 5S\n0 QS\n1 QH\n2 AC"
    assert GOLF.legal_commands(position(table), 0) == (Draw(),)
    queens = position(table, Options(queens_on_kings=True))
    assert [legal(queens, play(column)) for column in range(3)] == [True, True, False]
    wrap = position(table, Options(wrap=True))
    assert [legal(wrap, play(column)) for column in range(3)] == [True, True, True]


LAST = "discard 8S\n0 2H 5H\n1 KD 8H"


def test_four_cards_left_with_nothing_to_play_and_no_stock_are_a_lost_game_of_four_points():
    assert GOLF.result(position(LAST, Options(undo=False))) == Result("lost", "no_moves", (), (4,))


def test_the_last_card_of_the_columns_wins_though_cards_are_left_in_the_stock():
    state = position("discard 8S\n3 9H\nstock 2S 3S 4S 5S 6S 7S")
    assert GOLF.result(state) is None
    won = after(state, play(3))
    assert GOLF.result(won) == Result("won", "columns_cleared", (0,), (0,))
    assert GOLF.legal_commands(won, 0) == ()
    assert rule_against(won, Draw()) == "game_over"


def test_drawing_only_when_stuck_is_an_option():
    table = "discard 8S\n0 9H\nstock 2S"
    assert legal(position(table), Draw())
    strict = position(table, Options(draw_only_when_stuck=True))
    assert rule_against(strict, Draw()) == "draw_only_when_stuck"
    assert not legal(strict, Draw())
    assert legal(position(table.replace("9H", "TH"), Options(draw_only_when_stuck=True)), Draw())
