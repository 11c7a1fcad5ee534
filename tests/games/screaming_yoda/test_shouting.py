"""One card left: who may say it, and until when."""

import pytest

from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.events import Call, PickUp, Play, Shout

from .positions import flip, play, position, rule, say

TABLE = """
    pile: 6S
    removed: TS TH TD TC
    hand_0: 8S 9S
    hand_1: JH QH
    hand_2: JS QS KS
"""


def test_a_shout_with_the_play_leaves_nothing_to_call() -> None:
    after = play(position(TABLE), "8S", shout=True)
    assert after.events == (ev.Played(0, ("8S",)), ev.Shouted(0), ev.TurnStarted(1))
    assert rule(after.state, Call(0), 1) == "false_call"
    assert rule(after.state, Shout(), 0) == "nothing_to_shout"


def test_without_a_shout_every_other_player_may_call_and_the_player_may_still_shout() -> None:
    state = play(position(TABLE), "8S").state
    assert GAME.look(state, None).to_act == (0, 1, 2, 3)
    assert GAME.legal_commands(state, 0) == (Shout(),)
    assert GAME.legal_commands(state, 2) == (Call(0),)
    assert Call(0) in GAME.legal_commands(state, 1)
    assert GAME.look(state, None).facts.exposed == (0,)


def test_a_shout_that_is_not_needed_has_no_effect() -> None:
    state = position(TABLE + "hand_0: 8S 9S JD")
    assert play(state, "8S", shout=True).events == play(state, "8S").events


def test_cards_on_the_table_count_too() -> None:
    assert play(position(TABLE + "down_0: 3S"), "8S").kinds() == ["Played", "TurnStarted"]
    assert flip(position(TABLE + "hand_0:\ndown_0: 9S 3S"), 0).kinds() == ["Flipped", "OneLeft", "TurnStarted"]
    assert play(position(TABLE + "hand_0:\nup_0: 9S\ndown_0: 3S"), "9S").kinds() == [
        "Played", "OneLeft", "TurnStarted",
    ]  # fmt: skip


def test_who_draws_again_has_more_than_one_card() -> None:
    assert play(position(TABLE + "draw: 3S"), "8S").kinds() == ["Played", "Drawn", "TurnStarted"]


def test_the_danger_lasts_until_the_number_of_cards_changes() -> None:
    state = play(position(TABLE), "8S").state
    for seat in (1, 2):
        state = say(state, PickUp() if state.pile else Play(("JS",)), seat).state
        assert state.exposed == (0,)
    state = position("pile: AS\nhand_0: 3S\nhand_1: 4S", turn=0, exposed=(0,))
    after = say(state, PickUp())
    assert after.state.exposed == ()


def test_who_plays_the_last_card_unshouted_has_won_all_the_same() -> None:
    after = play(position("pile: 6S\nhand_0: 9S\nhand_1: 4S", exposed=(0,)), "9S")
    assert after.kinds() == ["Played", "WentOut"]


def test_two_players_can_be_in_danger_at_once_and_call_each_other() -> None:
    state = play(position(TABLE), "8S").state
    state = play(state, "JH").state
    assert state.exposed == (0, 1)
    assert GAME.legal_commands(state, 0) == (Shout(), Call(1))
    after = say(state, Call(1), 0)
    assert after.state.exposed == (0,)
    assert after.state.skips == (1,)
    assert say(after.state, Call(0), 1).kinds() == ["Caught", "Penalised"]


def test_caught_before_the_bonus_play_a_player_loses_it_and_the_next_leads() -> None:
    state = play(position(TABLE + "hand_0: TS 9S\nremoved: 3S 3H 3D 3C"), "TS").state
    assert (state.turn, state.exposed, state.pile) == (0, (0,), ())
    after = say(state, Call(0), 2)
    assert after.kinds() == ["Caught", "Penalised", "Skipped", "TurnStarted"]
    assert (after.state.turn, len(after.state.hands[0]), after.state.skips) == (1, 4, ())


def test_the_penalty_shuffles_the_removed_cards_and_keeps_the_rest_of_them() -> None:
    state = play(position(TABLE), "8S").state
    after = say(state, Call(0), 1)
    penalty = after.events[1]
    assert isinstance(penalty, ev.Penalised)
    assert penalty.removed is not None
    assert len(penalty.drawn) == 3
    assert sorted(penalty.drawn + penalty.removed) == sorted(state.removed)
    assert after.state.removed == penalty.removed
    assert after.state.chance == penalty.chance != state.chance


def test_one_after_the_other_loses_a_turn() -> None:
    state = position(TABLE, turn=3, skips=(0, 1))
    after = say(state, PickUp(), 3)
    assert after.events[1:] == (ev.Skipped(0), ev.Skipped(1), ev.TurnStarted(2))


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_calls_and_shouts_leave_the_turn_where_it_is(seat: int) -> None:
    state = position(TABLE, turn=2, exposed=(0, 3))
    command = Call(0) if seat == 1 else Shout()
    assert say(state, command, seat).state.turn == 2
