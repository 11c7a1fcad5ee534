"""What is seen and heard of a game of Spider, and by whom."""

from collections import Counter

import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.spider import PACKS, RUN, SPIDER, Deal, Options
from domain.view import ALL_SEEING

from .positions import after, events, move, position

BEFORE = SPIDER.initial(Options(), 1)
DEALT = SPIDER.deal(Options(), Chance(bytes(32)), 1)[0]
START = SPIDER.evolve(BEFORE, DEALT)
MEMBERS = [0, None]


def zones(state, viewer):
    return {zone.id: zone for zone in SPIDER.look(state, viewer).zones}


def test_the_zones_are_always_the_same_in_the_same_order():
    ids = ["stock", *(f"foundation_{run}" for run in range(8)), *(f"tableau_{place}" for place in range(10))]
    assert list(zones(START, 0)) == ids
    assert list(zones(BEFORE, None)) == ids


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_stock_and_the_covered_cards_are_shown_as_backs(viewer):
    seen = zones(START, viewer)
    assert (seen["stock"].face_down, seen["stock"].cards) == (50, ())
    assert [seen[f"tableau_{place}"].face_down for place in range(10)] == [5] * 4 + [4] * 6
    assert all(len(seen[f"tableau_{place}"].cards) == 1 for place in range(10))


def test_removed_runs_are_shown_in_the_order_of_their_going():
    seen = zones(position("0 KS\nfinished H S"), 0)
    assert seen["foundation_0"].cards == RUN["H"]
    assert seen["foundation_1"].cards == RUN["S"]
    assert seen["foundation_2"].cards == ()


def test_the_all_seeing_see_every_card():
    seen = zones(START, ALL_SEEING)
    assert Counter(card for zone in seen.values() for card in zone.cards) == Counter(PACKS[4])
    assert not any(zone.face_down for zone in seen.values())


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_deal_shows_its_ten_face_up_cards_in_their_places(viewer):
    shown = SPIDER.redact(BEFORE, DEALT, viewer)
    faces = {place: card for place, card in enumerate(shown.cards) if card != "#"}
    assert faces == {place: DEALT.cards[place] for place in range(44, 54)}
    assert [column[-1] for column in START.columns] == list(faces.values())


def test_the_all_seeing_are_shown_the_whole_deal():
    assert SPIDER.redact(BEFORE, DEALT, ALL_SEEING) == DEALT


@pytest.mark.parametrize("viewer", MEMBERS)
def test_what_lies_face_down_changes_nothing_that_is_seen_heard_or_legal(viewer):
    places = [place for place in range(104) if place not in range(44, 54)]
    cards = list(DEALT.cards)
    for place, other in zip(places, reversed(places), strict=True):
        cards[place] = DEALT.cards[other]
    other_deal = replace(DEALT, cards=tuple(cards))
    other_start = SPIDER.evolve(BEFORE, other_deal)
    assert other_start != START
    assert SPIDER.look(other_start, viewer) == SPIDER.look(START, viewer)
    assert SPIDER.redact(BEFORE, other_deal, viewer) == SPIDER.redact(BEFORE, DEALT, viewer)
    assert SPIDER.tell(BEFORE, other_deal, viewer) == SPIDER.tell(BEFORE, DEALT, viewer)
    assert SPIDER.legal_commands(other_start, 0) == SPIDER.legal_commands(START, 0)


def test_the_facts_tell_the_suits_the_rows_left_and_the_runs_removed():
    state = position("0 KS\nfinished H S\nstock" + " 2C" * 30, Options(suits=2))
    facts = SPIDER.look(state, 0).facts
    assert (facts.suits, facts.deals_left, facts.runs_removed) == (2, 3, 2)


def sentences(state, command):
    return [SPIDER.tell(state, event, 0) for event in events(state, command)]


def test_a_move_the_turned_card_and_the_removed_run_are_told():
    state = position("0 (9C) KH..3H\n1 (4D) 2H AH")
    assert sentences(state, move("1 0 x2")) == [
        "The player moves the two of hearts and the ace of hearts from column 2 to column 1.",
        "The four of diamonds is turned up in column 2.",
        "The run of hearts from king to ace is removed from column 1.",
        "The nine of clubs is turned up in column 1.",
    ]


def test_a_row_is_told_in_the_order_of_the_columns():
    table = "\n".join(f"{column} KS" for column in range(10))
    state = position(table + "\nstock 9C 9C 9C 9C 9C 9C 9C 9C AH 2D")
    assert sentences(state, Deal())[0].startswith(
        "The player deals a row: the two of diamonds, the ace of hearts, the nine of clubs,"
    )
    assert after(state, Deal()).columns[0] == ("KS", "2D")


def test_positions_and_deals_do_not_print_their_cards():
    assert (repr(START), repr(DEALT)) == ("<State>", "<Dealt>")
