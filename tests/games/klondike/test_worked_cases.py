"""Klondike as it is commonly told, case by case."""

from domain.chance import Chance
from domain.games.klondike import KLONDIKE, Draw, Drawn, Moved, Recycle, Recycled, Turned
from domain.games.klondike import Options2 as Options
from domain.kit.cards import PACK

from .positions import PLAIN, after, events, legal, move, position, rule_against

DEALT = KLONDIKE.deal(Options(), Chance(b"", given=PACK), 1)


def dealt(options=PLAIN):
    return KLONDIKE.evolve(KLONDIKE.initial(options, 1), DEALT[0])


def test_the_deal_is_columns_of_one_to_seven_with_seven_cards_face_up_and_24_in_the_stock():
    state = dealt()
    assert [len(column) for column in state.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert sum(len(column) - down for column, down in zip(state.columns, state.face_down, strict=True)) == 7
    assert len(state.stock) == 24
    assert state.waste == ()


def test_rows_are_dealt_over_the_columns_and_the_next_card_is_the_first_of_the_stock():
    state = dealt()
    assert [column[0] for column in state.columns] == list(PACK[:7])
    assert state.columns[6] == tuple(PACK[place] for place in (6, 12, 17, 21, 24, 26, 27))
    assert events(state, Draw()) == (Drawn((PACK[28],)),)


def test_a_red_jack_goes_on_a_black_queen_and_not_on_a_red_one():
    state = position("""
        waste JD
        0 QC
        1 QS
        2 QH""")
    assert legal(state, move("waste 0"))
    assert legal(state, move("waste 1"))
    assert rule_against(state, move("waste 2")) == "alternating_colours"


def test_a_queen_and_jack_move_as_one_onto_either_red_king_or_the_jack_alone_onto_the_other_black_queen():
    state = position("""
        0 QS JD
        1 KH
        2 KD
        3 QC""")
    assert events(state, move("0 1 x2")) == (Moved(("QS", "JD"), "tableau_0", "tableau_1"),)
    assert after(state, move("0 1 x2")).columns[:2] == ((), ("KH", "QS", "JD"))
    assert legal(state, move("0 2 x2"))
    assert after(state, move("0 3")).columns[0] == ("QS",)


def test_an_empty_column_takes_a_king_or_a_run_that_a_king_heads_and_no_queen():
    state = position("""
        waste KS
        0 # KD QC JH
        1 # QH""")
    assert legal(state, move("waste 2"))
    assert legal(state, move("0 2 x3"))
    assert rule_against(state, move("1 2")) == "king_on_empty_column"
    assert rule_against(state, move("0 2 x2")) == "king_on_empty_column"


def test_a_face_down_card_that_is_uncovered_is_turned_as_an_event_of_its_own():
    state = position("""
        0 # (9C) 5H
        1 6S""")
    assert events(state, move("0 1")) == (
        Moved(("5H",), "tableau_0", "tableau_1"),
        Turned("tableau_0", "9C"),
    )
    assert after(state, move("0 1")).face_down[0] == 1


def test_drawing_three_from_a_stock_of_two_brings_both_and_the_last_can_be_played():
    state = position(
        """
        stock 4D 9C
        0 5S""",
        Options(draw=3),
    )
    drawn = after(state, Draw())
    assert (drawn.waste, drawn.stock) == (("9C", "4D"), ())
    assert legal(drawn, move("waste 0"))


def test_drawing_three_goes_through_the_stock_in_eight_draws_and_again_in_the_same_triples():
    state, triples = dealt(Options(draw=3)), []
    for _ in range(2):
        for _ in range(8):
            triples.append(events(state, Draw())[0])
            state = after(state, Draw())
        assert events(state, Recycle()) == (Recycled(),)
        state = after(state, Recycle())
    assert triples[:8] == triples[8:]
    assert triples[0] == Drawn(PACK[28:31])


def test_after_the_third_pass_of_three_the_waste_stays_and_its_top_can_be_played():
    state = position(
        """
        stock 4D
        0 5S""",
        Options(passes=3),
    )
    third = after(state, Draw(), Recycle(), Draw(), Recycle(), Draw())
    assert rule_against(third, Recycle()) == "passes_used_up"
    assert legal(third, move("waste 0"))


def test_the_top_of_a_foundation_goes_back_to_a_column_and_then_takes_a_card_there():
    drawn = """
        home 5H
        0 6S
        1 4C"""
    state = after(position(drawn), move("H 0"), move("1 0"))
    assert state.columns[0] == ("6S", "5H", "4C")
    assert state.foundations[1] == 4
    assert rule_against(position(drawn, Options(foundation_return=False)), move("H 0")) == "foundation_return"


def test_a_two_does_not_begin_a_foundation():
    state = position("0 2H")
    assert rule_against(state, move("0 H")) == "next_in_suit"
