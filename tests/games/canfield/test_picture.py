"""What is seen and heard of a game of Canfield, and by whom."""

import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.canfield import CANFIELD, Draw, Recycle
from domain.games.canfield import Options2 as Options
from domain.kit.cards import PACK
from domain.view import ALL_SEEING

from .positions import after, events, move, position

BEFORE = CANFIELD.initial(Options(), 1)
DEALT = CANFIELD.deal(Options(), Chance(bytes(32)), 1)[0]
START = CANFIELD.evolve(BEFORE, DEALT)
SEEN = (0, 13, 14, 15, 16, 17)
MEMBERS = [0, None]


def zones(state, viewer):
    return {zone.id: zone for zone in CANFIELD.look(state, viewer).zones}


def test_the_zones_are_always_the_same_in_the_same_order():
    ids = ["stock", "waste", *(f"foundation_{suit}" for suit in ("spades", "hearts", "diamonds", "clubs"))]
    ids += ["reserve", *(f"tableau_{place}" for place in range(4))]
    assert list(zones(START, 0)) == ids
    assert list(zones(BEFORE, None)) == ids


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_stock_and_all_but_the_top_of_the_reserve_are_shown_as_backs(viewer):
    seen = zones(START, viewer)
    assert (seen["stock"].face_down, seen["stock"].cards) == (34, ())
    assert (seen["reserve"].face_down, seen["reserve"].cards) == (12, (DEALT.cards[0],))


def test_the_next_card_of_the_reserve_is_not_seen_before_it_is_uncovered():
    state = position("base 3\nreserve # (9C) 3H\n0 4S")
    moved, uncovered = events(state, move("reserve 0"))
    between = CANFIELD.evolve(state, moved)
    assert (zones(between, 0)["reserve"].face_down, zones(between, 0)["reserve"].cards) == (2, ())
    assert zones(CANFIELD.evolve(between, uncovered), 0)["reserve"].cards == ("9C",)


def test_the_waste_is_shown_whole_and_a_recycled_stock_is_backs_again():
    state = position("stock 2S 3S 4S", Options(draw=3))
    assert zones(after(state, Draw()), 0)["waste"].cards == ("4S", "3S", "2S")
    again = zones(after(state, Draw(), Recycle()), 0)["stock"]
    assert (again.face_down, again.cards) == (3, ())


def test_a_foundation_shows_its_cards_from_the_base():
    assert zones(position("base Q\nhome 2D"), 0)["foundation_diamonds"].cards == ("QD", "KD", "AD", "2D")


def test_the_all_seeing_see_every_card():
    seen = zones(START, ALL_SEEING)
    assert sorted(card for zone in seen.values() for card in zone.cards) == sorted(PACK)
    assert not any(zone.face_down for zone in seen.values())


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_deal_shows_the_top_of_the_reserve_the_base_card_and_the_columns(viewer):
    shown = CANFIELD.redact(BEFORE, DEALT, viewer)
    faces = {place: card for place, card in enumerate(shown.cards) if card != "#"}
    assert faces == {place: DEALT.cards[place] for place in SEEN}


def test_the_all_seeing_are_shown_the_whole_deal():
    assert CANFIELD.redact(BEFORE, DEALT, ALL_SEEING) == DEALT


@pytest.mark.parametrize("viewer", MEMBERS)
def test_what_lies_face_down_changes_nothing_that_is_seen_heard_or_legal(viewer):
    places = [place for place in range(52) if place not in SEEN]
    cards = list(DEALT.cards)
    for place, other in zip(places, reversed(places), strict=True):
        cards[place] = DEALT.cards[other]
    other_deal = replace(DEALT, cards=tuple(cards))
    other_start = CANFIELD.evolve(BEFORE, other_deal)
    assert other_start != START
    assert CANFIELD.look(other_start, viewer) == CANFIELD.look(START, viewer)
    assert CANFIELD.redact(BEFORE, other_deal, viewer) == CANFIELD.redact(BEFORE, DEALT, viewer)
    assert CANFIELD.tell(BEFORE, other_deal, viewer) == CANFIELD.tell(BEFORE, DEALT, viewer)
    assert CANFIELD.legal_commands(other_start, 0) == CANFIELD.legal_commands(START, 0)


def test_the_facts_tell_the_base_the_pass_and_the_recycles_that_are_left():
    state = position("base T\nstock 2S", Options(draw=3, passes=3))
    facts = CANFIELD.look(after(state, Draw(), Recycle()), 0).facts
    assert (facts.base, facts.draw, facts.pass_number, facts.recycles_left) == ("T", 3, 2, 1)
    assert CANFIELD.look(START, 0).facts.recycles_left is None
    assert CANFIELD.look(BEFORE, 0).facts.base is None


def sentences(state, command):
    return [CANFIELD.tell(state, event, 0) for event in events(state, command)]


def test_a_move_the_fill_and_the_next_card_of_the_reserve_are_told():
    state = position("reserve (QC) 5H\n0 QS JD\n1 KH")
    assert sentences(state, move("0 1 x2")) == [
        "The player moves the queen of spades and the jack of diamonds from column 1 to column 2.",
        "The five of hearts of the reserve fills column 1.",
        "The queen of clubs comes to the top of the reserve.",
    ]


def test_moves_home_and_back_are_told():
    state = position("waste AH\n0 2S", Options(foundation_return=True))
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


def test_the_deal_names_what_can_be_seen():
    told = CANFIELD.tell(BEFORE, CANFIELD.deal(Options(), Chance(b"", given=PACK), 1)[0], 0)
    assert told == (
        "The ace of hearts is dealt to the foundations, the two of hearts, the three of hearts, the four of hearts and "
        "the five of hearts to the columns; the ace of spades lies on top of the reserve, and 34 cards are the stock."
    )


def test_positions_and_deals_do_not_print_their_cards():
    assert (repr(START), repr(DEALT)) == ("<State2>", "<Dealt>")
