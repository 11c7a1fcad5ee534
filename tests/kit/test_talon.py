"""Stock, waste and columns as the patiences share them, on a position of no game."""

import pytest
from msgspec import Struct

from domain.game_type import Illegal
from domain.kit.cards import hide_all_but
from domain.kit.patience import ALTERNATING
from domain.kit.talon import (
    can_recycle,
    check_recycle,
    draw_cards,
    find_awaited,
    judge_move,
    lift_cards,
    list_home,
    list_to_columns,
    lying_cards,
    move_cards,
    next_cards,
    only_changes_place,
    recycles_left,
    turn_waste_over,
    zones,
)


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


def rule(check, *said):
    with pytest.raises(Illegal) as refusal:
        check(*said)
    return refusal.value.rule


def test_a_draw_turns_so_many_cards_from_the_end_of_the_stock_or_what_is_left():
    state = Table(Options(draw=3), ("2S", "3S", "4S", "5S"), ("9H",))
    assert next_cards(state) == ("5S", "4S", "3S")
    state = draw_cards(state, next_cards(state))
    assert (state.stock, state.waste) == (("2S",), ("9H", "5S", "4S", "3S"))
    assert next_cards(state) == ("2S",)
    assert rule(next_cards, draw_cards(state, ("2S",))) == "stock_empty"


def test_the_waste_turned_over_is_drawn_again_in_the_same_order():
    state = turn_waste_over(Table(waste=("5S", "4S")))
    assert (state.stock, state.waste, state.recycles, next_cards(state)) == (("4S", "5S"), (), 1, ("5S",))


@pytest.mark.parametrize(
    ("state", "broken"),
    [
        (Table(stock=("2S",), waste=("3S",)), "stock_not_empty"),
        (Table(), "waste_empty"),
        (Table(Options(passes=2), waste=("3S",), recycles=1), "passes_used_up"),
        (Table(Options(passes=2), waste=("3S",)), None),
        (Table(waste=("3S",), recycles=99), None),
    ],
)
def test_the_waste_is_turned_over_when_the_stock_is_empty_and_a_pass_is_left(state, broken):
    assert can_recycle(state) == (broken is None)
    if broken:
        assert rule(check_recycle, state) == broken
    else:
        check_recycle(state)


def test_the_recycles_that_are_left_are_counted():
    assert recycles_left(Table()) is None
    assert recycles_left(Table(Options(passes=3), recycles=1)) == 1


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
    assert find_awaited(state, (("KD",),)) == set(cards.split())


def test_the_stock_lies_face_down_until_all_cards_lie_open():
    state = Table(stock=("2S", "3S"), waste=("9H",))
    assert [(zone.id, zone.face_down, zone.cards) for zone in zones(state, open_cards=False)] == [
        ("stock", 2, ()),
        ("waste", 0, ("9H",)),
    ]
    assert zones(state, open_cards=True)[0].cards == state.stock


def test_only_columns_give_more_than_their_top_card():
    short = ("too_short", "It has not so many.")
    assert lift_cards(("9C", "8H"), "tableau_0", 2, short) == ("9C", "8H")
    assert lift_cards(("9C", "8H"), "waste", 1, short) == ("8H",)
    assert rule(lift_cards, (), "waste", 1, short) == "source_empty"
    assert rule(lift_cards, ("9C", "8H"), "waste", 2, short) == "top_card_only"
    assert rule(lift_cards, ("9C", "8H"), "tableau_0", 3, short) == "too_short"


TABLE = Table(waste=("5S", "AH"), columns=(("9C", "8H"), ("TD",), ()), foundations=(0, 0, 7, 0))


def no_ten(state, column, cards):
    if column and column[-1][0] == "T":
        raise Illegal("no_ten", "Nothing goes on a ten.")


def judged(source, target, count=1, whole=None):
    def open_cards(state, zone):
        return lying_cards(state, zone, may_return=True)

    short = ("too_short", "It has not so many.")
    return judge_move(TABLE, Move(source, target, count), open_cards, short, whole, no_ten)


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
    assert lying_cards(TABLE, "foundation_diamonds", may_return=True, base=2)[-1] == "8D"
    assert rule(lying_cards, TABLE, "foundation_diamonds", False) == "foundation_return"
    assert lying_cards(TABLE, "waste", may_return=False) == ("5S", "AH")


def test_a_card_goes_home_in_its_turn_and_onto_the_columns_that_accept_it():
    def make(source, target):
        return source, target

    assert list_home(TABLE.foundations, "waste", "AH", make) == [("waste", "foundation_hearts")]
    assert list_home(TABLE.foundations, "waste", "2H", make) == []
    assert list_home(TABLE.foundations, "waste", "2H", make, base=2) == [("waste", "foundation_hearts")]
    tableau = ("tableau_0", "tableau_1", "tableau_2")
    assert list_to_columns(tableau, ("TD", "9C", "TH"), ALTERNATING, "waste", "9S", make) == [
        ("waste", "tableau_0"),
        ("waste", "tableau_2"),
    ]


def test_cards_go_between_waste_columns_and_foundations_and_the_rest_stays():
    state = TABLE
    assert move_cards(state, "tableau_0", "tableau_2", ("9C", "8H")).columns == ((), ("TD",), ("9C", "8H"))
    home = move_cards(state, "waste", "foundation_hearts", ("AH",))
    assert (home.waste, home.foundations, home.columns) == (("5S",), (0, 1, 7, 0), state.columns)
    back = move_cards(state, "foundation_diamonds", "tableau_2", ("7D",))
    assert (back.foundations, back.columns[2], back.waste) == ((0, 0, 6, 0), ("7D",), state.waste)
    filled = move_cards(state, "reserve", "tableau_2", ("KC",))
    assert (filled.waste, filled.foundations, filled.columns[2]) == (state.waste, state.foundations, ("KC",))


@pytest.mark.parametrize(
    ("source", "target", "count", "idle"),
    [
        ("tableau_0", "tableau_2", 2, True),
        ("tableau_0", "tableau_2", 1, False),
        ("tableau_0", "tableau_1", 2, False),
        ("waste", "tableau_2", 1, False),
        ("tableau_1", "foundation_spades", 1, False),
    ],
)
def test_a_whole_column_that_goes_to_an_empty_one_only_changes_its_place(source, target, count, idle):
    assert only_changes_place((("9C", "8H"), ("TD",), ()), Move(source, target, count)) == idle


def test_cards_that_were_not_seen_are_hidden_in_their_places():
    assert hide_all_but(("2S", "3S", "4S"), {1}) == ("#", "3S", "#")
