"""Actions: what is refused, and what the spaces bring."""

from typing import Any

import pytest

from domain.games.decs_building import events as ev
from domain.games.decs_building.events import Pass
from domain.games.decs_building.state import STACK

from .positions import cells, discard, drawing, place, position, refused, say, take

HAND = "hand_0: 4S 5S 6H 7D 4C JH JC QS KD *1"


@pytest.mark.parametrize(
    ("space", "payment", "fields", "rule"),
    [
        ("snowflake", "4S 5S", {}, "cards_to_pay"),
        ("add_power_cable", "4S 5S", {}, "cards_to_pay"),
        ("snowflake", "4S 5S 9S", {}, "not_in_hand"),
        ("snowflake", "4S 4S 5S", {}, "not_in_hand"),
        ("snowflake", "4S 5S 6H", {}, "one_colour"),
        ("extra_power_source", "4S 5S 6H", {"order": ("4S", "5S")}, "order_of_payment"),
        ("small_star", "4S 5S", {}, "matching_cards"),
        ("small_star", "KD 6H", {}, "matching_cards"),
        ("gain_king", "JH JC", {}, "matching_cards"),
        ("gain_jack_queen", "4S 4C 6H", {}, "alternative"),
        ("small_star", "7D 6H", {"alternative": "jack"}, "alternative"),
        ("gain_jack_queen", "4S 4C 6H", {"alternative": "queen"}, "matching_cards"),
        ("gain_card", "4S 5S", {}, "suit_stack"),
        ("gain_card", "4S 5S", {"source": "stack_jacks"}, "suit_stack"),
        ("small_star", "7D 6H", {"source": "stack_spades"}, "suit_stack"),
        ("stop_messing_around", "4S 5S", {"cells": ((1, 1),)}, "nothing_to_draw"),
        ("small_star", "7D 6H", {"cells": ((5, 4),)}, "spaces_taken"),
        ("small_star", "7D 6H", {"cells": ((1, 1), (1, 2))}, "exact_shape"),
        ("santa", "6H 4C 7D", {"cells": ((8, 8), (8, 9), (9, 8), (9, 9))}, "exact_shape"),
    ],
)
def test_an_action_is_refused_by_the_rule_it_breaks(space: str, payment: str, fields: Any, rule: str) -> None:
    assert refused(position(HAND), take(space, payment, **fields)) == rule


@pytest.mark.parametrize(
    ("space", "payment"),
    [
        ("snowflake", "JC KS *1"),
        ("snowflake", "6H 7D JH"),
        ("gain_king", "JH QS"),
        ("gain_king", "*1 QS"),
        ("small_star", "7D JC"),
        ("everyone_pitch_in", "*1"),
        ("gain_wild", "QS 4S 4C"),
        ("extra_power_source", "4S *1 6H"),
        ("banner_angels", "6H *1 4C"),
        ("santas_sleigh", "JH 4C *1"),
    ],
)
def test_pictures_pay_for_any_card_or_their_letter_and_wild_cards_for_all_but_kings(space: str, payment: str) -> None:
    assert say(position(f"hand_0: {payment}\nhand_1: 3C"), take(space, payment)).events


def test_jacks_and_kings_that_pay_go_on_top_of_their_stacks_in_order() -> None:
    state = position("hand_0: JC JS KS")
    after = say(state, take("snowflake", "JC JS KS", order=("JS", "KS", "JC"))).state
    assert after.stacks[STACK["stack_jacks"]][-2:] == ("JS", "JC")
    assert after.stacks[STACK["stack_kings"]][-1] == "KS"
    assert after.players[0].played == ()


def test_a_picture_that_is_discarded_stays_on_the_played_pile() -> None:
    after = say(position("hand_0: JC 4S\nhand_1: 3C"), discard("4S JC")).state
    assert after.players[0].played == ("4S", "JC")


def test_a_picture_may_be_the_second_card_that_leaves_the_game() -> None:
    after = say(position("hand_0: 4S KC"), take("stop_messing_around", "4S KC")).state
    assert after.removed == ("KC",)
    assert len(after.stacks[STACK["stack_kings"]]) == 4


def test_the_order_of_a_payment_is_the_order_on_the_played_pile() -> None:
    state = position("hand_0: 4S 5S 6S")
    one = say(state, take("snowflake", "6S 4S 5S")).state
    other = say(state, take("snowflake", "4S 5S 6S", order=("6S", "4S", "5S"))).state
    assert one == other
    assert one.players[0].played == ("6S", "4S", "5S")


@pytest.mark.parametrize(
    ("space", "payment", "gained"),
    [("gain_king", "JH QS", "KS"), ("gain_wild", "QS 4S 4C", "AS")],
)
def test_a_gained_card_comes_off_its_stack_to_the_played_pile(space: str, payment: str, gained: str) -> None:
    after = say(position(HAND), take(space, payment))
    assert after.state.players[0].played[-1] == gained
    assert after.state.players[0].pawns == (space,)


def test_an_empty_deck_stack_cannot_be_gained_from() -> None:
    state = position(HAND + "\nstack_kings:\nstack_spades:")
    assert refused(state, take("gain_king", "JH QS")) == "empty_stack"
    assert refused(state, take("gain_card", "4S 5S", source="stack_spades")) == "empty_stack"


def test_a_feature_without_room_cannot_be_paid_for() -> None:
    rows = "; ".join(f"banner_angels {row},{column}" for row in (1, 3, 6) for column in (1, 5))
    assert say(position("hand_0: KD 4C 4S\ngrid_0: comet 1,1"), take("reindeer", "KD 4C 4S")).events
    assert refused(position(f"hand_0: KD 4C 4S\ngrid_0: {rows}"), take("reindeer", "KD 4C 4S")) == "no_room"


def test_a_power_source_goes_anywhere_and_powers_what_it_touches() -> None:
    state = position("hand_0: 4S 5S 6H\ngrid_0: small_star 1,1")
    after = say(state, take("extra_power_source", "4S 5S 6H", cells=((1, 2),))).state
    assert after.players[0].features == (*drawing("small_star 1,1"), *drawing("power_source 1,2"))


def test_an_own_pawn_on_the_space_is_not_placed_again() -> None:
    state = position("hand_0: 6H 7D\npawns_0: candle")
    after = say(state, take("candle", "6H 7D", cells=cells("candle", "1,1")))
    assert after.kinds()[:2] == ["Paid", "FeatureDrawn"]


def test_nothing_is_drawn_that_was_not_paid_for() -> None:
    state = position("hand_0: 6H 7D")
    assert refused(state, place("small_star", "1,1")) == "nothing_to_draw"
    paid = say(state, take("candle", "6H 7D")).state
    assert refused(paid, place("santa", "1,1")) == "exact_shape"
    assert refused(paid, place("candle", "5,4")) == "spaces_taken"
    assert refused(paid, take("candle", "6H 7D")) == "draw_first"


@pytest.mark.parametrize("words", ["9C", "4S 9C", "4S 4S"])
def test_only_hand_cards_are_discarded_each_once(words: str) -> None:
    assert refused(position("hand_0: 4S 5S"), discard(words)) == "not_in_hand"


def test_no_start_card_is_taken_during_the_turns() -> None:
    state = position("hand_0: 4S", takers=(1,))
    assert refused(state, Pass(), seat=0) == "not_your_turn"
    assert refused(state, Pass(), seat=1) == "start_card"


def test_a_copy_of_a_card_that_is_held_twice_is_spent_once() -> None:
    state = position("hand_0: 4S 4S 5H", seats=4)
    after = say(state, take("gain_card", "4S 4S", source="stack_hearts"))
    assert after.state.players[0].hand == ("5H",)
    assert after.events[0] == ev.Paid(0, "gain_card", ("4S", "4S"))
