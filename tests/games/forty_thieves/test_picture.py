"""What is seen and heard of a game of Forty Thieves, and by whom."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.forty_thieves import CARDS, FORTY_THIEVES, FOUNDATIONS, TABLEAU, Draw, Options, Recycled
from domain.kit.cards import PACK, RANK
from domain.view import ALL_SEEING

from .positions import events, move, position

BEFORE = FORTY_THIEVES.initial(Options(), 1)
DEALT = FORTY_THIEVES.deal(Options(), Chance(bytes(32)), 1)[0]
START = FORTY_THIEVES.evolve(BEFORE, DEALT)


def zones(state, viewer):
    return {zone.id: zone for zone in FORTY_THIEVES.look(state, viewer).zones}


@pytest.mark.parametrize("viewer", [0, None])
def test_the_stock_is_backs_and_all_else_lies_open(viewer):
    seen = zones(START, viewer)
    assert list(seen) == ["stock", "waste", *FOUNDATIONS, *TABLEAU]
    assert (seen["stock"].face_down, seen["stock"].cards) == (64, ())
    assert [seen[zone].cards for zone in TABLEAU] == list(START.columns)


def test_the_all_seeing_see_every_card():
    seen = zones(START, ALL_SEEING)
    assert Counter(card for zone in seen.values() for card in zone.cards) == Counter(CARDS)
    assert seen["stock"].face_down == 0


def test_the_foundations_of_a_suit_stand_side_by_side_above_the_columns():
    seen = zones(position("home 3S AS 2C"), 0)
    assert seen["foundation_spades_0"].cards == ("AS", "2S", "3S")
    assert seen["foundation_spades_1"].cards == ("AS",)
    assert seen["foundation_clubs_0"].cards == ("AC", "2C")
    assert [seen[zone].x for zone in FOUNDATIONS] == [seen[zone].x for zone in TABLEAU[2:]]
    assert seen["foundation_hearts_0"].label == seen["foundation_hearts_1"].label == "Hearts"


@pytest.mark.parametrize("viewer", [0, None])
def test_the_order_of_the_stock_changes_nothing_that_is_seen_heard_or_legal(viewer):
    other = replace(DEALT, cards=DEALT.cards[:40] + DEALT.cards[:39:-1])
    start = FORTY_THIEVES.evolve(BEFORE, other)
    assert start != START
    assert FORTY_THIEVES.redact(BEFORE, other, viewer) == FORTY_THIEVES.redact(BEFORE, DEALT, viewer)
    assert FORTY_THIEVES.redact(BEFORE, DEALT, viewer).cards[40:] == ("#",) * 64
    assert FORTY_THIEVES.redact(BEFORE, DEALT, ALL_SEEING) == DEALT
    assert FORTY_THIEVES.tell(BEFORE, other, viewer) == FORTY_THIEVES.tell(BEFORE, DEALT, viewer)
    assert FORTY_THIEVES.look(start, viewer) == FORTY_THIEVES.look(START, viewer)
    assert FORTY_THIEVES.legal_commands(start, 0) == FORTY_THIEVES.legal_commands(START, 0)


def test_what_happens_is_told():
    state = position("0 4C 9H 8H\n1 TH\n2 KS AS\nstock 2D\nwaste 7H", Options(runs=True))
    told = [events(state, said)[0] for said in (move("0 1 x2"), move("2 S1"), move("waste 0"), Draw())]
    assert [FORTY_THIEVES.tell(state, event, 0) for event in (*told, Recycled())] == [
        "The player moves the nine of hearts and the eight of hearts from column 1 to column 2.",
        "The player moves the ace of spades from column 3 to a foundation of spades.",
        "The player moves the seven of hearts from the waste to column 1.",
        "The player draws the two of diamonds.",
        "The player turns the waste over: it is the stock again.",
    ]


def test_states_and_deals_do_not_print_their_cards():
    assert (repr(START), repr(DEALT)) == ("<State>", "<Dealt>")


def test_every_place_that_a_move_may_name_is_told_and_every_card_is_there_twice():
    material: Any = FORTY_THIEVES.material
    assert tuple(place.id for place in material.places) == ("stock", "waste", *FOUNDATIONS, *TABLEAU)
    assert {card.id: (card.value, card.count) for card in material.cards} == {card: (RANK[card], 2) for card in PACK}
