from msgspec.structs import replace

from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire.events import (
    CardPlayed,
    CardTurned,
    HandScored,
    HouseLed,
    Play,
    RemainingWon,
    TrickWon,
)

from .positions import after, hand, in_play, plays, refused, run, say, zone


def trick(state, card):
    """The turned cards with what they are, and the winner."""
    _, events = say(state, Play(card))
    won = next(event for event in events if isinstance(event, TrickWon))
    return [(event.card, event.turn) for event in events if isinstance(event, CardTurned)], won.side, won.reason


def playable(state):
    return tuple(command.card for command in GAME.legal_commands(state, 0))


def test_cards_of_other_suits_are_skipped_until_one_follows():
    state = in_play("AK C, 32 H", "7D 5D AH 9C 2S")
    turns = [("7D", "skipped"), ("5D", "skipped"), ("AH", "skipped"), ("9C", "answers")]
    assert trick(state, "AC") == (turns, "me", "high_card")


def test_the_last_skipped_card_is_the_visible_top_of_the_discards():
    state = after(replace(in_play("AK C, 32 H", "7D 5D AH 9C 2S 3S"), discard=run("4S JS")), Play("AC"))
    assert GAME.look(state, 0).facts.discard_top == "AH"
    assert zone(state, "skipped") == (0, run("7D 5D AH"))
    assert zone(state, "discard") == (2, ())


def test_the_skipped_cards_go_under_the_top_at_the_players_next_card():
    state = after(replace(in_play("AK C, 32 H", "7D 5D AH 9C 2C 3S"), discard=run("4S JS")), *plays("AC KC"))
    assert zone(state, "skipped") == (0, ())
    assert zone(state, "discard") == (4, ("AH",))
    assert zone(state, "last_trick") == (0, run("KC 2C"))
    assert zone(state, "tricks_won_0") == (2, ())


def test_a_trump_answers_though_the_house_might_follow_later():
    assert trick(in_play("Q2 H", "TD 4C KH"), "QH") == ([("TD", "skipped"), ("4C", "answers")], "it", "trump")


def test_void_in_the_suit_led_the_player_may_play_anything():
    state = in_play("9 S, 78 H, T C, *1", "2S 3S 4S", led="QD")
    assert playable(state) == run("9S 7H 8H TC *1")


def test_a_joker_played_to_the_houses_lead_gives_it_the_trick_and_it_leads_again():
    state, events = say(in_play("9 S, 78 H, T C, *1", "2S 3S 4S", led="QD"), Play("*1"))
    assert events == (CardPlayed("*1"), TrickWon("it", "joker"), HouseLed("2S"))
    assert state.trick == run("2S")


def test_the_player_must_follow_suit():
    state = in_play("95 S, 8 H, *1", "2S 3S", led="QS")
    assert playable(state) == run("9S 5S")
    assert refused(state, Play("8H")) == "follow_suit"


def test_a_joker_may_not_be_played_while_the_suit_can_be_followed():
    assert refused(in_play("95 S, 8 H, *1", "2S 3S", led="QS"), Play("*1")) == "joker_while_following"


def test_a_card_that_is_not_held_is_refused():
    assert refused(in_play("95 S", "2S 3S"), Play("AS")) == "card_not_held"


def test_to_a_joker_led_by_the_house_anything_may_be_played():
    state = in_play("95 S, A C, *1", "2S 3S", led="*2")
    assert playable(state) == state.hand


def test_a_joker_led_by_the_house_loses_to_the_other_joker():
    assert trick(in_play("95 S, A C, *1", "2S 3S", led="*2"), "*1")[1:] == ("me", "joker")


def test_a_joker_led_by_the_house_beats_the_ace_of_trumps():
    assert trick(in_play("95 S, A C, *1", "2S 3S", led="*2"), "AC")[1:] == ("it", "joker")


def test_a_joker_turned_from_the_stock_wins_for_the_house():
    assert trick(in_play("9 S, AK C", "*2 3S 4S"), "9S") == ([("*2", "answers")], "it", "joker")


def test_a_joker_turned_at_no_trump_is_the_houses_play_at_once():
    assert trick(in_play("AK S", "2H *1 3S 4S", "1NT"), "AS") == ([("2H", "skipped"), ("*1", "answers")], "it", "joker")


def test_a_joker_led_by_the_player_is_answered_by_the_next_card_whatever_it_is():
    for bid in ("1C", "1NT"):
        assert trick(in_play("AK S, *1", "2H 3S 4S", bid), "*1") == ([("2H", "answers")], "it", "joker")


def test_a_joker_led_by_the_player_loses_even_to_the_other_joker():
    assert trick(in_play("AK S, *1", "*2 3S 4S"), "*1") == ([("*2", "answers")], "it", "joker")


def test_at_no_trump_four_cards_without_an_answer_give_the_player_the_trick():
    state = in_play("KQ S, 3 H", "4H 9D 2C 7H 7S", "1NT")
    turns = [(card, "skipped") for card in run("4H 9D 2C 7H")]
    assert trick(state, "KS") == (turns, "me", "no_answer")
    state = after(state, Play("KS"))
    assert state.stock == run("7S")
    assert state.skipped == run("4H 9D 2C 7H")
    assert state.last_trick == run("KS")


def test_at_no_trump_the_fourth_card_may_still_answer():
    turns, side, reason = trick(in_play("KQ S, 3 H", "4H 9D 2C 7S 8S", "1NT"), "KS")
    assert turns == [("4H", "skipped"), ("9D", "skipped"), ("2C", "skipped"), ("7S", "answers")]
    assert (side, reason) == ("me", "high_card")


def test_at_no_trump_the_fourth_card_that_is_the_last_is_the_houses_card():
    turns, side, reason = trick(in_play("KQ S, 3 H", "4H 9D 2C 7H", "1NT"), "KS")
    assert turns[-1] == ("7H", "last_card")
    assert (side, reason) == ("me", "high_card")


def test_no_suit_is_trump_at_no_trump():
    assert trick(in_play("9 S, 3 H", "TS 4C", "1NT"), "9S")[1:] == ("it", "high_card")
    assert trick(in_play("9 S, 3 H", "2C 4C", "1NT", led="AS"), "9S")[1:] == ("it", "high_card")
    assert trick(in_play("9 C, 3 H", "2C 4C", "1NT", led="2S"), "9C")[1:] == ("it", "high_card")


def test_the_last_stock_card_is_the_houses_card_and_the_cards_left_are_tricks():
    state, events = say(in_play("KQ2 C, 5 S", "3D 8D", "1H", tricks=5), Play("KC"))
    assert events[:4] == (
        CardPlayed("KC"),
        CardTurned("3D", "skipped"),
        CardTurned("8D", "last_card"),
        TrickWon("me", "high_card"),
    )
    assert events[4] == RemainingWon(hand("Q2 C, 5 S"))
    assert isinstance(events[5], HandScored)
    assert (state.tricks_me, state.tricks_left, events[5].finish) == (9, 0, "stock_out")
    assert zone(state, "tricks_won_0") == (3, ())
    assert zone(state, "last_trick") == (0, run("KC 8D"))


def test_the_last_stock_card_wins_as_usual_by_a_trump_a_joker_or_a_higher_card():
    for last, reason in (("2H", "trump"), ("*1", "joker"), ("AC", "high_card")):
        assert trick(in_play("KQ2 C, 5 S", f"3D {last}", "1H"), "KC")[1:] == ("it", reason)


def test_a_house_that_won_with_the_last_stock_card_cannot_lead_and_the_rest_is_the_players():
    _, events = say(in_play("KQ2 C, 5 S", "2H", "1H"), Play("KC"))
    assert [type(event) for event in events] == [CardPlayed, CardTurned, TrickWon, RemainingWon, HandScored]
    assert events[2].side == "it"


def test_a_house_lead_with_the_last_stock_card_is_played_out_first():
    _, events = say(in_play("KQ2 C, 5 S, *1", "", "1H", led="3C", tricks=4), Play("KC"))
    assert events[:3] == (CardPlayed("KC"), TrickWon("me", "high_card"), RemainingWon(hand("Q2 C, 5 S, *1")))
    assert events[3].tricks_me == 9


def test_a_joker_left_in_the_hand_when_the_stock_is_out_is_a_trick():
    state = after(in_play("K C, *1", "AC", "1H", tricks=3), Play("KC"))
    assert state.tricks_me == 4


def test_the_highest_of_the_suit_led_wins_and_the_winner_leads():
    assert trick(in_play("K2 S", "2H 3H", led="QS"), "KS")[1:] == ("me", "high_card")
    assert trick(in_play("T2 S", "2H 3H", led="QS"), "TS")[1:] == ("it", "high_card")
    assert after(in_play("K2 S", "2H 3H", led="QS"), Play("KS")).trick == ()
    assert after(in_play("T2 S", "2H 3H", led="QS"), Play("TS")).trick == run("2H")


def test_the_player_ruffs_a_suit_that_is_not_held():
    assert trick(in_play("2 C, 3 H", "2H 3H", led="AS"), "2C")[1:] == ("me", "trump")


def test_a_card_of_a_third_suit_loses_to_the_lead():
    assert trick(in_play("A D, 3 H", "2H 3H", led="2S"), "AD")[1:] == ("it", "high_card")


def test_the_higher_of_two_trumps_wins():
    assert trick(in_play("93 C", "TC 3H"), "9C")[1:] == ("it", "high_card")
    assert trick(in_play("93 C", "8C 3H"), "9C")[1:] == ("me", "high_card")


def test_the_thirteenth_trick_ends_the_hand():
    state, events = say(in_play("9 C", "8C 3H", tricks=6), Play("9C"))
    assert events[-1].finish == "played_out"
    assert (state.phase, state.tricks_me, state.tricks_it) == ("hand_scored", 7, 6)
    assert refused(state, Play("9C")) == "not_playing"
