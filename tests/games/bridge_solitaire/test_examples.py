"""The two example hands of Denexa's text, card by card."""

from domain.games.bridge_solitaire.events import Bid, CardTurned, HandScored, Play, Select, TrickWon
from domain.games.bridge_solitaire.state import Entry

from .positions import after, contract, dealing, hand, opened, plays, run, say

STOCK = "3C 7D 5D AH 9C KD 6C KH AS 7C QS 2C TD 4C KS 4D QD 2H *2 6D 5C"
FIRST = dealing(hand("QJ C, 7 H, 94 S, 3 D, *1"), hand("JT72 S, 9 D, AKT8 C, Q854 H"), run(STOCK))
SECOND = dealing(hand("Q H, 3 D, 3 C, A93 S, *1"), hand("AT32 H, 762 D, K42 C, T54 S"), run("JH QD *2"))


def test_the_first_example_hand_is_won_as_told():
    state = after(opened(FIRST), Select(hand("AKT8 C, Q8 H"), "JS"))
    assert sorted(state.hand) == sorted(hand("AKQJT8 C, Q87 H, 94 S, 3 D, *1"))
    assert state.call.is_pass
    state = after(state, Bid(1, "C"))
    assert state.contract == contract("1C doubled")
    assert state.trick == run("3C")
    won = []
    for play in plays("8C AC KC QC JC QH 4S 3D *1 7H 9S TC 8H"):
        state, events = say(state, play)
        won += [play.card for event in events if isinstance(event, TrickWon) and event.side == "me"]
    assert won == list(run("8C AC KC QC JC 7H TC"))
    assert (state.tricks_me, state.tricks_it) == (7, 6)
    assert isinstance(events[-1], HandScored)
    assert events[-1].entries == (
        Entry(1, "me", "below", "trick_score", 40),
        Entry(1, "me", "above", "insult", 50),
        Entry(1, "me", "above", "honours", 150),
    )


def test_in_the_first_example_three_cards_are_passed_over_for_the_ace_of_clubs():
    state = after(opened(FIRST), Select(hand("AKT8 C, Q8 H"), "JS"), Bid(1, "C"), Play("8C"))
    _, events = say(state, Play("AC"))
    turned = [(event.card, event.turn) for event in events if isinstance(event, CardTurned)]
    assert turned == [("7D", "skipped"), ("5D", "skipped"), ("AH", "skipped"), ("9C", "answers")]


def test_the_second_example_hand_goes_wrong_as_told():
    state = after(opened(SECOND), Select(hand("AT32 H, K4 C")))
    assert sorted(state.hand) == sorted(hand("AQT32 H, 3 D, K43 C, A93 S, *1"))
    assert (state.call.level, state.call.strain) == (1, "D")
    state = after(state, Bid(1, "H"))
    assert state.contract == contract("1H doubled")
    assert state.trick == run("JH")
    state, events = say(state, Play("QH"))
    assert events[1] == TrickWon("me", "high_card")
    state, events = say(state, Play("AH"))
    assert events[1:4] == (CardTurned("QD", "skipped"), CardTurned("*2", "answers"), TrickWon("it", "joker"))
    assert len(state.trick) == 1
