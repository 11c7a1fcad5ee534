"""The words of the patiences: runs, foundations, stock, waste and columns; the course of a turn."""

from collections import Counter

import pytest
from msgspec import Struct

from domain.chance import Chance
from domain.game_type import Illegal
from domain.kit import patience, talon
from domain.kit.cards import PACK, hide_all_but
from domain.kit.talon import zones
from domain.kit.turns import Course, shuffle_cards


def rule(check, *said):
    with pytest.raises(Illegal) as refusal:
        check(*said)
    return refusal.value.rule


def test_a_red_jack_takes_both_black_tens_and_nothing_else():
    assert patience.ALTERNATING["JH"] == {"TS", "TC"}
    assert patience.IN_SUIT["JH"] == {"TH"}
    assert {len(taken) for taken in patience.ALTERNATING.values()} == {0, 2}
    assert Counter(len(taken) for taken in patience.IN_SUIT.values()) == {1: 48, 0: 4}


def test_nothing_lies_on_an_ace():
    assert not any(patience.ALTERNATING[ace] or patience.IN_SUIT[ace] for ace in PACK if ace[0] == "A")


def test_a_black_ten_goes_on_both_red_jacks_and_a_king_on_nothing():
    assert patience.ON_ALTERNATING["TC"] == ("JH", "JD")
    assert patience.ON_IN_SUIT["TC"] == ("JC",)
    assert all(patience.ON_ALTERNATING[king] == patience.ON_IN_SUIT[king] == () for king in patience.KINGS)


def test_there_are_four_kings():
    assert {"KS", "KH", "KD", "KC"} == patience.KINGS


@pytest.mark.parametrize(
    ("column", "alternating", "in_suit"),
    [("", 0, 0), ("9C", 1, 1), ("9C 7H", 1, 1), ("KS 9C 8H 7S", 3, 1), ("8S 9C 8C 7C", 1, 3), ("3S 2H AS", 3, 1)],
)
def test_a_run_is_counted_from_the_top(column, alternating, in_suit):
    assert patience.run_length(column.split(), patience.ALTERNATING) == alternating
    assert patience.run_length(column.split(), patience.IN_SUIT) == in_suit


@pytest.mark.parametrize(
    ("run", "top", "fits"),
    [("9S 8H 7S", "TH", 3), ("9S 8H 7S", "9C", 2), ("9S 8H 7S", "8D", 1), ("9S 8H 7S", "TC", 0), ("9S 8H 7S", "7D", 0),
     ("9S 8H 7S", "JH", 0), ("9S 8H 7S", "2H", 0)],
)  # fmt: skip
def test_one_number_of_cards_of_a_run_fits_a_card(run, top, fits):
    assert patience.fitting_count(run.split(), top, patience.ALTERNATING) == fits


def test_a_run_in_suit_fits_its_own_suit_only():
    run = ["9C", "8C", "7C"]
    assert [patience.fitting_count(run, top, patience.IN_SUIT) for top in ("TC", "9C", "8C", "7C", "TS")] == [
        3, 2, 1, 0, 0,
    ]  # fmt: skip


def test_the_top_of_an_empty_column_is_no_card():
    assert patience.top_of(("2H", "QS")) == "QS"
    assert patience.top_of(()) == patience.NO_CARD


def test_one_value_is_changed_and_the_others_stay():
    assert patience.with_value_at((1, 2, 3), 1, 9) == (1, 9, 3)


def test_every_card_has_its_place_at_home():
    assert patience.HOME["AS"] == (0, 0)
    assert patience.HOME["TD"] == (2, 9)
    assert all(patience.home_cards(suit, needed + 1)[-1] == card for card, (suit, needed) in patience.HOME.items())


def test_only_the_next_card_of_the_suit_goes_home():
    homes = (0, 4, 0, 0)
    patience.check_home(homes, ["5H"], 1)
    assert rule(patience.check_home, homes, ["6H"], 1) == "next_in_suit"
    assert rule(patience.check_home, homes, ["5H"], 2) == "own_foundation"
    assert rule(patience.check_home, homes, ["6S", "5H"], 1) == "one_card_home"


def test_foundations_may_begin_with_another_rank_and_go_on_from_the_king_to_the_ace():
    for homes, card in (((0, 0, 0, 0), "QH"), ((0, 1, 0, 0), "KH"), ((0, 2, 0, 0), "AH"), ((0, 12, 0, 0), "JH")):
        waiting = [other for other in PACK[13:26] if talon.list_home(homes, "waste", other, lambda *move: move, 12)]
        assert waiting == [card]
    assert patience.home_cards(1, 3, 12) == ("QH", "KH", "AH")
    assert patience.next_home((0, 3, 13, 1), 12) == {"QS", "2H", "KC"}
    assert patience.next_home((0, 3, 13, 1)) == {"AS", "4H", "2C"}
    patience.check_home((0, 2, 0, 0), ["AH"], 1, 12, "base rank")
    with pytest.raises(Illegal, match="from the base rank without a gap"):
        patience.check_home((0, 2, 0, 0), ["2H"], 1, 12, "base rank")


def test_a_king_goes_on_an_ace_where_that_is_agreed():
    patience.check_alternating("AC", "KH", king_on_ace=True)
    assert rule(lambda: patience.check_alternating("AC", "KS", king_on_ace=True)) == "alternating_colours"
    assert rule(lambda: patience.check_alternating("2C", "KH", king_on_ace=True)) == "one_rank_lower"


@pytest.mark.parametrize(("top", "card", "alternating", "in_suit"), [
    ("9C", "8H", None, "in_suit"), ("9C", "8C", "alternating_colours", None),
    ("9C", "8S", "alternating_colours", "in_suit"), ("9C", "7C", "alternating_colours", "one_rank_lower"),
    ("9C", "7H", "one_rank_lower", "in_suit"), ("AC", "KH", "one_rank_lower", "in_suit"),
    ("AC", "KC", "alternating_colours", "one_rank_lower"),
])  # fmt: skip
def test_a_card_that_does_not_fit_is_refused_by_its_rule_and_the_tables_agree(top, card, alternating, in_suit):
    for check, table, wrong in (
        (patience.check_alternating, patience.ALTERNATING, alternating),
        (patience.check_in_suit, patience.IN_SUIT, in_suit),
    ):
        assert (card in table[top]) == (wrong is None)
        if wrong is None:
            check(top, card)
        else:
            assert rule(check, top, card) == wrong


def test_the_foundations_stand_above_the_columns_that_are_named():
    zones = patience.foundation_zones((0, 2, 0, 13), (0, 1, 8, 9))
    assert tuple(zone.id for zone in zones) == patience.FOUNDATIONS
    assert [(zone.x, zone.y) for zone in zones] == [(0, 0), (1.25, 0), (10, 0), (11.25, 0)]
    assert [zone.cards for zone in zones] == [(), ("AH", "2H"), (), PACK[39:]]


def test_a_column_stands_below_with_its_unseen_cards_counted():
    zone = patience.column_zone(3, ("9C", "8H"), 2)
    assert (zone.id, zone.label, zone.layout) == ("tableau_3", "Column 4", "column")
    assert (zone.x, zone.y, zone.face_down, zone.cards) == (3.75, 1.25, 2, ("9C", "8H"))
    assert patience.column_zone(3, ("9C", "8H"), left=2).x == 6.25


def test_cards_are_told_one_after_another():
    assert patience.the(("AS",)) == "the ace of spades"
    assert patience.the(("AS", "2H", "TC")) == "the ace of spades, the two of hearts and the ten of clubs"


def test_zones_have_names():
    zones = ("tableau_3", "foundation_spades", "waste")
    assert [patience.zone_name(zone) for zone in zones] == ["column 4", "the foundation of spades", "the waste"]


class Options(Struct, frozen=True):
    draw: int = 1
    passes: int | None = None


class Move(Struct, frozen=True):
    source: str
    target: str
    count: int = 1


class Table(Struct, frozen=True):
    options: Options = Options()
    stock: tuple[str, ...] = ()
    waste: tuple[str, ...] = ()
    recycles: int = 0
    columns: tuple[tuple[str, ...], ...] = ((),) * 3
    foundations: tuple[int, ...] = (0,) * 4


def test_a_draw_turns_so_many_cards_from_the_end_of_the_stock_or_what_is_left():
    state = Table(Options(draw=3), ("2S", "3S", "4S", "5S"), ("9H",))
    assert talon.next_cards(state) == ("5S", "4S", "3S")
    state = talon.draw_cards(state, talon.next_cards(state))
    assert (state.stock, state.waste) == (("2S",), ("9H", "5S", "4S", "3S"))
    assert talon.next_cards(state) == ("2S",)
    assert rule(talon.next_cards, talon.draw_cards(state, ("2S",))) == "stock_empty"


def test_the_waste_turned_over_is_drawn_again_in_the_same_order():
    state = talon.turn_waste_over(Table(waste=("5S", "4S")))
    assert (state.stock, state.waste, state.recycles, talon.next_cards(state)) == (("4S", "5S"), (), 1, ("5S",))


@pytest.mark.parametrize(("state", "broken"), [
    (Table(stock=("2S",), waste=("3S",)), "stock_not_empty"), (Table(), "waste_empty"),
    (Table(Options(passes=2), waste=("3S",), recycles=1), "passes_used_up"),
    (Table(Options(passes=2), waste=("3S",)), None), (Table(waste=("3S",), recycles=99), None),
])  # fmt: skip
def test_the_waste_is_turned_over_when_the_stock_is_empty_and_a_pass_is_left(state, broken):
    assert talon.can_recycle(state) == (broken is None)
    if broken:
        assert rule(talon.check_recycle, state) == broken
    else:
        talon.check_recycle(state)


def test_the_recycles_that_are_left_are_counted():
    assert talon.recycles_left(Table()) is None
    assert talon.recycles_left(Table(Options(passes=3), recycles=1)) == 1


@pytest.mark.parametrize(
    ("state", "cards"),
    [
        (Table(Options(3), ("5S", "4S", "3S", "2S"), ("9H",), 1), "3S 4S 4S 5S"),
        (Table(Options(3, passes=2), ("5S", "4S", "3S", "2S"), ("9H",), 1), "4S 5S"),
        (Table(Options(3, passes=1), ("5S", "4S", "3S", "2S"), ("9H",)), "2S 3S 4S 5S KD"),
        (Table(Options(1), (), ("9H", "8H")), "8H 9H"),
    ],
)
def test_what_can_come_up_is_every_last_card_of_a_packet_and_in_the_first_pass_what_nobody_has_seen(state, cards):
    assert talon.find_awaited(state, (("KD",),)) == set(cards.split())


def test_the_stock_lies_face_down_until_all_cards_lie_open():
    state = Table(stock=("2S", "3S"), waste=("9H",))
    assert [(zone.id, zone.face_down, zone.cards) for zone in zones(state, open_cards=False)] == [
        ("stock", 2, ()),
        ("waste", 0, ("9H",)),
    ]
    assert zones(state, open_cards=True)[0].cards == state.stock


def test_only_columns_give_more_than_their_top_card():
    short = ("too_short", "It has not so many.")
    assert talon.lift_cards(("9C", "8H"), "tableau_0", 2, short) == ("9C", "8H")
    assert talon.lift_cards(("9C", "8H"), "waste", 1, short) == ("8H",)
    assert rule(talon.lift_cards, (), "waste", 1, short) == "source_empty"
    assert rule(talon.lift_cards, ("9C", "8H"), "waste", 2, short) == "top_card_only"
    assert rule(talon.lift_cards, ("9C", "8H"), "tableau_0", 3, short) == "too_short"


TABLE = Table(waste=("5S", "AH"), columns=(("9C", "8H"), ("TD",), ()), foundations=(0, 0, 7, 0))


def no_ten(state, column, cards):
    if column and column[-1][0] == "T":
        raise Illegal("no_ten", "Nothing goes on a ten.")


def judged(source, target, count=1, whole=None):
    def open_cards(state, zone):
        return talon.lying_cards(state, zone, may_return=True)

    short = ("too_short", "It has not so many.")
    return talon.judge_move(TABLE, Move(source, target, count), open_cards, short, whole, no_ten)


def test_a_move_is_judged_by_where_its_cards_lie_and_go():
    assert judged("tableau_0", "tableau_2", 2) == ("9C", "8H")
    assert judged("waste", "foundation_hearts") == ("AH",)
    assert judged("foundation_diamonds", "tableau_2") == ("7D",)
    assert rule(judged, "waste", "waste") == "same_zone"
    assert rule(judged, "tableau_0", "tableau_2", 3) == "too_short"
    assert rule(judged, "tableau_0", "foundation_hearts") == "next_in_suit"
    assert rule(judged, "waste", "tableau_1") == "no_ten"


def test_a_part_of_a_column_stays_where_whole_columns_move_but_may_go_home():
    whole = ("whole", "All of it.")
    assert rule(judged, "tableau_0", "tableau_2", 1, whole) == "whole"
    assert judged("tableau_0", "tableau_2", 2, whole) == ("9C", "8H")
    assert rule(judged, "tableau_0", "foundation_hearts", 1, whole) == "next_in_suit"


def test_cards_return_from_a_foundation_only_where_they_may():
    assert talon.lying_cards(TABLE, "foundation_diamonds", may_return=True, base=2)[-1] == "8D"
    assert rule(talon.lying_cards, TABLE, "foundation_diamonds", False) == "foundation_return"
    assert talon.lying_cards(TABLE, "waste", may_return=False) == ("5S", "AH")


def test_a_card_goes_home_in_its_turn_and_onto_the_columns_that_accept_it():
    def make(source, target):
        return source, target

    assert talon.list_home(TABLE.foundations, "waste", "AH", make) == [("waste", "foundation_hearts")]
    assert talon.list_home(TABLE.foundations, "waste", "2H", make) == []
    assert talon.list_home(TABLE.foundations, "waste", "2H", make, base=2) == [("waste", "foundation_hearts")]
    tableau = ("tableau_0", "tableau_1", "tableau_2")
    assert talon.list_to_columns(tableau, ("TD", "9C", "TH"), patience.ALTERNATING, "waste", "9S", make) == [
        ("waste", "tableau_0"),
        ("waste", "tableau_2"),
    ]


def test_cards_go_between_waste_columns_and_foundations_and_the_rest_stays():
    state = TABLE
    assert talon.move_cards(state, "tableau_0", "tableau_2", ("9C", "8H")).columns == ((), ("TD",), ("9C", "8H"))
    home = talon.move_cards(state, "waste", "foundation_hearts", ("AH",))
    assert (home.waste, home.foundations, home.columns) == (("5S",), (0, 1, 7, 0), state.columns)
    back = talon.move_cards(state, "foundation_diamonds", "tableau_2", ("7D",))
    assert (back.foundations, back.columns[2], back.waste) == ((0, 0, 6, 0), ("7D",), state.waste)
    filled = talon.move_cards(state, "reserve", "tableau_2", ("KC",))
    assert (filled.waste, filled.foundations, filled.columns[2]) == (state.waste, state.foundations, ("KC",))


@pytest.mark.parametrize(("source", "target", "count", "idle"), [
    ("tableau_0", "tableau_2", 2, True), ("tableau_0", "tableau_2", 1, False), ("tableau_0", "tableau_1", 2, False),
    ("waste", "tableau_2", 1, False), ("tableau_1", "foundation_spades", 1, False),
])  # fmt: skip
def test_a_whole_column_that_goes_to_an_empty_one_only_changes_its_place(source, target, count, idle):
    assert talon.only_changes_place((("9C", "8H"), ("TD",), ()), Move(source, target, count)) == idle


def test_cards_that_were_not_seen_are_hidden_in_their_places():
    assert hide_all_but(("2S", "3S", "4S"), {1}) == ("#", "3S", "#")


def test_each_event_is_folded_before_the_next_and_the_course_before_stays_as_it_was() -> None:
    course = Course[str, int](lambda state, event: state + str(event), "0").then(1)
    assert course.then(2, 3)[1:] == ("0123", (1, 2, 3))
    assert course[1:] == ("01", (1,))
    assert course.then() == course


def test_cards_are_shuffled_with_the_chance_that_a_state_has() -> None:
    assert shuffle_cards(Chance(bytes(32)), PACK) == Chance(bytes(32)).shuffle(PACK)
    with pytest.raises(ValueError, match="without chance"):
        shuffle_cards(None, PACK)
