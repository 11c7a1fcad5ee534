"""What is seen and heard of a game of Klondike, and by whom."""

import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.klondike import KLONDIKE, Draw, Recycle
from domain.games.klondike import Options2 as Options
from domain.kit.cards import PACK
from domain.view import ALL_SEEING

from .positions import after, events, move, position

DEALT = KLONDIKE.deal(Options(), Chance(bytes(32)), 1)[0]
START = KLONDIKE.evolve(KLONDIKE.initial(Options(), 1), DEALT)
MEMBERS = [0, None]


def zones(state, viewer):
    return {zone.id: zone for zone in KLONDIKE.look(state, viewer).zones}


def test_the_zones_are_always_the_same_in_the_same_order():
    ids = ["stock", "waste", *(f"foundation_{suit}" for suit in ("spades", "hearts", "diamonds", "clubs"))]
    ids += [f"tableau_{place}" for place in range(7)]
    assert list(zones(START, 0)) == ids
    assert list(zones(KLONDIKE.initial(Options(), 1), None)) == ids


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_stock_and_the_covered_cards_are_shown_as_backs(viewer):
    seen = zones(START, viewer)
    assert (seen["stock"].face_down, seen["stock"].cards) == (24, ())
    assert [seen[f"tableau_{place}"].face_down for place in range(7)] == list(range(7))
    assert all(len(seen[f"tableau_{place}"].cards) == 1 for place in range(7))


def test_the_waste_is_shown_whole_and_a_recycled_stock_is_backs_again():
    state = position("stock 2S 3S 4S", Options(draw=3))
    assert zones(after(state, Draw()), 0)["waste"].cards == ("4S", "3S", "2S")
    again = zones(after(state, Draw(), Recycle()), 0)["stock"]
    assert (again.face_down, again.cards) == (3, ())


def test_a_foundation_shows_its_cards_from_the_ace():
    assert zones(position("home 3D"), 0)["foundation_diamonds"].cards == ("AD", "2D", "3D")


def test_the_all_seeing_see_every_card():
    seen = zones(START, ALL_SEEING)
    assert sorted(card for zone in seen.values() for card in zone.cards) == sorted(PACK)
    assert not any(zone.face_down for zone in seen.values())


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_deal_shows_seven_cards_in_their_places(viewer):
    shown = KLONDIKE.redact(KLONDIKE.initial(Options(), 1), DEALT, viewer)
    faces = {place: card for place, card in enumerate(shown.cards) if card != "#"}
    assert faces == {place: DEALT.cards[place] for place in (0, 7, 13, 18, 22, 25, 27)}
    assert {column[-1] for column in START.columns} == set(faces.values())


def test_the_all_seeing_are_shown_the_whole_deal():
    assert KLONDIKE.redact(KLONDIKE.initial(Options(), 1), DEALT, ALL_SEEING) == DEALT


@pytest.mark.parametrize("viewer", MEMBERS)
def test_what_lies_face_down_changes_nothing_that_is_seen_heard_or_legal(viewer):
    places = [place for place in range(52) if place not in (0, 7, 13, 18, 22, 25, 27)]
    cards = list(DEALT.cards)
    for place, other in zip(places, reversed(places), strict=True):
        cards[place] = DEALT.cards[other]
    other_deal = replace(DEALT, cards=tuple(cards))
    before = KLONDIKE.initial(Options(), 1)
    other_start = KLONDIKE.evolve(before, other_deal)
    assert other_start != START
    assert KLONDIKE.look(other_start, viewer) == KLONDIKE.look(START, viewer)
    assert KLONDIKE.redact(before, other_deal, viewer) == KLONDIKE.redact(before, DEALT, viewer)
    assert KLONDIKE.tell(before, other_deal, viewer) == KLONDIKE.tell(before, DEALT, viewer)
    assert KLONDIKE.legal_commands(other_start, 0) == KLONDIKE.legal_commands(START, 0)


def test_the_facts_tell_the_pass_and_the_recycles_that_are_left():
    state = position("stock 2S", Options(draw=3, passes=3))
    facts = KLONDIKE.look(after(state, Draw(), Recycle()), 0).facts
    assert (facts.draw, facts.pass_number, facts.recycles_left) == (3, 2, 1)
    assert KLONDIKE.look(START, 0).facts.recycles_left is None


def sentences(state, command):
    return [KLONDIKE.tell(state, event, 0) for event in events(state, command)]


def test_a_move_and_the_turned_card_are_told():
    state = position("0 (9C) QS JD\n1 KH")
    assert sentences(state, move("0 1 x2")) == [
        "The player moves the queen of spades and the jack of diamonds from column 1 to column 2.",
        "The nine of clubs is turned up in column 1.",
    ]


def test_moves_from_the_waste_home_and_back_are_told():
    state = position("waste AH\n0 2S")
    assert sentences(state, move("waste H")) == [
        "The player moves the ace of hearts from the waste to the foundation of hearts."
    ]
    assert sentences(after(state, move("waste H")), move("H 0")) == [
        "The player moves the ace of hearts from the foundation of hearts to column 1."
    ]


def test_drawing_and_recycling_are_told():
    state = position("stock 2S 3S 4S", Options(draw=3))
    assert sentences(state, Draw()) == [
        "The player draws the four of spades, the three of spades and the two of spades."
    ]
    assert sentences(after(state, Draw()), Recycle()) == ["The player turns the waste over: it is the stock again."]


def test_positions_and_deals_do_not_print_their_cards():
    assert (repr(START), repr(DEALT)) == ("<State2>", "<Dealt>")
