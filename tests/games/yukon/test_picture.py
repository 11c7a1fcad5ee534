"""What is seen and heard of a game of Yukon, and by whom."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.yukon import DEALING, FACE_UP_IN_DEAL, TABLEAU, YUKON, Options
from domain.kit.cards import PACK, RANK
from domain.kit.patience import FOUNDATIONS
from domain.view import ALL_SEEING

from .positions import RETURN, after, events, position

BEFORE = YUKON.initial(Options(), 1)
DEALT = YUKON.deal(Options(), Chance(bytes(32)), 1)[0]
START = YUKON.evolve(BEFORE, DEALT)
MEMBERS = pytest.mark.parametrize("viewer", [0, None])


def zones(state, viewer):
    return {zone.id: zone for zone in YUKON.look(state, viewer).zones}


@MEMBERS
def test_the_covered_cards_are_backs_and_the_top_five_lie_open(viewer):
    seen = zones(START, viewer)
    assert list(seen) == [*FOUNDATIONS, *TABLEAU]
    assert [seen[zone].face_down for zone in TABLEAU] == list(range(7))
    assert [len(seen[zone].cards) for zone in TABLEAU] == [1, 5, 5, 5, 5, 5, 5]
    assert all(seen[zone].cards == column[-5:] for zone, column in zip(TABLEAU, START.columns, strict=True))


def test_the_all_seeing_see_every_card():
    seen = zones(START, ALL_SEEING)
    assert sorted(card for zone in seen.values() for card in zone.cards) == sorted(PACK)
    assert YUKON.redact(BEFORE, DEALT, ALL_SEEING) == DEALT


@MEMBERS
def test_the_deal_shows_the_31_cards_that_lie_face_up(viewer):
    shown = YUKON.redact(BEFORE, DEALT, viewer).cards
    faces = {card for card in shown if card != "#"}
    assert faces == {card for column in START.columns for card in column[-5:]}
    assert len(faces) == 31


@MEMBERS
def test_what_lies_face_down_changes_nothing_that_is_seen_heard_or_legal(viewer):
    places = [place for place in range(52) if place not in FACE_UP_IN_DEAL]
    cards = list(DEALT.cards)
    for place, other in zip(places, reversed(places), strict=True):
        cards[place] = DEALT.cards[other]
    other = replace(DEALT, cards=tuple(cards))
    start = YUKON.evolve(BEFORE, other)
    assert start != START
    assert YUKON.look(start, viewer) == YUKON.look(START, viewer)
    assert YUKON.redact(BEFORE, other, viewer) == YUKON.redact(BEFORE, DEALT, viewer)
    assert YUKON.tell(BEFORE, other, viewer) == YUKON.tell(BEFORE, DEALT, viewer)
    assert YUKON.legal_commands(start, 0) == YUKON.legal_commands(START, 0)


def test_the_facts_count_the_cards_that_lie_face_down():
    assert YUKON.look(START, 0).facts.face_down == 21
    assert YUKON.look(after(position("0 (AC) 9H\n1 TS"), "0 1"), None).facts.face_down == 0


def sentences(state, said):
    return [YUKON.tell(state, event, 0) for event in events(state, said)]


def test_what_happens_is_told():
    state = position("home 5H\n0 (AC) 9H 2S KD\n1 TS\n2 3D\n3 6S", RETURN)
    assert sentences(state, "0 1 x3") == [
        "The player moves the nine of hearts with 2 cards on it from column 1 to column 2.",
        "The ace of clubs is turned up in column 1.",
    ]
    assert sentences(state, "0 4") == ["The player moves the king of diamonds from column 1 to column 5."]
    assert sentences(state, "0 4 x1") == sentences(state, "0 4")
    assert sentences(state, "H 3") == ["The player moves the five of hearts from the foundation of hearts to column 4."]
    assert "1 card on it" in sentences(position("0 9H 2S\n1 TS"), "0 1 x2")[0]


def test_the_dealing_order_names_every_place_once():
    assert len(set(DEALING)) == 52
    assert len(FACE_UP_IN_DEAL) == 31


def test_every_place_and_card_is_in_the_material():
    material: Any = YUKON.material
    assert tuple(place.id for place in material.places) == (*FOUNDATIONS, *TABLEAU)
    assert {card.id: card.value for card in material.cards} == RANK


def test_positions_and_deals_do_not_print_their_cards():
    assert (repr(START), repr(DEALT)) == ("<State>", "<Dealt>")
