from msgspec.structs import replace

from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire.events import Bid, Pass, Play, Select
from domain.view import ALL_SEEING

from .positions import after, bidding, contract, declared, in_play, opened, run, zone
from .scored import folded

ZONES = ["stock", "discard", "trick", "last_trick", "tricks_won_0", "tricks_house", "skipped", "offered"]
ZONES += ["hidden_seven", "hand_0"]
FIVE_WINNERS = "AQT32 H, 3 D, K43 C, A93 S, *1"


def test_the_zones_are_the_same_in_every_phase():
    for state in (opened(), bidding(FIVE_WINNERS), declared(FIVE_WINNERS, Pass()), declared(FIVE_WINNERS, Bid(1, "H"))):
        for viewer in (0, None, ALL_SEEING):
            assert [zone.id for zone in GAME.look(state, viewer).zones] == ZONES


def test_before_the_selection_only_the_thirteen_are_seen():
    view = GAME.look(opened(), 0)
    assert {zone.id: len(zone.cards) for zone in view.zones if zone.cards} == {"offered": 13}
    assert {zone.id: zone.face_down for zone in view.zones if zone.face_down} == {"stock": 34, "hidden_seven": 7}
    assert view.to_act == (0,)
    assert not view.stuck


def test_after_the_selection_the_hand_and_the_top_discard_are_seen():
    view = GAME.look(bidding(FIVE_WINNERS), 0)
    assert {zone.id: len(zone.cards) for zone in view.zones if zone.cards} == {"discard": 1, "hand_0": 13}
    assert {zone.id: zone.face_down for zone in view.zones if zone.face_down} == {"stock": 34, "discard": 6}


def test_a_spectator_sees_what_the_player_sees():
    for state in (opened(), bidding(FIVE_WINNERS), declared(FIVE_WINNERS, Pass())):
        assert GAME.look(state, None) == GAME.look(state, 0)


def test_the_all_seeing_see_every_card_the_stock_with_its_next_card_on_top():
    state = opened()
    assert zone(state, "hidden_seven", ALL_SEEING) == (0, state.hidden)
    assert zone(state, "stock", ALL_SEEING) == (0, state.stock[::-1])


def test_the_last_trick_lies_open_while_the_house_leads_and_is_turned_down_at_the_next_card():
    state = after(in_play("95 S, 4 H", "2S 3S 6H 8H", led="QS"), Play("5S"))
    assert zone(state, "trick") == (0, run("2S"))
    assert zone(state, "last_trick") == (0, run("QS 5S"))
    assert zone(state, "tricks_house") == (0, ())
    state = after(state, Play("9S"))
    assert zone(state, "last_trick") == (0, run("2S 9S"))
    assert zone(state, "tricks_house") == (2, ())


def test_the_facts_tell_call_contract_tricks_and_sheet():
    state = replace(declared(FIVE_WINNERS, Bid(1, "H")), sheet=folded("me 4H 10"))
    facts = GAME.look(state, 0).facts
    assert (facts.house_call.level, facts.house_call.strain) == (1, "D")
    assert facts.contract == contract("1H doubled")
    assert (facts.hand, facts.tricks_me, facts.tricks_it) == (1, 0, 0)
    assert (facts.sheet.me.games, facts.sheet.me.vulnerable, facts.sheet.me.total) == (1, True, 120)


def test_the_hand_lies_sorted_by_suit_with_jokers_last():
    assert bidding(FIVE_WINNERS).hand == run("AS 9S 3S AH QH TH 3H 2H KC 4C 3C 3D *1")


def test_no_card_shows_in_a_repr():
    state = opened()
    event = GAME.deal(state.options, state.chance, 1)[0]
    assert repr(state) == "<BoardState>"
    assert repr(event) == "<Dealt>"


def test_sentences_say_what_happens():
    state = in_play("AK C, 32 H", "7D *2 9C 2S")
    told = []
    for event in GAME.decide(state, 0, Play("AC")):
        told.append(GAME.tell(state, event, None))
        state = GAME.evolve(state, event)
    assert told == [
        "The player leads the ace of clubs.",
        "The seven of diamonds is skipped.",
        "The house answers with the joker.",
        "The house wins the trick by a joker.",
        "The house leads the nine of clubs.",
    ]


def test_the_auction_is_told():
    state = bidding(FIVE_WINNERS)
    assert [GAME.tell(state, event, 0) for event in GAME.decide(state, 0, Bid(1, "H"))][:2] == [
        "The player bids one heart.",
        "The contract is one heart doubled, declared by the player.",
    ]


def test_the_deal_is_told_without_a_card():
    start = GAME.initial(opened().options, 1)
    event = GAME.deal(start.options, opened().chance, 1)[0]
    assert GAME.tell(start, event, 0) == ("Hand 1 is dealt: seven cards face down, thirteen face up, and 34 of stock.")


def test_the_selection_is_told_with_the_card_on_top():
    state = opened()
    told = GAME.tell(state, GAME.decide(state, 0, GAME.legal_commands(state, 0)[0])[0], 0)
    assert told.startswith("The player keeps ")
    assert told.endswith(" on top.")
    assert isinstance(GAME.legal_commands(state, 0)[0], Select)
