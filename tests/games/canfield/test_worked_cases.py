"""Canfield as it is commonly told, case by case."""

from domain.chance import Chance
from domain.game_type import Result
from domain.games.canfield import CANFIELD, Draw, Drawn, Filled, Moved, Recycle, Recycled, Uncovered
from domain.games.canfield import Options2 as Options
from domain.kit.cards import PACK

from .positions import PLAIN, after, events, legal, move, position, rule_against

GIVEN = (*PACK[13:26], "3S", *(card for card in PACK if card not in PACK[13:26] and card != "3S"))
"""The hearts from ace to king as the reserve, then the three of spades."""


def dealt(options=PLAIN):
    return CANFIELD.evolve(CANFIELD.initial(options, 1), CANFIELD.deal(options, Chance(b"", given=GIVEN), 1)[0])


def test_the_deal_is_a_reserve_of_13_a_base_card_four_columns_of_one_and_a_stock_of_34():
    state = dealt()
    assert len(state.reserve) == 13
    assert state.foundations == (1, 0, 0, 0)
    assert state.columns == tuple((card,) for card in GIVEN[14:18])
    assert len(state.stock) == 34
    assert state.waste == ()


def test_the_reserve_is_turned_over_so_that_the_first_card_dealt_is_on_top_and_alone_is_seen():
    state = dealt()
    assert state.reserve == GIVEN[12::-1]
    assert (state.reserve[-1], state.covered) == ("AH", 12)


def test_the_next_card_of_the_stock_is_the_first_that_was_dealt_to_it():
    assert events(dealt(), Draw()) == (Drawn(GIVEN[18:19]),)


def test_a_base_of_three_ends_every_foundation_with_the_two_of_its_suit():
    state = dealt()
    assert state.base == 3
    full = position("base 3\nhome 2S 2H 2D 2C")
    homes = {zone.id: zone.cards for zone in CANFIELD.look(full, 0).zones if zone.id.startswith("foundation")}
    assert homes["foundation_hearts"] == tuple(f"{rank}H" for rank in "3456789TJQKA2")
    assert CANFIELD.result(full) == Result("won", "all_home", (0,), (52,))


def test_a_foundation_goes_on_from_king_to_ace():
    state = position("""
        base 3
        home KH
        waste 2H AH""")
    assert legal(state, move("waste H"))
    assert legal(after(state, move("waste H")), move("waste H"))
    assert rule_against(after(state, move("waste H"), move("waste H")), move("waste H")) == "source_empty"


def test_a_complete_foundation_takes_no_second_round():
    state = position("base 3\nhome 2H\nwaste 3S")
    assert rule_against(state, move("waste H")) == "own_foundation"
    assert state.foundations[1] == 13


def test_a_black_king_goes_on_a_red_ace_and_a_queen_does_not():
    state = position("""
        base 3
        0 AH
        1 KC
        2 KS
        3 QS""")
    assert legal(state, move("1 0"))
    assert legal(state, move("2 0"))
    assert rule_against(state, move("3 0")) == "one_rank_lower"


def test_a_black_six_goes_on_a_red_seven_and_a_red_one_does_not():
    state = position("""
        0 7D
        1 6C
        2 6H""")
    assert legal(state, move("1 0"))
    assert rule_against(state, move("2 0")) == "alternating_colours"


def test_any_part_of_a_column_moves_unless_columns_must_move_whole():
    drawn = """
        0 9H 8S 7D
        1 TC
        2 9D
        3 8C"""
    state, whole = position(drawn), position(drawn, Options(whole_column_only=True))
    assert after(state, move("0 1 x3")).columns[:2] == ((), ("TC", "9H", "8S", "7D"))
    assert legal(state, move("0 2 x2"))
    assert legal(state, move("0 3"))
    assert legal(whole, move("0 1 x3"))
    assert rule_against(whole, move("0 2 x2")) == "whole_column_only"


def test_a_column_that_becomes_empty_is_filled_from_the_reserve_and_the_next_card_is_seen():
    state = position("""
        reserve # # # (QC) 5H
        0 8S
        1 9D
        2 KS
        3 KC""")
    assert events(state, move("0 1")) == (
        Moved(("8S",), "tableau_0", "tableau_1"),
        Filled("5H", "tableau_0"),
        Uncovered("QC"),
    )
    filled = after(state, move("0 1"))
    assert filled.columns[:2] == (("5H",), ("9D", "8S"))
    assert (len(filled.reserve), filled.reserve[-1], filled.covered) == (4, "QC", 3)


def test_the_last_card_of_the_reserve_fills_without_another_coming_up():
    state = position("reserve 5H\n0 8S\n1 9D\n2 KS\n3 KC")
    assert events(state, move("0 1"))[1:] == (Filled("5H", "tableau_0"),)
    assert after(state, move("0 1")).reserve == ()


def test_a_one_card_column_that_goes_home_is_filled_too():
    state = position("reserve (QC) 5H\nhome 7S\n0 8S\n1 9C\n2 KS\n3 KC")
    assert events(state, move("0 S"))[1:] == (Filled("5H", "tableau_0"), Uncovered("QC"))


def test_with_an_empty_reserve_a_space_stays_empty_and_takes_any_card_later():
    state = position("""
        stock 4D
        0 8S
        1 9D
        2 KS
        3 KC""")
    space = after(state, move("0 1"))
    assert space.columns[0] == ()
    assert legal(after(space, Draw()), move("waste 0"))
    assert after(space, Draw(), move("waste 0")).columns[0] == ("4D",)
    assert legal(space, move("1 0"))
    assert legal(space, move("1 0 x2"))


def test_while_the_reserve_has_cards_no_space_persists_and_none_can_be_moved_into():
    state = position("reserve # 5H\nwaste 4D\n0 8S\n1 9D\n2 KS")
    assert rule_against(state, move("waste 3")) == "reserve_fills"
    assert rule_against(state, move("reserve 3")) == "reserve_fills"
    assert not any(getattr(said, "target", None) == "tableau_3" for said in CANFIELD.legal_commands(state, 0))


def test_drawing_three_goes_through_34_cards_in_twelve_draws_the_last_of_one_card_and_again_in_the_same_order():
    state, packets = dealt(Options(draw=3)), []
    for _ in range(2):
        for _ in range(12):
            packets.append(events(state, Draw())[0].cards)  # type: ignore[attr-defined]
            state = after(state, Draw())
        assert events(state, Recycle()) == (Recycled(),)
        state = after(state, Recycle())
    assert [len(packet) for packet in packets] == ([3] * 11 + [1]) * 2
    assert packets[:12] == packets[12:]
    assert packets[0] == GIVEN[18:21]


def test_a_card_of_the_base_rank_begins_a_foundation_or_goes_on_a_column():
    state = position("""
        base 3
        home 3S
        reserve (9C) 3H
        0 4S""")
    assert events(state, move("reserve H")) == (
        Moved(("3H",), "reserve", "foundation_hearts"),
        Uncovered("9C"),
    )
    assert after(state, move("reserve 0")).columns[0] == ("4S", "3H")


def test_a_card_of_the_base_rank_in_a_column_takes_the_card_below_it():
    assert legal(position("base 3\n0 3H\n1 2C"), move("1 0"))
