"""The worked cases of Screaming Yoda, one test each."""

import pytest

from domain.game_type import Result
from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.events import Call, PickUp, Play, Shout
from domain.games.screaming_yoda.state import total

from .positions import dealt, flip, given, held, plays, position, rule, say
from .positions import play as playing


@pytest.mark.parametrize(("seats", "columns", "left"), [(3, 4, 18), (4, 4, 7), (5, 3, 6)])
def test_every_table_is_dealt_its_columns_three_in_hand_and_one_card_turned_up(
    seats: int, columns: int, left: int
) -> None:
    state = dealt(seats, given("9S", seats)).state
    assert [len(laid) for laid in (*state.face_up, *state.face_down)] == [columns] * 2 * seats
    assert [len(hand) for hand in state.hands] == [3] * seats
    assert (state.pile, len(state.draw)) == (("9S",), left)
    assert sum(total(state, seat) for seat in range(seats)) == 51 - left


def test_equal_or_higher_cards_go_on_a_six_one_or_two_at_a_time() -> None:
    state = position("""
        pile: 6S
        hand_0: 5H 6H 6D
    """)
    assert plays(state) == ["6D", "6H", "6H 6D", "PickUp"]
    assert rule(state, Play(("5H",))) == "too_low"


def test_a_two_and_a_ten_go_on_a_king_and_anything_goes_on_the_two() -> None:
    state = position("""
        pile: KS
        hand_0: 2H TH 9H
        hand_1: 3C 4C 5C
        draw: AS 8S
    """)
    assert plays(state) == ["2H", "PickUp", "TH"]
    assert rule(state, Play(("9H",))) == "too_low"
    after = playing(state, "2H").state
    assert plays(after) == ["3C", "4C", "5C", "PickUp"]


def test_a_ten_removes_the_pile_the_hand_is_filled_and_the_same_player_leads_anything() -> None:
    state = position("""
        pile: 9S
        hand_0: TH 3H 4H
        draw: 5D 6D
    """)
    after = playing(state, "TH")
    assert after.kinds() == ["Played", "Cleared", "Drawn", "TurnStarted"]
    assert after.events[-1] == ev.TurnStarted(0, again=True)
    assert (after.state.pile, after.state.removed) == ((), ("9S", "TH"))
    assert plays(after.state) == ["3H", "4H", "5D"]


def test_four_sixes_anywhere_in_the_pile_clear_it() -> None:
    state = position("""
        pile: 4S 6S 6H 9S JS 2S
        hand_0: 6D 6C QH
    """)
    after = playing(state, "6D 6C")
    assert after.kinds() == ["Played", "Cleared", "OneLeft", "TurnStarted"]
    assert after.events[1] == ev.Cleared("four_of_a_kind", (*state.pile, "6D", "6C"))
    assert after.events[-1] == ev.TurnStarted(0, again=True)
    assert after.state.pile == ()


def test_sixes_that_would_make_four_are_still_too_low_for_a_king() -> None:
    state = position("""
        pile: 6S 6H 9S KS
        hand_0: 6D 6C
    """)
    assert rule(state, Play(("6D", "6C"))) == "too_low"
    assert plays(state) == ["PickUp"]


def test_four_of_a_kind_led_at_once_clear_at_once() -> None:
    state = position("""
        hand_0: 5S 5H 5D 5C
        up_0: 9S 8S
    """)
    after = playing(state, "5S 5H 5D 5C")
    assert after.kinds() == ["Played", "Cleared", "TurnStarted"]
    assert (after.state.turn, after.state.removed) == (0, ("5S", "5H", "5D", "5C"))


def test_the_last_card_of_the_draw_pile_is_drawn_and_then_no_more() -> None:
    state = position("""
        hand_0: 7S 8S 9S
        draw: KS
    """)
    after = playing(state, "7S")
    assert after.kinds() == ["Played", "Drawn", "TurnStarted"]
    assert after.state.hands[0] == ("8S", "9S", "KS")
    again = playing(position("hand_0: 8S 9S KS\npile: 7S"), "8S")
    assert again.kinds() == ["Played", "TurnStarted"]


def test_a_hand_of_eight_draws_nothing() -> None:
    state = position("""
        hand_0: 3S 4S 5S 6S 7S 8S 9S JS
        draw: KS QS
    """)
    after = playing(state, "3S")
    assert after.kinds() == ["Played", "TurnStarted"]
    assert [len(after.state.hands[0]), len(after.state.draw)] == [7, 2]


COMBINED = """
    pile: 8S
    hand_0: 9H
    up_0: 9D KD 4D
    down_0: 3S 3H 3D 3C
"""


def test_the_last_hand_card_is_played_alone_or_with_its_match_among_the_face_up_cards() -> None:
    state = position(COMBINED)
    assert plays(state) == ["9H", "9H 9D", "PickUp"]
    after = playing(state, "9D 9H").state
    assert after.pile == ("8S", "9H", "9D")
    assert after.face_up[0] == (None, "KD", "4D", None)


def test_a_face_up_match_waits_while_another_card_is_in_hand() -> None:
    state = position(COMBINED + "hand_0: 9H JH")
    assert rule(state, Play(("9H", "9D"))) == "whole_hand"
    assert plays(state) == ["9H", "JH", "PickUp"]


def test_a_face_up_match_waits_while_there_is_a_draw_pile() -> None:
    state = position(COMBINED + "draw: 7C")
    assert rule(state, Play(("9H", "9D"))) == "draw_pile_first"
    assert plays(state) == ["9H", "PickUp"]


def test_an_empty_hand_plays_face_up_cards_which_are_locked_again_by_a_pick_up() -> None:
    state = position("""
        pile: QS
        up_0: 3S 3H AS
        down_0: 4S 4H 4D
    """)
    assert plays(state) == ["AS", "PickUp"]
    after = say(state, PickUp()).state
    assert after.hands[0] == ("QS",)
    assert rule(position("hand_0: QS\nup_0: 3S 3H AS"), Play(("AS",))) == "hand_first"


def test_a_flip_that_is_too_low_goes_to_the_hand_with_the_pile_and_the_next_player_leads_anything() -> None:
    state = position("""
        pile: 7S 8S
        down_0: JS 5S
        hand_1: 3H 4H
    """)
    after = flip(state, 1)
    assert after.kinds() == ["Flipped", "PickedUp", "TurnStarted"]
    assert after.state.hands[0] == ("7S", "8S", "5S")
    assert (after.state.pile, after.state.turn) == ((), 1)
    assert plays(after.state) == ["3H", "4H"]


def test_a_ten_that_is_flipped_clears_and_another_card_must_be_flipped() -> None:
    state = position("""
        pile: 8S
        down_0: TS 5S 6S
    """)
    after = flip(state, 0)
    assert after.kinds() == ["Flipped", "Cleared", "TurnStarted"]
    assert plays(after.state) == ["column_0_1", "column_0_2"]


LEFT = """
    pile: 8S
    hand_0: JS 9S
    removed: 3S 3H 4S 4H 5S 5H 6S 6H 7H TS TH
    hand_1: QS QH QD
    hand_2: KS KH KD
    hand_3: AS AH AD
"""


def test_a_player_who_forgets_to_shout_and_is_called_draws_three_removed_cards_and_loses_the_next_turn() -> None:
    exposed = playing(position(LEFT), "9S").state
    assert exposed.exposed == (0,)
    after = say(exposed, Call(0), seat=2)
    assert after.kinds() == ["Caught", "Penalised"]
    assert after.state.hands[0][0] == "JS"
    assert len(after.state.hands[0]) == 4
    assert set(after.state.hands[0][1:]) | set(after.state.removed) == set(exposed.removed)
    assert held(after.state) == held(exposed)
    assert rule(after.state, Call(0), seat=1) == "false_call"
    for cards in ("QS", "KS", "AS"):
        after = playing(after.state, cards)
    assert after.events[-2:] == (ev.Skipped(0), ev.TurnStarted(1))


def test_too_few_removed_cards_are_made_up_from_the_bottom_of_the_pile_whose_top_stays() -> None:
    state = position("""
        pile: 4S 7S 9S
        removed: TS
        hand_0: JS
    """, turn=1, exposed=(0,))  # fmt: skip
    after = say(state, Call(0), seat=1)
    assert after.events[1] == ev.Penalised(0, ("TS",), ("4S", "7S"), (), after.state.chance)
    assert after.state.hands[0] == ("JS", "TS", "4S", "7S")
    assert after.state.pile == ("9S",)


def test_a_ten_turned_up_is_removed_and_any_rank_may_be_led() -> None:
    after = dealt(4, given("TS", 4))
    assert after.kinds() == ["Dealt", "TurnedUp", "Cleared", "TurnStarted"]
    assert (after.state.removed, after.state.pile) == (("TS",), ())
    hand = after.state.hands[0]
    assert all((card,) in {tuple(text.split()) for text in plays(after.state)} for card in hand)


def test_caught_with_the_turn_come_round_a_player_loses_that_turn_and_not_the_one_after() -> None:
    state = position(LEFT, turn=0, exposed=(0,))
    after = say(state, Call(0), seat=3)
    assert after.kinds() == ["Caught", "Penalised", "Skipped", "TurnStarted"]
    assert (after.state.turn, after.state.skips) == (1, ())
    for cards in ("QS", "KS", "AS"):
        after = playing(after.state, cards)
    assert after.state.turn == 0


def test_a_shout_with_a_flip_saves_one_card_left_and_has_no_effect_when_the_flip_fails() -> None:
    drawing = """
        pile: 8S
        down_0: JS 5S
    """
    after = flip(position(drawing), 0, shout=True)
    assert after.kinds() == ["Flipped", "Shouted", "TurnStarted"]
    assert after.state.exposed == ()
    failed = flip(position(drawing), 1, shout=True)
    assert failed.kinds() == ["Flipped", "PickedUp", "TurnStarted"]
    assert failed.state.hands[0] == ("8S", "5S")


def test_with_nothing_removed_the_penalty_is_what_lies_under_the_top_of_the_pile() -> None:
    state = position("""
        pile: 4S 7S
        hand_0: JS
    """, turn=1, exposed=(0,))  # fmt: skip
    after = say(state, Call(0), seat=1)
    assert after.events[1] == ev.Penalised(0, (), ("4S",))
    assert (after.state.hands[0], after.state.pile, after.state.skips) == (("JS", "4S"), ("7S",), (0,))


def test_the_first_to_play_the_last_card_wins_from_two_cards_without_a_shout() -> None:
    state = position("""
        pile: 8S
        hand_0: 9S 9H
        hand_1: 4S
    """)
    after = playing(state, "9S 9H")
    assert after.kinds() == ["Played", "WentOut"]
    assert GAME.result(after.state) == Result("won", "last_card", (0,))
    assert [GAME.legal_commands(after.state, seat) for seat in range(4)] == [()] * 4


def test_an_exposed_player_who_shouts_in_time_cannot_be_caught() -> None:
    state = say(position(LEFT, turn=2, exposed=(0,)), Shout(), seat=0)
    assert state.kinds() == ["Shouted"]
    assert rule(state.state, Call(0), seat=1) == "false_call"
    assert state.state.turn == 2
