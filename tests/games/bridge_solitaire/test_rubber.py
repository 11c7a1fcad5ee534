"""From hand to hand: the next deal, the end of a rubber, closing, resigning, voiding, single hands."""

import pytest
from msgspec.structs import replace

from domain.capabilities import Resignation
from domain.game_type import Illegal, Result
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire.events import (
    Bid,
    CloseRubber,
    Dealt,
    HandScored,
    HandsVoided,
    NextHand,
    Play,
    RubberClosed,
    RubberScored,
    Select,
)
from domain.games.bridge_solitaire.rules import fold
from domain.games.bridge_solitaire.scoring import with_hand
from domain.games.bridge_solitaire.state import CARDS, Column, Entry, Sheet, lying
from domain.games.bridge_solitaire.state import BoardOptions as Options

from .positions import after, bidding, dealing, in_play, opened, refused, say
from .scored import folded, rows

SIX_WINNERS = "AKQJT8 C, Q87 H, 94 S, 3 D, *1"


def last_trick(bid="1C", on=None, tricks=12, declarer="me", **options):
    """One trick before the end of a hand, with the sheet as it stood before; the player is about to win it."""
    state = in_play("A C", "2C 3H", bid, tricks=tricks, declarer=declarer)
    on = on or Sheet()
    chosen = Options(**options)
    return replace(state, options=chosen, sheet=on, hand_number=on.hands + 1)


def test_between_hands_the_player_goes_on_or_closes():
    state = after(last_trick(), Play("AC"))
    assert state.phase == "hand_scored"
    assert GAME.result(state) is None
    assert GAME.legal_commands(state, 0) == (NextHand(), CloseRubber())


def test_the_next_hand_is_a_fresh_shuffle_of_all_54_cards():
    first = opened()
    played = after(replace(first, phase="hand_scored"), NextHand())
    assert played.hand_number == 2
    assert sorted(lying(played)) == sorted(CARDS)
    assert lying(played) != lying(first)
    assert (played.chance.number, first.chance.number) == (2, 1)


def test_the_next_deal_records_its_outcome_so_that_the_fold_draws_no_lots():
    state = replace(opened(), phase="hand_scored")
    _, (event,) = say(state, NextHand())
    assert isinstance(event, Dealt)
    assert GAME.evolve(state, event) == GAME.evolve(state, event)
    assert event.cards[7:20] == GAME.evolve(state, event).offered


def test_a_given_deal_is_used_for_the_first_hand_only():
    state = opened(dealing((), ()))
    assert lying(state) == CARDS
    again = after(replace(state, phase="hand_scored"), NextHand())
    assert lying(again) != CARDS


def test_a_given_deal_that_is_not_the_54_cards_is_refused():
    with pytest.raises(Illegal):
        opened(CARDS[:53])


def test_the_next_hand_and_closing_wait_for_the_end_of_the_hand():
    assert refused(last_trick(), NextHand()) == refused(last_trick(), CloseRubber()) == "hand_unfinished"


def test_the_scored_hand_carries_all_that_a_sheet_needs():
    _, events = say(last_trick("2C doubled"), Play("AC"))
    scored = events[-1]
    assert isinstance(scored, HandScored)
    assert (scored.hand, scored.cards, scored.contract.level, scored.contract.doubling) == (1, ("AC",), 2, "doubled")
    assert (scored.tricks_me, scored.tricks_it, scored.vulnerable, scored.finish) == (13, 0, (), "played_out")
    assert rows(scored.entries) == [("me", "trick_score", 80), ("me", "overtricks", 500), ("me", "insult", 50)]


def test_the_second_game_completes_the_rubber_at_once():
    state, events = say(last_trick("4H", folded("me 4H 10")), Play("AC"))
    assert isinstance(events[-1], RubberScored)
    assert rows(events[-1].entries) == [("me", "rubber_premium", 700)]
    assert GAME.result(state) == Result("won", "rubber", (0,), (state.sheet.margin,))
    assert GAME.legal_commands(state, 0) == ()
    assert refused(state, NextHand()) == "game_over"


def test_the_first_game_does_not_complete_the_rubber():
    state, events = say(last_trick("4H"), Play("AC"))
    assert isinstance(events[-1], HandScored)
    assert state.sheet.vulnerable == ("me",)


def test_more_points_win_though_the_house_takes_its_second_game():
    """1690 to 880 for the player."""
    on = with_hand(folded("it 5C 11"), 2, (Entry(2, "me", "above", "undertricks", 1690),))
    on = with_hand(on, 3, (Entry(3, "it", "above", "undertricks", 60),))
    on = with_hand(on, 4, (Entry(4, "it", "below", "trick_score", 20),))
    ending = fold(replace(opened(), sheet=on), [RubberScored((Entry(4, "it", "above", "rubber_premium", 700),))])
    assert (ending.sheet.me.total, ending.sheet.it.total) == (1690, 880)
    assert GAME.result(ending) == Result("won", "rubber", (0,), (810,))


def test_a_house_that_is_ahead_in_points_makes_the_rubber_lost():
    state = after(last_trick("1C", folded("me 4H 10", "me 7NT 1", "me 7NT 1"), tricks=12), Play("AC"))
    lost = fold(state, [RubberScored(())])
    assert GAME.result(lost).ending == "lost"


def test_level_totals_make_a_rubber_drawn():
    level = Sheet(me=Column(total=900), it=Column(total=900))
    state = replace(opened(), sheet=level, closed="rubber")
    assert GAME.result(state) == Result("drawn", "rubber", (), (0,))


def test_closing_pays_the_premiums_of_an_unfinished_rubber_and_abandons_it():
    on = folded("me 4H 10", "it 2H 8")
    state, events = say(replace(opened(), phase="hand_scored", sheet=on), CloseRubber())
    assert rows(events[0].entries) == [("me", "unfinished_game", 300), ("it", "unfinished_part_score", 100)]
    assert GAME.result(state) == Result("abandoned", "closed", (), (120 + 300 - 60 - 100,))
    assert GAME.look(state, 0).phase == "finished"


def test_closing_a_rubber_with_nothing_due_writes_no_entries():
    _, events = say(replace(opened(), phase="hand_scored"), CloseRubber())
    assert events == (RubberClosed("closed"),)


def test_resigning_in_play_gives_the_house_every_unfinished_trick():
    state = in_play("AKQJT C", "2C 3C 4C 5C 6C 7C", "4C", tricks=8)
    events = GAME.get(Resignation).events(state, 0)
    scored = events[0]
    assert (scored.tricks_me, scored.tricks_it, scored.finish) == (8, 5, "conceded")
    assert rows(scored.entries) == [("it", "undertricks", 100), ("me", "honours", 150)]
    assert events[1] == RubberClosed("resigned", ())
    assert GAME.result(fold(state, events)) == Result("lost", "resigned", (), (50,))


def test_a_contract_already_made_is_scored_as_made_when_the_player_resigns():
    state = in_play("AK C", "2C 3C 4C", "1H", tricks=10)
    scored, closed = GAME.get(Resignation).events(state, 0)
    assert rows(scored.entries) == [("me", "trick_score", 30), ("me", "overtricks", 90)]
    assert rows(closed.entries) == [("me", "unfinished_part_score", 100)]
    assert GAME.result(fold(state, (scored, closed))).ending == "lost"


@pytest.mark.parametrize("state", [opened(), bidding(SIX_WINNERS)], ids=["selecting", "bidding"])
def test_resigning_without_a_contract_scores_no_hand(state):
    state = replace(state, sheet=folded("me 4H 10"), hand_number=2)
    (closed,) = GAME.get(Resignation).events(state, 0)
    assert closed.reason == "resigned"
    assert rows(closed.entries) == [("me", "unfinished_game", 300)]


def test_resigning_between_hands_pays_the_premiums_and_loses():
    state = replace(opened(), phase="hand_scored", sheet=folded("it 4H 10"))
    assert rows(GAME.get(Resignation).events(state, 0)[0].entries) == [("it", "unfinished_game", 300)]


def test_a_resignation_that_gives_the_house_its_second_game_pays_the_rubber_premium():
    state = replace(in_play("AK C", "2C 3C 4C", "4H", declarer="it"), sheet=folded("it 4H 10"), hand_number=2)
    scored, closed = GAME.get(Resignation).events(state, 0)
    assert rows(scored.entries)[0] == ("it", "trick_score", 120)
    assert rows(closed.entries) == [("it", "rubber_premium", 700)]
    assert GAME.result(fold(state, (scored, closed))).reason == "resigned"


@pytest.mark.parametrize(("bid", "declarer", "ending"), [("1C", "me", "won"), ("1C", "it", "won"), ("7C", "me", "won")])
def test_a_single_hand_that_scores_for_the_player_is_won(bid, declarer, ending):
    state = after(last_trick(bid, declarer=declarer, length="hand"), Play("AC"))
    assert GAME.result(state) == Result(ending, "hand", (0,), (state.sheet.margin,))
    assert GAME.legal_commands(state, 0) == ()


def test_a_single_hand_that_scores_for_the_house_is_lost():
    state = after(last_trick("7C", tricks=0, length="hand"), Play("AC"))
    assert GAME.result(state) == Result("lost", "hand", (), (-600,))


def test_a_single_hand_is_drawn_when_honours_equal_the_undertricks():
    state = replace(last_trick("4C", tricks=6, length="hand"), held=("AC", "KC", "QC", "JC", "TC"))
    assert GAME.result(after(state, Play("AC"))) == Result("drawn", "hand", (), (0,))


def test_a_single_hand_pays_no_rubber_premiums_even_when_resigned():
    state = replace(in_play("AK C", "2C 3C 4C", "4H", tricks=11), options=Options(length="hand"))
    scored, closed = GAME.get(Resignation).events(state, 0)
    assert scored.finish == "conceded"
    assert closed.entries == ()


def test_voided_hands_return_the_game_to_the_state_before_them():
    state = replace(opened(), hand_number=3, sheet=folded("me 4H 10", "it 2H 8"))
    voided = GAME.evolve(state, HandsVoided(2))
    assert voided.sheet == folded("me 4H 10")
    assert (voided.phase, voided.hand_number) == ("hand_scored", 1)
    assert sorted(lying(voided)) == sorted(CARDS)
    assert after(voided, NextHand()).hand_number == 2
    assert after(voided, NextHand()).sheet.vulnerable == ("me",)


def test_voiding_the_hand_in_play_leaves_the_scored_ones():
    state = replace(in_play("AK C", "2C"), hand_number=2, sheet=folded("me 4H 10"))
    assert GAME.evolve(state, HandsVoided(2)).sheet == folded("me 4H 10")


def test_voiding_a_finished_rubber_opens_it_again():
    state = after(last_trick("4H", folded("me 4H 10")), Play("AC"))
    voided = GAME.evolve(state, HandsVoided(2))
    assert GAME.result(voided) is None
    assert GAME.legal_commands(voided, 0) == (NextHand(), CloseRubber())


def test_voiding_hands_that_were_not_dealt_changes_nothing():
    state = opened()
    assert GAME.evolve(state, HandsVoided(2)) == state


def test_old_undertricks_are_scored_where_the_option_says_so():
    state = last_trick("4C doubled", tricks=5, old_undertricks=True)
    _, events = say(state, Play("AC"))
    assert rows(events[-1].entries) == [("it", "undertricks", 700)]


def test_nobody_else_may_play():
    assert GAME.legal_commands(opened(), 1) == ()
    with pytest.raises(Illegal):
        GAME.decide(opened(), 1, Select(("2C",) * 6))


def test_a_bid_waits_for_the_selection():
    assert refused(opened(), Bid(1, "C")) == "not_bidding"
