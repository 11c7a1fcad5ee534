"""Selection, auction and play of a hand, what is seen and told of it, and the two example hands of Denexa's text."""

from itertools import combinations
from math import comb
from typing import Any

import pytest
from msgspec.structs import replace

from domain.capabilities import Spelling
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.events import Bid, CardPlayed, CardTurned, HandScored, Pass, Play, Select, TrickWon
from domain.games.bridge_solitaire.rules import house_call, suit_winners, winners
from domain.games.bridge_solitaire.state import HIGH_TO_LOW, STRAINS, Entry, Options
from domain.view import ALL_SEEING

from .positions import (
    after,
    bidding,
    contract,
    dealing,
    declared,
    hand,
    in_play,
    opened,
    plays,
    refused,
    run,
    say,
    zone,
)
from .scored import folded

ONE_JOKER = dealing(run("2C 3C 4C 5C 6C 7C 8C"), hand("AKQ S, *1, 432 H, 9876 D, 95 S"))
TWO_JOKERS = dealing(run("2C 3C 4C 5C 6C 7C 8C"), hand("AKQ S, *1, *2, 432 H, 9876 D, 9 S"))
EXAMPLE = dealing(hand("QJ C, 7 H, 94 S, 3 D, *1"), hand("JT72 S, 9 D, AKT8 C, Q854 H"))
SIX_WINNERS = "AKQJT8 C, Q87 H, 94 S, 3 D, *1"
FIVE_WINNERS = "AQT32 H, 3 D, K43 C, A93 S, *1"
REDOUBLING = "AQT32 H, 3 D, K4 C, A93 S, *1, *2"
NO_WINNERS = "5432 S, 543 H, 543 D, 543 C"
BALANCED = "AKQJ S, AKQ H, AKQ D, AKQ C"


def spelt(state, command):
    return GAME.get(Spelling).canonical(state, 0, command)


def test_seven_are_hidden_thirteen_offered_and_the_stock_follows():
    state = opened(ONE_JOKER)
    assert (state.hidden, state.offered, state.stock) == (ONE_JOKER[:7], ONE_JOKER[7:20], ONE_JOKER[20:])
    view = GAME.look(state, 0)
    assert {zone.id: len(zone.cards) for zone in view.zones if zone.cards} == {"offered": 13}
    assert {zone.id: zone.face_down for zone in view.zones if zone.face_down} == {"stock": 34, "hidden_seven": 7}
    assert zone(state, "hidden_seven", ALL_SEEING) == (0, state.hidden)
    assert zone(state, "stock", ALL_SEEING) == (0, state.stock[::-1])


@pytest.mark.parametrize(
    ("deal", "jokers", "count"),
    [(ONE_JOKER, {"*1"}, comb(12, 5)), (TWO_JOKERS, {"*1", "*2"}, comb(11, 4)), (EXAMPLE, set(), comb(13, 6))],
)
def test_every_six_with_the_jokers_is_listed_once(deal, jokers, count):
    state = opened(deal)
    listed = GAME.legal_commands(state, 0)
    assert len({frozenset(select.cards) for select in listed}) == len(listed) == count
    assert all(jokers <= set(select.cards) and refused(state, select) == "" for select in listed)


SELECTIONS = [
    (ONE_JOKER, "AKQ S, 432 H", None, "jokers_compulsory"), (ONE_JOKER, "AKQ S, *1, 43 H", None, ""),
    (TWO_JOKERS, "AKQ S, *1, 43 H", None, "jokers_compulsory"), (EXAMPLE, "AKT8 C, Q H", None, "six_cards"),
    (EXAMPLE, "AKT8 C, QQ H", None, "six_cards"), (EXAMPLE, "AKTQ C, Q8 H", None, "card_not_offered"),
    (EXAMPLE, "AKT8 C, Q8 H", "AC", "top_not_discarded"), (EXAMPLE, "AKT8 C, Q8 H", "QC", "top_not_discarded"),
]  # fmt: skip


@pytest.mark.parametrize(("deal", "picture", "top", "rule"), SELECTIONS)
def test_selections_that_are_not_six_offered_cards_are_refused(deal, picture, top, rule):
    assert refused(opened(deal), Select(hand(picture), top)) == rule


def test_neither_order_nor_top_discard_is_listed():
    state = opened(EXAMPLE)
    one, other = Select(hand("AKT8 C, Q8 H")), Select(hand("8Q H, 8TKA C"))
    listed = GAME.legal_commands(state, 0)
    assert spelt(state, one) == spelt(state, other)
    assert {spelt(state, other), spelt(state, Select(hand("8 C, Q H, AKT C, 8 H"), "JS"))} <= set(listed)
    assert spelt(state, Select(hand("AKT8 C, Q8 H"), "AC")) not in listed
    assert after(state, one) == after(state, other)
    assert after(state, one).discard == run("JS TS 7S 2S 9D 5H 4H")


def test_after_the_selection_the_seven_are_shown():
    state, events = say(opened(EXAMPLE), Select(hand("AKT8 C, Q8 H"), "JS"))
    assert [type(event) for event in events] == [ev.Selected, ev.HandShown, ev.HouseCalled]
    assert zone(state, "discard") == (6, ("JS",))
    assert state.discard == run("TS 7S 2S 9D 5H 4H JS")
    assert GAME.look(state, 0).facts.discard_top == "JS"
    assert sorted(state.hand) == sorted(hand("AKQJT8 C, Q87 H, 94 S, 3 D, *1"))
    assert refused(state, Select(hand("AKT8 C, Q8 H"))) == "not_selecting"
    assert refused(opened(EXAMPLE), Pass()) == "not_bidding"


def test_the_walk_equals_its_closed_form_on_all_8192_holdings():
    """With n cards in a suit, as many win as there are of the suit's n highest among them."""
    holdings = [held for count in range(14) for held in combinations(HIGH_TO_LOW, count)]
    assert len(holdings) == 8192
    assert all(suit_winners(held) == len(set(HIGH_TO_LOW[: len(held)]) & set(held)) for held in holdings)


@pytest.mark.parametrize(
    ("held", "count"),
    [
        ("AQT9", 2), ("AKQJT8", 5), ("Q87", 1), ("94", 0), ("3", 0), ("AQT32", 3), ("K43", 1), ("A93", 1),
        ("AK", 2), ("Q85", 1), ("JT72", 1), ("Q8", 0), ("Q82", 1), ("K", 0), ("K4", 1), ("T54", 0), ("762", 0), ("", 0),
        ("AKQJT98765432", 13),
    ],
)  # fmt: skip
def test_holdings_of_the_published_examples_win_as_told_there(held, count):
    assert suit_winners(held) == count


HOUSE_CALLS = {
    "six winners": (SIX_WINNERS, "highest", 6, "pass"),
    "five winners and a single diamond": (FIVE_WINNERS, "highest", 5, "1D"),
    "thirteen winners": (BALANCED, "highest", 13, "pass"),
    "no winners: six of the highest shortest suit": (NO_WINNERS, "highest", 0, "6H"),
    "the lowest of the shortest suits by option": (NO_WINNERS, "lowest", 0, "6C"),
    "four winners, all in spades": ("KQJT9 S, J32 H, QJ D, 432 C", "highest", 4, "2D"),
    "three suits tied at three": ("QJT S, JT98 H, KQ2 D, A72 C", "highest", 5, "1S"),
    "a void is the shortest suit": ("65432 S, 65432 H, 543 C", "highest", 0, "6D"),
    "jokers count nothing": ("A S, *1, *2", "highest", 1, None),
}


@pytest.mark.parametrize(("picture", "tie", "winning", "call"), HOUSE_CALLS.values(), ids=HOUSE_CALLS)
def test_the_house_calls_by_the_winners_of_the_hand(picture, tie, winning, call):
    assert winners(hand(picture)) == winning
    made = house_call(hand(picture), (), Options(house_tie=tie))
    assert call is None or (f"{made.level}{made.strain}" if made.level else "pass") == call


def test_excluded_discards_are_nobodys_cards():
    """Without the ace and the king, discarded, the queen is the highest that anybody holds."""
    held, discards = hand("QJ S, 432 H, 432 D, 65432 C"), hand("AK S, 98765 H")
    assert [winners(held), winners(held, discards)] == [0, 2]
    levels = [house_call(held, discards, Options(exclude_discards=exclude)).level for exclude in (False, True)]
    assert levels == [6, 4]
    assert [suit_winners("32", "AKQJT987654"), suit_winners("32", "AKQJT98765"), suit_winners("5432", "AKQJT9")] == [
        2, 1, 1,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("picture", "exclude", "level"),
    [("98 S, 432 H, 432 D, 65432 C", False, 6), ("98 S, 432 H, 432 D, 65432 C", True, 6),
     ("KQ S, 432 H, 432 D, 65432 C", False, 5), ("KQ S, 432 H, 432 D, 65432 C", True, 4)],
)  # fmt: skip
def test_the_game_leaves_its_own_discards_out_when_told_to(picture, exclude, level):
    """The seven discards of these positions are the ace and low spades, so that a king is the highest left."""
    state = bidding(picture, exclude_discards=exclude)
    assert state.call.level == level
    assert picture.startswith("KQ") or state.discard == tuple(rank + "S" for rank in "A234567")


CALLS: dict[str, tuple[str, dict[Any, str]]] = {
    "after a pass of the house the player must bid": (
        SIX_WINNERS, {Pass(): "must_bid", Bid(1, "C"): "", Bid(1, "NT"): "no_trump_shape", Bid(8, "C"): "no_such_bid",
                      Bid(0, "C"): "no_such_bid"},
    ),
    "over one diamond the player may pass or bid higher": (
        FIVE_WINNERS, {Pass(): "", Bid(1, "H"): "", Bid(1, "S"): "", Bid(2, "C"): "", Bid(1, "C"): "bid_too_low",
                       Bid(1, "D"): "bid_too_low", Bid(1, "NT"): "no_trump_shape"},
    ),
    **{f"no trump with {picture}": (picture, {Bid(1, "NT"): ""}) for picture in (
        BALANCED, "AKQ S, AKQ H, AKQ D, AKQ C, *1", "AKQ S, AKQ H, AK D, AKQ C, *1, *2",
    )},
    **{f"no trump not with {picture}": (picture, {Bid(1, "NT"): "no_trump_shape"}) for picture in (
        "AKQJ S, AKQJ H, AKQ D, AK C", "AKQJ S, AKQ H, AKQ D, AK C, *1", "AKQJ S, AKQ H, AK D, AK C, *1, *2",
    )},
}  # fmt: skip


@pytest.mark.parametrize(("picture", "answers"), CALLS.values(), ids=CALLS)
def test_a_call_is_listed_or_refused_by_its_rule(picture, answers):
    state = bidding(picture)
    assert {call: refused(state, call) for call in answers} == answers
    every = {Bid(level, strain) for level in range(1, 8) for strain in STRAINS} | {Pass()}
    assert {call for call in every if not refused(state, call)} == set(GAME.legal_commands(state, 0))


@pytest.mark.parametrize(
    ("picture", "call", "made", "declarer"),
    [(SIX_WINNERS, Bid(1, "C"), "1C doubled", "me"), (REDOUBLING, Bid(7, "S"), "7S redoubled", "me"),
     (BALANCED, Bid(7, "NT"), "7NT", "me"), (FIVE_WINNERS, Bid(1, "H"), "1H doubled", "me"),
     (FIVE_WINNERS, Pass(), "1D doubled", "it"), (REDOUBLING, Pass(), "1D redoubled", "it")],
)  # fmt: skip
def test_one_joker_doubles_the_contract_and_two_redouble_it(picture, call, made, declarer):
    assert after(bidding(picture), call).contract == contract(made, declarer)


def test_over_six_of_the_house_only_the_rest_of_six_and_seven_are_left():
    sevens = tuple(Bid(7, strain) for strain in ("C", "D", "H", "S", "NT"))
    assert GAME.legal_commands(bidding(NO_WINNERS), 0) == (Pass(), Bid(6, "S"), Bid(6, "NT"), *sevens)


def test_the_house_leads_unless_it_declares():
    state, events = say(bidding(SIX_WINNERS, "3C 7D"), Bid(1, "C"))
    assert [type(event) for event in events] == [ev.BidMade, ev.ContractMade, ev.HouseLed]
    assert (state.trick, state.stock[0]) == (run("3C"), "7D")
    state, events = say(bidding(FIVE_WINNERS), Pass())
    assert [type(event) for event in events] == [ev.Passed, ev.ContractMade]
    assert (state.trick, len(GAME.legal_commands(state, 0))) == ((), 13)


LED_JOKER = ("95 S, A C, *1", "2S 3S", "1C", "*2")
TRICKS: dict[str, tuple[tuple[str, str, str, str], str, str, str, str]] = {
    "other suits are skipped until one follows": (
        ("AK C, 32 H", "7D 5D AH 9C 2S", "1C", ""), "AC", "7D 5D AH 9C", "me", "high_card",
    ),
    "a trump answers though the house might follow later": (
        ("Q2 H", "TD 4C KH", "1C", ""), "QH", "TD 4C", "it", "trump",
    ),
    "a joker led by the house loses to the other joker": (LED_JOKER, "*1", "", "me", "joker"),
    "a joker led by the house beats the ace of trumps": (LED_JOKER, "AC", "", "it", "joker"),
    "a joker turned from the stock wins for it": (("9 S, AK C", "*2 3S 4S", "1C", ""), "9S", "*2", "it", "joker"),
    "a joker turned at no trump is the house's play at once": (
        ("AK S", "2H *1 3S 4S", "1NT", ""), "AS", "2H *1", "it", "joker",
    ),
    "a joker led by the player is answered by the next card": (
        ("AK S, *1", "2H 3S 4S", "1C", ""), "*1", "2H", "it", "joker",
    ),
    "at no trump, too": (("AK S, *1", "2H 3S 4S", "1NT", ""), "*1", "2H", "it", "joker"),
    "it loses even to the other joker": (("AK S, *1", "*2 3S 4S", "1C", ""), "*1", "*2", "it", "joker"),
    "at no trump the fourth card may still answer": (
        ("KQ S, 3 H", "4H 9D 2C 7S 8S", "1NT", ""), "KS", "4H 9D 2C 7S", "me", "high_card",
    ),
    "no suit is trump at no trump": (("9 S, 3 H", "TS 4C", "1NT", ""), "9S", "TS", "it", "high_card"),
    "no suit is trump to a lead": (("9 S, 3 H", "2C 4C", "1NT", "AS"), "9S", "", "it", "high_card"),
    "no suit is trump to another's lead": (("9 C, 3 H", "2C 4C", "1NT", "2S"), "9C", "", "it", "high_card"),
    "the highest of the suit led wins": (("K2 S", "2H 3H", "1C", "QS"), "KS", "", "me", "high_card"),
    "a lower card loses": (("T2 S", "2H 3H", "1C", "QS"), "TS", "", "it", "high_card"),
    "the player ruffs a suit that is not held": (("2 C, 3 H", "2H 3H", "1C", "AS"), "2C", "", "me", "trump"),
    "a card of a third suit loses to the lead": (("A D, 3 H", "2H 3H", "1C", "2S"), "AD", "", "it", "high_card"),
    "the higher of two trumps wins for the house": (("93 C", "TC 3H", "1C", ""), "9C", "TC", "it", "high_card"),
    "the higher of two trumps wins for the player": (("93 C", "8C 3H", "1C", ""), "9C", "8C", "me", "high_card"),
}  # fmt: skip


@pytest.mark.parametrize(("position", "card", "turned", "side", "reason"), TRICKS.values(), ids=TRICKS)
def test_a_trick_is_won_as_the_rules_say(position, card, turned, side, reason):
    held, stock, bid, led = position
    _, events = say(in_play(held, stock, bid, led=led), Play(card))
    turns = [(event.card, event.turn) for event in events if isinstance(event, CardTurned)]
    *skipped, answer = turned.split() or [""]
    assert turns == [*((one, "skipped") for one in skipped), *([(answer, "answers")] if answer else [])]
    won = next(event for event in events if isinstance(event, TrickWon))
    assert (won.side, won.reason) == (side, reason)


PLAYABLE = {
    "void in the suit led, anything": (("9 S, 78 H, T C, *1", "2S 3S 4S", "QD"), "9S 7H 8H TC *1", {}),
    "the suit must be followed": (
        ("95 S, 8 H, *1", "2S 3S", "QS"), "9S 5S", {"8H": "follow_suit", "*1": "joker_while_following"},
    ),
    "leading, what is held": (("95 S", "2S 3S", ""), "9S 5S", {"AS": "card_not_held"}),
    "to a joker led by the house anything": (("95 S, A C, *1", "2S 3S", "*2"), "9S 5S AC *1", {}),
}  # fmt: skip


@pytest.mark.parametrize(("position", "cards", "answers"), PLAYABLE.values(), ids=PLAYABLE)
def test_what_may_be_played(position, cards, answers):
    held, stock, led = position
    state = in_play(held, stock, led=led)
    assert tuple(command.card for command in GAME.legal_commands(state, 0)) == run(cards)
    assert {card: refused(state, Play(card)) for card in answers} == answers


def test_skipped_cards_lie_open_until_the_next_card():
    state = replace(in_play("AK C, 32 H", "7D 5D AH 9C 2C 3S"), discard=run("4S JS"))
    once = after(state, Play("AC"))
    assert GAME.look(once, 0).facts.discard_top == "AH"
    assert (zone(once, "skipped"), zone(once, "discard")) == ((0, run("7D 5D AH")), (2, ()))
    twice = after(once, Play("KC"))
    seen = {id: zone(twice, id) for id in ("skipped", "discard", "last_trick", "tricks_won_0")}
    assert seen == {
        "skipped": (0, ()), "discard": (4, ("AH",)), "last_trick": (0, run("KC 2C")), "tricks_won_0": (2, ()),
    }  # fmt: skip


def test_a_joker_played_to_the_houses_lead_gives_it_the_trick_and_it_leads_again():
    state, events = say(in_play("9 S, 78 H, T C, *1", "2S 3S 4S", led="QD"), Play("*1"))
    assert events == (CardPlayed("*1"), TrickWon("it", "joker"), ev.HouseLed("2S"))
    assert state.trick == run("2S")
    assert after(in_play("K2 S", "2H 3H", led="QS"), Play("KS")).trick == ()
    assert after(in_play("T2 S", "2H 3H", led="QS"), Play("TS")).trick == run("2H")


def test_at_no_trump_four_cards_without_an_answer_give_the_player_the_trick():
    state, events = say(in_play("KQ S, 3 H", "4H 9D 2C 7H 7S", "1NT"), Play("KS"))
    assert events[1:6] == (*(CardTurned(card, "skipped") for card in run("4H 9D 2C 7H")), TrickWon("me", "no_answer"))
    assert (state.stock, state.skipped, state.last_trick) == (run("7S"), run("4H 9D 2C 7H"), run("KS"))
    _, events = say(in_play("KQ S, 3 H", "4H 9D 2C 7H", "1NT"), Play("KS"))
    assert events[4:6] == (CardTurned("7H", "last_card"), TrickWon("me", "high_card"))


def test_the_last_stock_card_is_the_houses_card_and_the_cards_left_are_tricks():
    state, events = say(in_play("KQ2 C, 5 S", "3D 8D", "1H", tricks=5), Play("KC"))
    turned = (CardTurned("3D", "skipped"), CardTurned("8D", "last_card"))
    assert events[:5] == (CardPlayed("KC"), *turned, TrickWon("me", "high_card"), ev.RemainingWon(hand("Q2 C, 5 S")))
    assert isinstance(events[5], HandScored)
    assert (state.tricks_me, state.tricks_left, events[5].finish) == (9, 0, "stock_out")
    assert (zone(state, "tricks_won_0"), zone(state, "last_trick")) == ((3, ()), (0, run("KC 8D")))
    assert after(in_play("K C, *1", "AC", "1H", tricks=3), Play("KC")).tricks_me == 4, "a joker left is a trick"


@pytest.mark.parametrize(("last", "reason"), [("2H", "trump"), ("*1", "joker"), ("AC", "high_card")])
def test_the_last_stock_card_may_win(last, reason):
    _, events = say(in_play("KQ2 C, 5 S", f"3D {last}", "1H"), Play("KC"))
    assert [type(event) for event in events][2:] == [CardTurned, TrickWon, ev.RemainingWon, HandScored]
    assert events[3] == TrickWon("it", reason)


def test_a_house_lead_with_the_last_stock_card_is_played_out_first():
    _, events = say(in_play("KQ2 C, 5 S, *1", "", "1H", led="3C", tricks=4), Play("KC"))
    assert events[:3] == (CardPlayed("KC"), TrickWon("me", "high_card"), ev.RemainingWon(hand("Q2 C, 5 S, *1")))
    assert events[3].tricks_me == 9


def test_the_thirteenth_trick_ends_the_hand():
    state, events = say(in_play("9 C", "8C 3H", tricks=6), Play("9C"))
    assert events[-1].finish == "played_out"
    assert (state.phase, state.tricks_me, state.tricks_it) == ("hand_scored", 7, 6)
    assert refused(state, Play("9C")) == "not_playing"


def test_after_the_selection_the_hand_and_the_top_discard_are_seen():
    state = bidding(FIVE_WINNERS)
    view = GAME.look(state, 0)
    assert {zone.id: len(zone.cards) for zone in view.zones if zone.cards} == {"discard": 1, "hand_0": 13}
    assert {zone.id: zone.face_down for zone in view.zones if zone.face_down} == {"stock": 34, "discard": 6}
    assert state.hand == run("AS 9S 3S AH QH TH 3H 2H KC 4C 3C 3D *1")
    for each in (opened(), state, declared(FIVE_WINNERS, Pass())):
        assert GAME.look(each, None) == GAME.look(each, 0)


def test_the_last_trick_lies_open_while_the_house_leads_and_is_turned_down_at_the_next_card():
    state = after(in_play("95 S, 4 H", "2S 3S 6H 8H", led="QS"), Play("5S"))
    assert [zone(state, id) for id in ("trick", "last_trick", "tricks_house")] == [
        (0, run("2S")), (0, run("QS 5S")), (0, ()),
    ]  # fmt: skip
    state = after(state, Play("9S"))
    assert [zone(state, id) for id in ("last_trick", "tricks_house")] == [(0, run("2S 9S")), (2, ())]


def test_the_facts_tell_call_contract_tricks_and_sheet():
    state = replace(declared(FIVE_WINNERS, Bid(1, "H")), sheet=folded("me 4H 10"))
    facts = GAME.look(state, 0).facts
    assert (facts.house_call.level, facts.house_call.strain) == (1, "D")
    assert facts.contract == contract("1H doubled")
    assert (facts.hand, facts.tricks_me, facts.tricks_it) == (1, 0, 0)
    assert (facts.sheet.me.games, facts.sheet.me.vulnerable, facts.sheet.me.total) == (1, True, 120)


def told(state, command):
    sentences = []
    for event in GAME.decide(state, 0, command):
        sentences.append(GAME.tell(state, event, None))
        state = GAME.evolve(state, event)
    return sentences


def test_deal_selection_auction_and_play_are_told():
    state = opened()
    event = GAME.deal(state.options, state.chance, 1)[0]
    assert GAME.tell(GAME.initial(state.options, 1), event, 0) == (
        "Hand 1 is dealt: seven cards face down, thirteen face up, and 34 of stock."
    )
    selected = told(state, GAME.legal_commands(state, 0)[0])[0]
    assert selected.startswith("The player keeps ")
    assert selected.endswith(" on top.")
    assert told(bidding(FIVE_WINNERS), Bid(1, "H"))[:2] == [
        "The player bids one heart.",
        "The contract is one heart doubled, declared by the player.",
    ]
    assert told(in_play("AK C, 32 H", "7D *2 9C 2S"), Play("AC")) == [
        "The player leads the ace of clubs.", "The seven of diamonds is skipped.", "The house answers with the joker.",
        "The house wins the trick by a joker.", "The house leads the nine of clubs.",
    ]  # fmt: skip


STOCK = "3C 7D 5D AH 9C KD 6C KH AS 7C QS 2C TD 4C KS 4D QD 2H *2 6D 5C"
FIRST = dealing(hand("QJ C, 7 H, 94 S, 3 D, *1"), hand("JT72 S, 9 D, AKT8 C, Q854 H"), run(STOCK))
SECOND = dealing(hand("Q H, 3 D, 3 C, A93 S, *1"), hand("AT32 H, 762 D, K42 C, T54 S"), run("JH QD *2"))


def test_the_first_example_hand_is_won_as_told():
    state = after(opened(FIRST), Select(hand("AKT8 C, Q8 H"), "JS"))
    assert sorted(state.hand) == sorted(hand("AKQJT8 C, Q87 H, 94 S, 3 D, *1"))
    assert state.call.is_pass
    state = after(state, Bid(1, "C"))
    assert (state.contract, state.trick) == (contract("1C doubled"), run("3C"))
    won = []
    for number, play in enumerate(plays("8C AC KC QC JC QH 4S 3D *1 7H 9S TC 8H")):
        state, events = say(state, play)
        won += [play.card for event in events if isinstance(event, TrickWon) and event.side == "me"]
        if number == 1:
            turned = [(event.card, event.turn) for event in events if isinstance(event, CardTurned)]
            assert turned == [("7D", "skipped"), ("5D", "skipped"), ("AH", "skipped"), ("9C", "answers")]
    assert won == list(run("8C AC KC QC JC 7H TC"))
    assert (state.tricks_me, state.tricks_it) == (7, 6)
    assert isinstance(events[-1], HandScored)
    assert events[-1].entries == (
        Entry(1, "me", "below", "trick_score", 40),
        Entry(1, "me", "above", "insult", 50),
        Entry(1, "me", "above", "honours", 150),
    )


def test_the_second_example_hand_goes_wrong_as_told():
    state = after(opened(SECOND), Select(hand("AT32 H, K4 C")))
    assert sorted(state.hand) == sorted(hand("AQT32 H, 3 D, K43 C, A93 S, *1"))
    assert (state.call.level, state.call.strain) == (1, "D")
    state = after(state, Bid(1, "H"))
    assert (state.contract, state.trick) == (contract("1H doubled"), run("JH"))
    state, events = say(state, Play("QH"))
    assert events[1] == TrickWon("me", "high_card")
    state, events = say(state, Play("AH"))
    assert events[1:4] == (CardTurned("QD", "skipped"), CardTurned("*2", "answers"), TrickWon("it", "joker"))
    assert len(state.trick) == 1
