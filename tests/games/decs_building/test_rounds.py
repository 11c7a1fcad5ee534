"""Rounds, turns, draws, the token and the end."""

from collections import Counter

import pytest

from domain.game_type import Illegal
from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building import events as ev
from domain.games.decs_building.events import DeclineExtra, Pass
from domain.games.decs_building.rounds import first_player
from domain.games.decs_building.state import STACK, Options, pack

from .positions import all_pass, cards, discard, opened, place, position, refused, say, start, take


def test_the_game_opens_with_a_draw_for_everybody_clockwise_and_then_waits_for_the_token_holder() -> None:
    after = opened(3)
    assert after.kinds() == ["Dealt", "RoundStarted", "Drawn", "Drawn", "Drawn"]
    token = after.state.token
    assert [event.seat for event in after.events if isinstance(event, ev.Drawn)] == [
        (token + step) % 3 for step in range(3)
    ]
    assert [len(player.hand) for player in after.state.players] == [3, 3, 3]
    assert after.state.takers == (token,)
    assert [bool(GAME.legal_commands(after.state, seat)) for seat in range(3)] == [seat == token for seat in range(3)]


def test_every_seat_begins_about_equally_often() -> None:
    begun = Counter(opened(4, seed=bytes([number]) * 32).state.token for number in range(200))
    assert min(begun[seat] for seat in range(4)) > 30


def test_in_a_given_deal_the_first_six_begins_and_the_decks_lie_as_given() -> None:
    given = tuple(sorted(pack(Options(), 2), key=lambda card: (card[1] != "H", card)))
    assert first_player(given, 2) == 1
    state = opened(2, given=given).state
    assert state.token == 1
    assert [player.hand + player.deck for player in state.players] == [cards("2H 2C 2D 2S"), cards("3H 3C 3D 3S")]


def test_a_given_deal_that_is_not_the_pack_is_refused() -> None:
    with pytest.raises(Illegal) as refusal:
        opened(3, given=pack(Options(), 2))
    assert refusal.value.rule == "given_deal"


def test_the_starting_decks_of_two_seats_are_shuffled_apart_from_each_other() -> None:
    orders = [opened(4, seed=bytes([number]) * 32).state.players[:2] for number in range(60)]
    alike = sum(one.hand + one.deck == other.hand + other.deck for one, other in orders)
    assert alike < 12


def test_the_turn_goes_clockwise_and_skips_who_has_passed() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H 2D", seats=3)
    after = say(say(state, Pass()).state, discard("3S"))
    assert after.state.turn == 2
    again = say(after.state, discard("2H"))
    assert again.kinds() == ["Discarded", "Passed", "TurnStarted"]
    assert again.state.turn == 2
    assert refused(again.state, Pass(), seat=0) == "not_your_turn"


def test_an_empty_hand_passes_by_itself() -> None:
    state = position("hand_0: 2S")
    after = say(state, discard("2S"))
    assert after.kinds()[:4] == ["Discarded", "Passed", "Passed", "RoundEnded"]


def test_played_piles_go_under_the_decks_in_the_order_played_and_the_token_anti_clockwise() -> None:
    state = position("""
        hand_0: 4S 5S 6S
        deck_0: 7S 8S 9S
        hand_1: 3C
        """, seats=3, token=0)  # fmt: skip
    after = all_pass(say(state, discard("6S 4S 5S")).state)
    assert after.state.players[0].hand == cards("7S 8S 9S")
    assert after.state.players[0].deck == cards("6S 4S 5S")
    assert [event.seat for event in after.events if isinstance(event, ev.Drawn)] == [0]
    assert (after.state.token, after.state.round, after.state.takers) == (2, 4, (2,))
    assert not any(player.passed for player in after.state.players)


def test_a_deck_that_is_too_short_gives_what_it_has() -> None:
    state = position("hand_0: 4S\nhand_1: 5S\ndeck_1: 6S")
    after = all_pass(state).state
    assert [len(player.hand) for player in after.players] == [1, 2]


def test_a_powered_santa_makes_the_hand_one_larger_from_the_next_draw_on() -> None:
    deck = "hand_0: 4S\ndeck_0: 5S 6S 7S 8S 9S\ngrid_0: "
    assert len(all_pass(position(deck + "santa 6,1; santa 1,1")).state.players[0].hand) == 4
    assert len(all_pass(position(deck + "santa 1,1")).state.players[0].hand) == 3


def test_an_action_ends_the_turn_and_a_feature_left_open_is_drawn_first() -> None:
    state = position("hand_0: 4D 5D 6D 7S\nhand_1: 3C")
    after = say(state, take("big_star", "4D 5D 6D"))
    assert after.kinds() == ["Paid"]
    assert refused(after.state, Pass()) == "draw_first"
    assert GAME.legal_commands(after.state, 1) == ()
    drawn = say(after.state, place("big_star", "1,1"))
    assert drawn.kinds() == ["FeatureDrawn", "TurnStarted"]
    assert drawn.state.turn == 1


def test_the_extra_action_may_be_declined_and_is_so_by_itself_without_a_card() -> None:
    state = position("hand_0: JH 4D\nhand_1: 3C")
    pitched = say(state, take("everyone_pitch_in", "JH")).state
    declined = say(pitched, DeclineExtra())
    assert declined.kinds() == ["ExtraActionDeclined", "TurnStarted"]
    assert declined.state.players[0].hand == ("4D",)
    assert refused(state, DeclineExtra()) == "no_extra_action"
    last = say(position("hand_0: JH\nhand_1: 3C"), take("everyone_pitch_in", "JH"))
    assert last.kinds() == ["Paid", "ExtraActionGranted", "ExtraActionDeclined", "TurnStarted"]


def test_everyone_pitch_in_may_be_taken_again_and_eases_one_action_only() -> None:
    state = position("hand_0: JH QD 4S 5C 6C 7C\nhand_1: 3C")
    once = say(state, take("everyone_pitch_in", "JH")).state
    twice = say(once, take("everyone_pitch_in", "QD"))
    assert twice.state.extra
    pulled = say(twice.state, take("small_star", "4S 5C", cells=((1, 1),))).state
    assert not pulled.extra
    assert pulled.turn == 1
    later = say(pulled, Pass()).state
    assert refused(later, take("small_star", "6C 7C")) == "matching_cards"


def test_in_the_extra_action_question_marks_may_be_of_any_colour_and_letters_stay_letters() -> None:
    state = position("hand_0: 4S 5C 6H KD\nhand_1: 3C", extra=True)
    assert say(state, take("snowflake", "4S 5C 6H")).state.placing == "snowflake"
    assert refused(position("hand_0: 4S 5C 6H KD"), take("snowflake", "4S 5C 6H")) == "one_colour"
    assert refused(state, take("reindeer", "4S 5C 6H")) == "matching_cards"
    assert say(state, take("reindeer", "KD 5C 6H")).state.placing == "reindeer"
    assert refused(state, take("santa", "KD 5C 6H")) == "matching_cards"


def test_the_start_card_can_end_the_game_too() -> None:
    state = position(
        "stack_spades: 4S\nstack_hearts:\nstack_queens:\nstack_diamonds: 7D\nhand_0: 2S", takers=(0,), turn=None
    )
    after = say(state, start("stack_spades"))
    assert after.kinds() == ["StartCardTaken", "EndAnnounced", "TurnStarted"]


def test_in_the_last_round_everybody_takes_a_card_from_any_stack_and_then_the_grids_are_counted() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H\ngrid_1: small_star 7,2", seats=3, latched=True, token=2)
    state = all_pass(state).state
    assert (state.final, state.token, state.takers) == (True, 1, (1, 2, 0))
    assert len(GAME.legal_commands(state, 1)) == 8
    for stack, kept in (("stack_kings", "KS"), ("stack_wilds", "AS"), ("stack_clubs", "4C")):
        seat = state.takers[0]
        state = say(state, start(stack)).state
        assert kept in state.players[seat].hand
    assert state.turn == 1
    ended = all_pass(state)
    assert ended.kinds()[-2:] == ["RoundEnded", "Scored"]
    outcome = GAME.result(ended.state)
    assert outcome is not None
    assert (outcome.ending, outcome.reason, outcome.winners) == ("won", "most_points", (1,))
    assert outcome.scores == (-122, -118, -122)
    assert refused(ended.state, Pass(), seat=0) == "game_over"


def test_a_stack_that_is_empty_has_no_last_card_to_take() -> None:
    state = position("hand_0: 2S\nstack_jacks:", final=True, takers=(0, 1), turn=None)
    assert refused(state, start("stack_jacks")) == "empty_stack"
    assert start("stack_jacks") not in GAME.legal_commands(state, 0)


def test_where_no_card_is_left_for_it_the_last_round_goes_on_without_one() -> None:
    empty = "\n".join(f"{stack}:" for stack in STACK if stack != "stack_kings")
    state = position(empty + "\nstack_kings: KS\nhand_0: 2S\nhand_1: 3S", final=True, takers=(0, 1), turn=None)
    after = say(state, start("stack_kings"))
    assert after.kinds()[-1] == "TurnStarted"
    assert after.state.turn == 0
    assert GAME.legal_commands(after.state, 0)
