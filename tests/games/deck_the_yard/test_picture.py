"""What is seen and heard of a game of Deck the Yard, and by whom."""

import pytest

from domain.chance import Chance
from domain.games.deck_the_yard import DECK_THE_YARD
from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.events import UsePlug
from domain.games.deck_the_yard.state import PATTERNS, STOCK, Options, hand_from
from domain.view import ALL_SEEING

from .positions import SECRET, after, cards, dealt, discard, events, names, play, position, sentences, zones

MEMBERS = [0, None]
START = dealt()
DEAL = DECK_THE_YARD.deal(Options(), Chance(bytes(32)), 1)[0]
BEFORE = DECK_THE_YARD.initial(Options(), 1)


def test_the_zones_are_always_the_same_in_the_same_order():
    ids = ["stock", "discard", "drawn", "pattern_stock", "pattern_0", "pattern_1", "lineup", "claims", "hand_0"]
    assert list(zones(START)) == ids
    assert list(zones(BEFORE, None)) == ids


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_stock_and_the_patterns_to_come_are_backs_and_everything_else_lies_open(viewer):
    seen = zones(START, viewer)
    assert (seen["stock"].face_down, seen["stock"].cards) == (65, ())
    assert (seen["pattern_stock"].face_down, seen["pattern_stock"].cards) == (16, ())
    assert seen["hand_0"].cards == START.hand
    assert (seen["pattern_0"].cards + seen["pattern_1"].cards) == START.face_up


def test_the_all_seeing_see_every_card():
    seen = zones(START, ALL_SEEING)
    assert sorted(card for zone in seen.values() for card in zone.cards) == sorted((*STOCK, *PATTERNS))


def test_a_bubble_lies_at_the_far_right_of_the_line_up():
    state = after(position("hand GREEN\nlineup RED BUBBLE\nstock RED RED"), play("GREEN"))
    assert names(zones(state)["lineup"].cards) == "RED GREEN BUBBLE"


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_deal_shows_two_patterns_and_the_cards_met_for_the_opening_hand(viewer):
    first = cards("RED SANTA PLUG EVENT BUBBLE BLUE BROKEN RED")
    deal = ev.Dealt(tuple(PATTERNS), (*first, *cards("GREEN PLUG BROKEN")), SECRET)
    shown = DECK_THE_YARD.redact(BEFORE, deal, viewer)
    assert shown == ev.Dealt((*deal.patterns[:2], *["#"] * 16), (*first, "#", "#", "#"))


@pytest.mark.parametrize("viewer", MEMBERS)
def test_a_shuffle_shows_nothing_but_the_number_of_cards(viewer):
    shuffled = ev.StockShuffled(cards("RED PLUG"), SECRET)
    assert DECK_THE_YARD.redact(BEFORE, shuffled, viewer) == ev.StockShuffled(("#", "#"))
    assert DECK_THE_YARD.redact(BEFORE, shuffled, ALL_SEEING) == ev.StockShuffled(cards("RED PLUG"))


def test_the_facts_say_the_table_in_words():
    state = position("hand GREEN PLUG\nlineup RED BUBBLE\nclaims SANTA\nstock RED")
    facts = DECK_THE_YARD.look(state, 0).facts
    assert [(pattern.number, pattern.card, pattern.fits) for pattern in facts.patterns] == [
        ("P01", "AS", True),
        ("P07", "7S", True),
    ]
    assert facts.patterns[0].colours == ("red", "green", "pink", "yellow", "purple")
    assert (facts.lineup, facts.hand) == (("red bulb", "bubble bulb"), ("green bulb", "plug"))
    assert (facts.next_colours, facts.claims, facts.claimed) == (("green", "yellow"), ("Santa",), 1)


def test_the_card_drawn_lies_open_while_a_plug_is_asked_for():
    state = after(position("hand PLUG RED\nlineup RED\nstock BROKEN RED"), discard("RED"))
    view = DECK_THE_YARD.look(state, 0)
    assert (view.phase, view.to_act, view.facts.drawn) == ("use_plug", (0,), "broken bulb")
    assert view.facts.next_colours == ()
    assert names(zones(state)["drawn"].cards) == "BROKEN"


def test_playing_and_claiming_are_told():
    state = position("hand PURPLE RED\nlineup RED GREEN PINK YELLOW\nstock RED")
    coming = DECK_THE_YARD.tell(state, ev.PatternRevealed("pattern_0", state.pattern_stock[-1]), 0)
    assert sentences(state, play("PURPLE")) == [
        "The player adds a purple bulb (5H) to the line-up.",
        "The player has completed and claims pattern P01 (AS: red, green, pink, yellow, purple); "
        "the five bulbs are discarded.",
        coming,
        "The player draws a red bulb (AH).",
    ]
    assert coming.startswith("The next pattern is pattern P18 (5D: ")


def test_an_outage_is_told_with_what_is_set_aside():
    state = position("hand RED BLUE PINK\nstock EVENT SANTA RED BROKEN PLUG")
    assert sentences(state, discard("PINK")) == [
        "The player discards a pink bulb (6H).",
        "The player draws a draw-event card (*4).",
        "The power goes out: the player discards a red bulb (AH) and a blue bulb (4H).",
        "The new hand is a red bulb (AH) and a plug (*2); "
        "Santa (KC) and a broken bulb (*3) are set aside and put back.",
        "The stock is shuffled with the cards that had been set aside.",
    ]


@pytest.mark.parametrize(
    ("stock", "use", "told"),
    [
        ("EVENT", True, "A plug is discarded with the event: nothing happens."),
        ("SANTA", True, "The player discards a plug and claims Santa (KC)."),
        ("SANTA", False, "Without a plug for Santa (KC), the card is discarded."),
        ("BROKEN", True, "A plug is discarded with the broken bulb: nothing happens."),
        ("BROKEN", False, "The broken bulb takes the whole line-up with it: a red bulb (AH)."),
    ],
)
def test_what_a_plug_was_used_for_is_told(stock, use, told):
    state = after(position(f"hand PLUG RED\nlineup RED\nstock {stock}"), discard("RED"))
    assert sentences(state, UsePlug(use))[0] == told


@pytest.mark.parametrize("viewer", MEMBERS)
def test_the_deal_is_told_with_the_patterns_the_hand_and_what_was_set_aside(viewer):
    told = DECK_THE_YARD.tell(BEFORE, DEAL, viewer)
    hand = hand_from(DEAL.cards[::-1])
    assert all(f"({card}" in told for card in (*DEAL.patterns[:2], *hand.kept, *hand.aside))


def test_positions_deals_and_shuffles_do_not_print_their_cards():
    values = (START, DEAL, ev.StockShuffled(cards("RED")))
    assert [repr(value) for value in values] == ["<State>", "<Dealt>", "<StockShuffled>"]


def test_a_game_is_drawn_from_what_was_recorded():
    state = dealt()
    for event in events(START, discard(names(START.hand[:1]))):
        state = DECK_THE_YARD.evolve(state, event)
    assert state == after(START, discard(names(START.hand[:1])))
