"""What is seen and heard of a game of Pyramid, and by whom."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.pyramid import PYRAMID, Draw, Recycle, Turned
from domain.games.pyramid import Options2 as Options
from domain.games.pyramid import State2 as State
from domain.kit.cards import PACK
from domain.view import ALL_SEEING

from .positions import MICROSOFT, after, events, position, remove

BEFORE = PYRAMID.initial(Options(), 1)
DEALT = PYRAMID.deal(Options(), Chance(bytes(32)), 1)[0]
START = PYRAMID.evolve(BEFORE, DEALT)
PLACES = [f"pyramid_{row}_{card}" for row in range(7) for card in range(row + 1)]


def zones(state, viewer):
    return {zone.id: zone for zone in PYRAMID.look(state, viewer).zones}


@pytest.mark.parametrize("viewer", [0, None])
def test_the_whole_pyramid_is_open_and_the_stock_is_backs(viewer):
    seen = zones(START, viewer)
    assert list(seen) == [*PLACES, "stock", "waste", "discard"]
    assert [seen[place].cards for place in PLACES] == [(card,) for card in DEALT.cards[:28]]
    assert (seen["stock"].face_down, seen["stock"].cards) == (24, ())


def test_a_card_of_the_pyramid_lies_between_the_two_that_cover_it():
    seen = zones(START, 0)
    assert seen["pyramid_2_1"].x == (seen["pyramid_3_1"].x + seen["pyramid_3_2"].x) / 2
    assert seen["pyramid_2_1"].y < seen["pyramid_3_1"].y


def test_by_microsofts_rules_the_top_of_the_stock_is_seen():
    state = position("TH\nstock 2S 3S 8H", MICROSOFT)
    seen = zones(state, None)["stock"]
    assert (seen.face_down, seen.cards) == (2, ("8H",))


def test_an_empty_place_and_the_piles_show_what_has_gone():
    state = after(position("TH\n8S 5C\nwaste 2S 9D\nstock 3S"), remove("10 11"))
    seen = zones(state, 0)
    assert seen["pyramid_1_0"].cards == ()
    assert seen["waste"].cards == ("2S", "9D")
    assert seen["discard"].cards[-2:] == ("8S", "5C")


def test_the_all_seeing_see_every_card():
    seen = zones(START, ALL_SEEING)
    assert sorted(card for zone in seen.values() for card in zone.cards) == sorted(PACK)
    assert seen["stock"].face_down == 0


@pytest.mark.parametrize("viewer", [0, None])
@pytest.mark.parametrize("options", [Options(), MICROSOFT])
def test_the_order_of_the_stock_changes_nothing_that_is_seen_heard_or_legal(viewer, options):
    before = PYRAMID.initial(options, 1)
    dealt, *turned = PYRAMID.deal(options, Chance(bytes(32)), 1)
    other = replace(dealt, cards=dealt.cards[:29] + dealt.cards[:28:-1])
    states = [after_events(before, (deal, *turned)) for deal in (dealt, other)]
    assert states[0] != states[1]
    assert PYRAMID.redact(before, other, viewer) == PYRAMID.redact(before, dealt, viewer)
    assert PYRAMID.redact(before, dealt, viewer).cards[28:] == ("#",) * 24
    assert PYRAMID.redact(before, dealt, ALL_SEEING) == dealt
    assert PYRAMID.tell(before, other, viewer) == PYRAMID.tell(before, dealt, viewer)
    assert PYRAMID.look(states[0], viewer) == PYRAMID.look(states[1], viewer)
    assert PYRAMID.legal_commands(states[0], 0) == PYRAMID.legal_commands(states[1], 0)


def after_events(state, happened):
    for event in happened:
        state = PYRAMID.evolve(state, event)
    return state


def test_the_facts_tell_the_pass_the_recycles_left_and_the_score():
    state = after(position("TH\n8S 5C\nstock 2S", Options(passes=3)), Draw(), Recycle())
    facts = PYRAMID.look(state, 0).facts
    assert (facts.draw, facts.pass_number, facts.recycles_left, facts.score) == (1, 2, 1, 3)
    assert PYRAMID.look(START, 0).facts.recycles_left is None


def sentences(state, command):
    return [PYRAMID.tell(state, event, 0) for event in events(state, command)]


def test_what_happens_is_told():
    state = position("TH\n8S 5C\nwaste 2S KD\nstock 3S 8H", MICROSOFT)
    assert sentences(state, remove("10 11")) == [
        "The player removes the eight of spades from row 2 and the five of clubs from row 2."
    ]
    assert sentences(state, remove("waste")) == ["The player removes the king of diamonds from the waste."]
    assert sentences(state, remove("11 stock")) == [
        "The player removes the five of clubs from row 2 and the eight of hearts from the stock.",
        "The three of spades is turned up on the stock.",
    ]
    assert sentences(state, Draw())[0] == "The player draws the eight of hearts."
    assert sentences(after(state, Draw(), Draw()), Recycle())[0] == (
        "The player turns the waste over: it is the stock again."
    )


def test_a_pair_of_the_waste_is_told():
    state = after(position("TH\nwaste 9C\nstock 4S", Options(waste_pairs=True)), Draw())
    assert sentences(state, remove("waste waste")) == [
        "The player removes the nine of clubs and the four of spades from the waste."
    ]


@pytest.mark.parametrize("code", [msgspec.json, msgspec.msgpack])
def test_positions_survive_storage_and_do_not_print_their_cards(code):
    played = PYRAMID.evolve(PYRAMID.evolve(START, events(START, Draw())[0]), Turned(DEALT.cards[29]))
    assert code.decode(code.encode(played), type=State) == played
    assert (repr(START), repr(DEALT)) == ("<State2>", "<Dealt>")
