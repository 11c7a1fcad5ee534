"""Every option, and what it changes."""

from random import Random
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.events import Call, PickUp, Play, Ready, Swap
from domain.games.screaming_yoda.state import Options
from domain.kit.cards import PACK
from domain.play.deciding import Act, legal_commands
from domain.play.deciding import play as play_on
from domain.play.events import Resign, Sealed
from domain.play.table import Opening, open_game

from .positions import SEED, dealt, given, held, play, plays, position, rule, say


def test_the_defaults_are_the_game_as_it_was_posted() -> None:
    assert Options() == Options(None, False, False, "removed", 0, False)


def test_the_first_seat_is_dealt_to_first_and_is_on_turn() -> None:
    cards = given("9S", 4).given
    assert cards is not None
    for first in range(4):
        after = dealt(4, Chance(SEED, given=cards), first_seat=first)
        assert after.state.turn == first
        assert after.state.face_down[first][0] == cards[0]
        assert after.state.face_down[(first + 1) % 4][0] == cards[1]
        assert after.state.face_up[first][0] == cards[16]
        assert after.state.hands[first] == (cards[32], cards[36], cards[40])


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_without_a_first_seat_lots_are_drawn(seats: int) -> None:
    firsts = [dealt(seats, Chance(bytes([number]) * 32)).state.first for number in range(40)]
    assert set(firsts) == set(range(seats))
    assert dealt(seats, Chance(SEED, given=PACK)).state.first == 0


def test_a_first_seat_that_is_none_of_the_tables_is_refused() -> None:
    assert GAME.get(OptionRules).settle(Options(first_seat=4), 5).first_seat == 4
    with pytest.raises(Illegal) as refused:
        GAME.get(OptionRules).settle(Options(first_seat=3), 3)
    assert refused.value.rule == "first_seat"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"first_seat": 5}, Options)


def test_a_deal_that_is_given_is_dealt_as_it_lies() -> None:
    with pytest.raises(Illegal):
        dealt(3, Chance(SEED, given=PACK[1:]))
    state = dealt(3, Chance(SEED, given=PACK)).state
    assert state.pile == (PACK[33],)
    assert state.draw == PACK[34:]


SWAPPING = """
    pile: 6S
    draw: 8C
    hand_0: 3H KH AD
    up_0: TS 4S 5S 6D
    hand_1: 3C 4C 5C
    up_1: 7S 8S 9S JS
    hand_2: 3D 4D 5D
    up_2: 7H 8H 9H JH
"""


def test_before_play_hand_cards_are_exchanged_for_face_up_cards_until_all_are_ready() -> None:
    opened = dealt(3, swap_phase=True)
    assert opened.state.turn is None
    assert opened.state.swapping == (0, 1, 2)
    state = position(SWAPPING, seats=3, swap_phase=True, swapping=(0, 1, 2))
    assert len(GAME.legal_commands(state, 1)) == 3 * 4 + 1
    after = say(state, Swap("3H", "column_0_0"), seat=0)
    assert after.events == (ev.Swapped(0, "3H", 0, "TS"),)
    assert (after.state.hands[0], after.state.face_up[0][0]) == (("TS", "KH", "AD"), "3H")
    state = after.state
    for seat in (1, 0):
        state = say(state, Ready(), seat).state
    last = say(state, Ready(), 2)
    assert last.events == (ev.BecameReady(2), ev.TurnStarted(0))
    assert held(last.state) == held(state)


def test_who_exchanges_cards_cannot_play_and_who_is_ready_exchanges_no_more() -> None:
    state = position(SWAPPING, seats=3, swap_phase=True, swapping=(0, 1, 2))
    assert rule(state, Play(("KH",)), 0) == "swapping_first"
    assert rule(state, Call(1), 0) == "swapping_first"
    assert rule(state, Swap("KH", "column_1_0"), 0) == "own_column"
    assert rule(state, Swap("KH", "pile"), 0) == "own_column"
    assert rule(state, Swap("TS", "column_0_0"), 0) == "not_in_hand"
    assert rule(state, Swap("KH", "column_0_0", "hand_1"), 0) == "not_in_hand"
    ready = say(state, Ready(), 0).state
    assert rule(ready, Swap("KH", "column_0_0"), 0) == "no_swapping_now"
    assert rule(ready, Ready(), 0) == "no_swapping_now"
    assert GAME.legal_commands(ready, 0) == ()
    assert GAME.look(ready, None).to_act == (1, 2)


def test_without_a_swap_phase_nothing_is_exchanged() -> None:
    assert rule(position(SWAPPING, seats=3), Swap("3H", "column_0_0")) == "no_swapping_now"


JOINED = """
    pile: 8S
    hand_0: 9H 9C
    up_0: 9D 9S 4D
"""


def test_by_default_the_last_card_is_joined_by_one_face_up_card_and_by_option_by_several() -> None:
    state = GAME.initial(GAME.options(), 4)
    state = replace(position(JOINED + "hand_0: 9C"), options=state.options)
    assert plays(state) == ["9C", "9C 9D", "9C 9S", "PickUp"]
    assert rule(state, Play(("9C", "9D", "9S"))) == "one_face_up_card"
    several = replace(state, options=replace(state.options, combo_one_face_up=False))
    assert plays(several) == ["9C", "9C 9D", "9C 9D 9S", "9C 9S", "PickUp"]
    joined = replace(position(JOINED), options=state.options)
    assert plays(joined) == ["9C", "9H", "9H 9C", "PickUp"]
    assert rule(joined, Play(("9H", "9C", "9D"))) == "single_hand_card"
    unbound = replace(joined, options=replace(state.options, combo_only_single=False, combo_one_face_up=False))
    assert plays(unbound) == plays(position(JOINED))


def test_in_revision_1_two_equal_last_cards_are_joined_by_face_up_cards_unless_only_a_single_one_may_be() -> None:
    assert plays(position(JOINED)) == [
        "9C", "9H", "9H 9C", "9H 9C 9D", "9H 9C 9D 9S", "9H 9C 9S", "PickUp",
    ]  # fmt: skip
    state = position(JOINED, combo_only_single=True)
    assert plays(state) == ["9C", "9H", "9H 9C", "PickUp"]
    assert rule(state, Play(("9H", "9C", "9D"))) == "single_hand_card"
    assert "9C 9D" in plays(position(JOINED + "hand_0: 9C", combo_only_single=True))


def test_a_joined_play_of_four_clears_the_pile() -> None:
    assert play(position(JOINED), "9H 9C 9D 9S").kinds() == ["Played", "Cleared", "OneLeft", "TurnStarted"]


CALLED = """
    pile: 3S 4S 7S 8S 9S
    removed: TS TH TD TC
    hand_0: JS
    hand_1: 3H 4H
"""


@pytest.mark.parametrize(
    ("pile", "taken", "left"),
    [("3S 4S 7S 8S 9S", "7S 8S 9S", "3S 4S"), ("8S 9S", "8S 9S", ""), ("3S 4S 7S", "3S 4S 7S", "")],
)
def test_the_penalty_may_come_from_the_top_of_the_pile(pile: str, taken: str, left: str) -> None:
    state = position(CALLED + f"pile: {pile}", turn=1, exposed=(0,), yoda_penalty_source="pile")
    after = say(state, Call(0), seat=1)
    assert after.events == (ev.Caught(0, 1), ev.Penalised(0, (), tuple(taken.split())))
    assert after.state.pile == tuple(left.split())
    assert after.state.removed == state.removed


def test_with_no_pile_to_draw_from_being_caught_costs_the_turn_alone() -> None:
    state = position(CALLED + "pile:", turn=1, exposed=(0,), yoda_penalty_source="pile")
    after = say(state, Call(0), seat=1)
    assert after.events == (ev.Caught(0, 1),)
    assert (after.state.skips, after.state.exposed) == ((0,), ())
    assert rule(after.state, Call(0), 2) == "false_call"


def test_a_false_call_is_refused_or_costs_its_caller_cards() -> None:
    assert rule(position(CALLED, turn=1), Call(0), 1) == "false_call"
    state = position(CALLED, turn=1, false_call_penalty=2)
    after = say(state, Call(0), seat=2)
    assert after.kinds() == ["FalselyCalled", "Penalised"]
    assert len(after.state.hands[2]) == 2
    assert set(after.state.hands[2] + after.state.removed) == set(state.removed)
    assert (after.state.turn, after.state.skips) == (1, ())


def test_a_false_call_is_refused_while_nothing_can_be_drawn_for_it() -> None:
    state = position("hand_0: JS\npile: 9S", turn=1, false_call_penalty=2)
    assert rule(state, Call(0), 1) == "nothing_to_draw"
    assert GAME.look(state, None).to_act == (1,)
    from_the_pile = position("hand_0: JS\npile: 9S", turn=1, false_call_penalty=2, yoda_penalty_source="pile")
    assert say(from_the_pile, Call(0), 1).state.hands[1] == ("9S",)


def test_a_false_call_ends_the_danger_of_its_own_caller() -> None:
    state = position(CALLED, turn=1, exposed=(0,), false_call_penalty=1)
    assert say(state, Call(1), seat=0).state.exposed == ()


PLACES = """
    pile: 8S
    hand_0: 9S
    hand_1: JS
    hand_2: 4S 5S
"""


def test_for_places_the_others_play_on_until_one_is_left() -> None:
    state = position(PLACES, seats=3, play_for_places=True)
    first = play(state, "9S")
    assert first.kinds() == ["Played", "WentOut", "TurnStarted"]
    assert GAME.result(first.state) is None
    assert rule(first.state, PickUp(), 0) == "out_of_game"
    second = play(first.state, "JS")
    assert second.kinds() == ["Played", "WentOut"]
    assert GAME.result(second.state) == Result("won", "last_card", (0,), (2, 1, 0))


def test_who_goes_out_with_a_ten_leaves_the_lead_to_the_next_seat() -> None:
    state = position(PLACES + "hand_0: TS", seats=3, play_for_places=True)
    after = play(state, "TS")
    assert after.kinds() == ["Played", "Cleared", "WentOut", "TurnStarted"]
    assert plays(after.state) == ["JS"]


def test_for_places_turns_pass_those_who_are_out() -> None:
    state = position(PLACES, seats=3, turn=2, play_for_places=True, out=(0,))
    assert say(state, PickUp(), 2).events[-1] == ev.TurnStarted(1)
    assert rule(state, Call(0), 1) == "not_in_play"


def test_without_places_the_game_ends_with_the_first_player_out() -> None:
    ended = play(position(PLACES, seats=3), "9S")
    assert GAME.result(ended.state) == Result("won", "last_card", (0,))


def test_two_play_only_where_the_option_allows_it() -> None:
    with pytest.raises(Illegal) as refused:
        GAME.get(OptionRules).settle(Options(), 2)
    assert refused.value.rule == "two_seats"
    after = dealt(2, Chance(SEED), allow_two=True).state
    assert [len(hand) for hand in after.hands] == [3, 3]
    assert sum(map(len, (*after.hands, *after.face_down, *after.face_up))) == 22


def test_a_table_of_two_is_played_to_its_end_through_the_game_itself() -> None:
    players = (UUID(int=1), UUID(int=2))
    opening = Opening(type=GAME, options=Options(allow_two=True), players=players)
    game = open_game(UUID(int=9), opening, Sealed(bytes(32), bytes(32)), Act(players[0], None, 1)).game
    lots = Random(4)
    for _ in range(5000):
        if game.status == "finished":
            break
        seat = game.type.look(game.state, 0).to_act[0]
        listed = [said for said in legal_commands(game, seat) if not isinstance(said, Resign)]
        game = play_on(game, lots.choice(listed), Act(players[seat], seat, 2)).game
    assert game.result is not None
    assert game.result.winners in ((0,), (1,))
