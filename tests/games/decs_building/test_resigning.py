"""Resigning at a table of two, three and four."""

from domain.game_type import Result
from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building import events as ev
from domain.games.decs_building.events import Pass
from domain.games.decs_building.rules import resign
from domain.games.decs_building.state import State

from .positions import After, all_pass, everything, folded, held, opened, position, refused, say, take


def resigned(state: State, seat: int) -> After:
    events = tuple(resign(state, seat))
    return After(events, folded(state, events))


def test_of_two_the_other_wins_at_once() -> None:
    after = resigned(opened().state, 1)
    assert after.events == (ev.SeatWithdrawn(1),)
    assert GAME.result(after.state) == Result("won", "resigned", (0,))
    assert [GAME.legal_commands(after.state, seat) for seat in (0, 1)] == [(), ()]


def test_of_three_the_others_play_on_and_the_turn_passes_the_seat_by() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H\npawns_0: comet", seats=3)
    after = resigned(state, 0)
    assert after.events == (ev.SeatWithdrawn(0), ev.TurnStarted(1))
    assert GAME.result(after.state) is None
    assert after.state.players[0].pawns == ()
    assert after.state.players[0].hand == ("2S",)
    assert refused(after.state, Pass(), seat=0) == "not_your_turn"
    assert say(say(after.state, Pass()).state, Pass()).state.round == 4


def test_the_last_seat_left_wins() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H", seats=3)
    after = resigned(resigned(state, 2).state, 0)
    assert GAME.result(after.state) == Result("won", "resigned", (1,))


def test_what_a_seat_held_stays_hidden_and_out_of_play() -> None:
    state = opened(3).state
    other = (state.token + 1) % 3
    after = resigned(state, other).state
    assert held(after) == everything(after)
    hand = next(zone for zone in GAME.look(after, state.token).zones if zone.id == f"hand_{other}")
    assert hand.cards == ("#", "#", "#")
    assert GAME.look(after, None).facts.seats[other].out


def test_the_played_pile_of_an_absent_seat_stays_where_it_is() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H\nplayed_1: 9S\ndeck_1: 8S", seats=3)
    gone = all_pass(resigned(state, 1).state).state.players[1]
    assert (gone.hand, gone.deck, gone.played) == (("3S",), ("8S",), ("9S",))


def test_the_token_passes_an_absent_seat_by() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H\nhand_3: 3H", seats=4, token=0)
    after = all_pass(resigned(state, 3).state).state
    assert after.token == 2


def test_a_token_holder_who_leaves_in_his_round_passes_it_on_at_its_end() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H\nhand_3: 3H", seats=4, token=0)
    assert all_pass(resigned(state, 0).state).state.token == 3


def test_a_start_card_that_is_owed_falls_to_the_next_seat_clockwise() -> None:
    state = opened(3).state
    after = resigned(state, state.token)
    follower = (state.token + 1) % 3
    assert after.state.takers == (follower,)
    taken = say(after.state, GAME.legal_commands(after.state, follower)[0])
    assert taken.state.turn == follower


def test_in_the_last_round_each_takes_his_own_card_and_the_turns_begin_after_the_last() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H", seats=3, takers=(1, 2), turn=None, final=True, token=0)
    assert resigned(state, 1).state.takers == (2,)
    alone = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H", seats=3, takers=(2,), turn=None, final=True, token=0)
    after = resigned(alone, 2)
    assert after.events == (ev.SeatWithdrawn(2), ev.TurnStarted(0))


def test_what_was_paid_for_and_not_drawn_is_forgotten() -> None:
    state = position("hand_0: 6H 7D\nhand_1: 3S\nhand_2: 2H", seats=3)
    paid = say(state, take("candle", "6H 7D")).state
    after = resigned(paid, 0).state
    assert (after.placing, after.turn) == (None, 1)


def test_who_is_not_on_turn_leaves_without_a_change_of_turn() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H", seats=3)
    after = resigned(state, 1)
    assert after.events == (ev.SeatWithdrawn(1),)
    assert say(after.state, Pass()).state.turn == 2


def test_an_absent_seat_wins_nothing_however_many_points_it_had() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H\ngrid_0: reindeer 1,3", seats=3, final=True)
    ended = all_pass(resigned(state, 0).state)
    assert ended.events[-1] == ev.Scored((-30, -122, -122), (1, 2))


def test_a_seat_can_leave_only_once() -> None:
    after = resigned(position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H", seats=3), 1).state
    assert resign(after, 1) == ()


def test_the_token_is_told_of_whoever_takes_the_start_card_when_its_holder_has_resigned_before() -> None:
    state = opened(3).state
    after = resigned(state, state.token).state
    (taker,) = GAME.look(after, None).to_act
    assert GAME.look(after, None).facts.token == taker != state.token
