import pytest

from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire.events import Bid, BidMade, ContractMade, HouseLed, Pass, Passed

from .positions import after, bidding, contract, refused, run, say

SIX_WINNERS = "AKQJT8 C, Q87 H, 94 S, 3 D, *1"
FIVE_WINNERS = "AQT32 H, 3 D, K43 C, A93 S, *1"


def test_after_a_pass_of_the_house_the_player_must_bid():
    state = bidding(SIX_WINNERS)
    assert state.call.is_pass
    assert refused(state, Pass()) == "must_bid"
    assert Pass() not in GAME.legal_commands(state, 0)
    assert refused(state, Bid(1, "C")) == ""


def test_one_joker_doubles_the_contract():
    assert after(bidding(SIX_WINNERS), Bid(1, "C")).contract == contract("1C doubled")


def test_two_jokers_redouble_the_house_too():
    state = after(bidding("AQT32 H, 3 D, K4 C, A93 S, *1, *2"), Pass())
    assert state.contract.declarer == "it"
    assert state.contract.doubling == "redoubled"


def test_two_jokers_redouble_the_player():
    assert after(bidding("AQT32 H, 3 D, K4 C, A93 S, *1, *2"), Bid(7, "S")).contract == contract("7S redoubled")


def test_without_jokers_nothing_is_doubled():
    assert after(bidding("AKQJ S, AKQ H, AKQ D, AKQ C"), Bid(7, "NT")).contract == contract("7NT")


def test_no_trump_is_refused_with_six_three_two_one():
    assert refused(bidding(SIX_WINNERS), Bid(1, "NT")) == "no_trump_shape"


def test_over_one_diamond_the_player_may_pass_or_bid_higher():
    state = bidding(FIVE_WINNERS)
    assert (state.call.level, state.call.strain) == (1, "D")
    assert [refused(state, call) for call in (Pass(), Bid(1, "H"), Bid(1, "S"), Bid(2, "C"))] == [""] * 4
    assert refused(state, Bid(1, "C")) == refused(state, Bid(1, "D")) == "bid_too_low"
    assert refused(state, Bid(1, "NT")) == "no_trump_shape"


@pytest.mark.parametrize(
    "picture",
    ["AKQJ S, AKQ H, AKQ D, AKQ C", "AKQ S, AKQ H, AKQ D, AKQ C, *1", "AKQ S, AKQ H, AK D, AKQ C, *1, *2"],
)
def test_no_trump_may_be_bid_with_the_three_balanced_shapes(picture):
    assert refused(bidding(picture), Bid(1, "NT")) == ""


@pytest.mark.parametrize(
    "picture",
    ["AKQJ S, AKQJ H, AKQ D, AK C", "AKQJ S, AKQ H, AKQ D, AK C, *1", "AKQJ S, AKQ H, AK D, AK C, *1, *2"],
)
def test_no_trump_may_not_be_bid_with_other_shapes(picture):
    assert refused(bidding(picture), Bid(1, "NT")) == "no_trump_shape"


def test_over_six_of_the_house_only_the_rest_of_six_and_seven_are_left():
    offered = GAME.legal_commands(bidding("5432 S, 543 H, 543 D, 543 C"), 0)
    sevens = tuple(Bid(7, strain) for strain in ("C", "D", "H", "S", "NT"))
    assert offered == (Pass(), Bid(6, "S"), Bid(6, "NT"), *sevens)


def test_bids_outside_one_club_to_seven_no_trump_are_refused():
    assert refused(bidding(SIX_WINNERS), Bid(8, "C")) == refused(bidding(SIX_WINNERS), Bid(0, "C")) == "no_such_bid"


def test_when_the_player_declares_the_house_leads_the_top_of_the_stock():
    state, events = say(bidding(SIX_WINNERS, "3C 7D"), Bid(1, "C"))
    assert [type(event) for event in events] == [BidMade, ContractMade, HouseLed]
    assert state.trick == run("3C")
    assert state.stock[0] == "7D"


def test_when_the_house_declares_the_player_leads():
    state, events = say(bidding(FIVE_WINNERS), Pass())
    assert [type(event) for event in events] == [Passed, ContractMade]
    assert state.trick == ()
    assert len(GAME.legal_commands(state, 0)) == 13


def test_every_listed_call_is_accepted_and_every_other_bid_refused():
    state = bidding(FIVE_WINNERS)
    listed = set(GAME.legal_commands(state, 0))
    every = {Bid(level, strain) for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")} | {Pass()}
    assert {call for call in every if not refused(state, call)} == listed
