"""The rules of Decs Building: rounds, actions, the board, points, options and resignations."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import pytest
from msgspec.structs import replace

from domain.game_type import Result
from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building import events as ev
from domain.games.decs_building.events import DeclineExtra, Discard, Pass, Place, TakeAction
from domain.games.decs_building.grid import (
    alike_points,
    conductors,
    empty_spaces,
    find_powered,
    hand_size,
    score,
    two_away_points,
    winners,
)
from domain.games.decs_building.rounds import first_player
from domain.games.decs_building.rules import resign
from domain.games.decs_building.state import KINDS, SPACES, STACK, Alternative, Options, StackId, State, pack

from .positions import (
    DECS,
    IDS,
    After,
    all_pass,
    cards,
    cells,
    discard,
    drawing,
    everything,
    folded,
    held,
    opened,
    place,
    position,
    refused,
    say,
    start,
    take,
)

POINTS = {
    "features that touch a source": ("small_star 7,2; big_star 2,3", 16 - 2 * 55),
    "a feature without power fills its spaces": ("comet 1,1", -2 * 54),
    "candles two apart in a line": ("candle 5,3; candle 5,5", 4 + 4 - 118),
    "candles that are diagonal": ("candle 5,3; candle 6,4", 2 + 2 - 118),
    "an unpowered candle neither counts nor is counted": ("candle 5,3; candle 3,3", 2 - 118),
    "a powered banner is a cable": ("banner_angels 6,1; small_star 6,2", 14 + 2 - 2 * 54),
    "three powered santas": ("santa 6,1; santa 6,3; santa 6,7", -18 - 2 * (61 - 12)),
    "one powered santa": ("santa 6,1", -2 - 2 * 57),
    "an unpowered santa takes away nothing": ("santa 1,1", -2 * 57),
    "a reindeer over the source": ("reindeer 1,3", 70 - 2 * 50),
    "one column further left": ("reindeer 1,2", -2 * 50),
    "two columns further left": ("reindeer 1,1", -2 * 50),
    "snowflakes and sources need no power": ("snowflake 1,1; power_source 1,8", 1 - 118),
    "an untouched grid": ("", -122),
}


@pytest.mark.parametrize(("grid", "counted"), POINTS.values(), ids=POINTS)
def test_powered_features_score_and_empty_spaces_cost_two(grid: str, counted: int) -> None:
    assert score(position(f"grid_0: {grid}"), 0) == counted
    assert score(opened(short=True).state, 0) == -90


@pytest.mark.parametrize(
    ("feature", "corner", "where"),
    [
        ("big_star", "2,3", ".X./XXX/.X."), ("comet", "1,1", "XX.../XXXXX"), ("banner_angels", "6,1", "X..X/XXXX"),
    ],
)  # fmt: skip
def test_a_feature_covers_the_cells_of_its_shape(feature: str, corner: str, where: str) -> None:
    top, left = (int(number) - 1 for number in corner.split(","))
    assert cells(feature, corner) == tuple((row + top, column + left) for row, column in _drawn(where))


@pytest.mark.parametrize(("seats", "decks", "pictures"), [(2, "23", 4), (3, "223", 6), (4, "2233", 8)])
def test_every_seat_starts_with_twos_or_threes(seats: int, decks: str, pictures: int) -> None:
    state = opened(seats).state
    assert sorted(sorted(player.hand + player.deck) for player in state.players) == [
        sorted(rank + suit for suit in "SHDC") for rank in decks
    ]
    assert [len(stack) for stack in state.stacks[5:]] == [pictures] * 3


def test_the_token_holder_takes_one_of_the_lowest_cards_showing_into_the_hand() -> None:
    state = position(
        """
        stack_spades: 9S 4S
        stack_hearts: 9H 3H
        stack_diamonds: 9D 5D
        stack_clubs: 9C 3C
        hand_0: 2S
        """,
        takers=(0,),
        turn=None,
    )
    assert GAME.legal_commands(state, 0) == (start("stack_hearts"), start("stack_clubs"))
    assert refused(state, start("stack_diamonds")) == "lowest_rank"
    assert refused(state, Pass()) == "start_card"
    after = say(state, start("stack_hearts"))
    assert after.state.players[0].hand == ("2S", "3H")
    assert after.kinds() == ["StartCardTaken", "TurnStarted"]


def test_two_question_marks_are_paid_in_one_colour_and_a_joker_has_either() -> None:
    state = position("hand_0: 5H 6S 7D")
    assert say(state, take("gain_card", "5H 7D", source="stack_clubs")).state.players[0].hand == ("6S",)
    for payment in ("5H 6S", "6S 7D"):
        assert refused(state, take("gain_card", payment, source="stack_clubs")) == "one_colour"
    joker = position("hand_0: 5H *1 7D")
    for payment in ("5H 7D", "5H *1", "*1 7D"):
        assert say(joker, take("gain_card", payment, source="stack_clubs")).events


def test_a_king_is_paid_by_a_king_alone_and_a_club_by_an_ace() -> None:
    state = position("hand_0: AH KC 4C 5S")
    assert say(state, take("reindeer", "KC 4C 5S")).state.placing == "reindeer"
    assert refused(state, take("reindeer", "AH 4C 5S")) == "matching_cards"
    assert say(state, take("reindeer", "KC AH 5S")).state.placing == "reindeer"


def test_a_queen_that_pays_goes_back_to_her_stack_and_the_rest_to_the_played_pile() -> None:
    state = position("hand_0: QS 4D *1\nstack_queens: QC QD QH")
    after = say(state, take("comet", "QS 4D *1")).state
    assert after.stacks[STACK["stack_queens"]] == ("QC", "QD", "QH", "QS")
    assert after.players[0].played == ("4D", "*1")


def test_a_card_gained_lies_behind_its_payment_and_comes_up_in_that_order() -> None:
    state = position("hand_0: 5H 7D JC\ndeck_0: 2S\nstack_queens: QC QD QH QS\nstack_jacks: JD JH JS")
    after = say(state, take("gain_jack_queen", "5H 7D JC", alternative="queen"))
    assert after.state.stacks[STACK["stack_jacks"]] == ("JD", "JH", "JS", "JC")
    assert after.events[1] == ev.CardGained(0, "stack_queens", "QS")
    ended = next(event for event in after.events if isinstance(event, ev.Drawn))
    assert ended == ev.Drawn(0, ("2S", "5H", "7D"))
    assert after.state.players[0].deck == ("QS",)


@pytest.mark.parametrize(("payment", "kept", "gone"), [("2S 3C", "2S", "3C"), ("3C 2S", "3C", "2S")])
def test_the_second_card_paid_to_stop_messing_around_leaves_the_game(payment: str, kept: str, gone: str) -> None:
    after = say(position("hand_0: 2S 3C 9H"), take("stop_messing_around", payment)).state
    assert (after.players[0].played, after.removed) == ((kept,), (gone,))


def test_a_powered_banner_is_a_power_cable_and_cables_may_be_attached_to_it() -> None:
    banner = drawing("banner_angels 6,1; small_star 6,2")
    assert find_powered(banner) == [True, True]
    state = position("hand_0: 4S 5S\ngrid_0: banner_angels 6,1")
    assert say(state, take("add_power_cable", "4S", cells=((5, 1),))).state.players[0].features[-1].cells == ((5, 1),)
    assert conductors(drawing("banner_angels 1,1")) == conductors(())


def test_a_cable_touches_a_source_and_carries_its_power_on() -> None:
    state = position("hand_0: 4S 5D 6D")
    assert refused(state, take("add_power_cable", "4S", cells=((1, 1),))) == "cable_connected"
    after = say(state, take("add_power_cable", "4S", cells=((8, 3),))).state
    assert find_powered((*after.players[0].features, *drawing("small_star 7,3"))) == [True, True]
    assert find_powered(drawing("small_star 7,3")) == [False]


def test_a_pawn_sends_another_seats_pawn_home_and_that_seat_needs_a_spare_one() -> None:
    state = position("""
        hand_0: QH 4D 5D 6D
        hand_1: QS 7D 8D
        pawns_0: comet santa candle reindeer
        pawns_1: gain_king gain_wild santas_sleigh
        """, turn=1)  # fmt: skip
    after = say(state, take("comet", "QS 7D 8D"))
    assert after.events[:2] == (ev.PawnReturned(0, "comet"), ev.PawnPlaced(1, "comet"))
    assert after.state.players[0].pawns == ("santa", "candle", "reindeer")
    assert after.state.players[1].pawns == ("gain_king", "gain_wild", "santas_sleigh", "comet")
    back = say(say(after.state, place("comet", "1,1")).state, take("comet", "QH 4D 5D"))
    assert back.events[:2] == (ev.PawnReturned(1, "comet"), ev.PawnPlaced(0, "comet"))
    busy = position("hand_0: QH 4D 5D\npawns_0: santa candle reindeer banner_angels\npawns_1: comet")
    assert refused(busy, take("comet", "QH 4D 5D")) == "spare_pawn"


def test_without_a_spare_pawn_only_the_spaces_where_ones_own_stand_are_open() -> None:
    state = position("hand_0: JH 4C 5C 6H 7D\npawns_0: santa gain_king", seats=4)
    assert refused(state, take("santas_sleigh", "JH 4C 5C")) == "spare_pawn"
    after = say(state, take("santa", "6H 4C 7D"))
    assert after.kinds() == ["Paid"]
    assert after.state.players[0].pawns == ("santa", "gain_king")


@pytest.mark.parametrize(("turned", "shape"), list(enumerate(["XX/X./X.", "XXX/..X", ".X/.X/XX", "X../XXX"])))
def test_a_candy_cane_is_drawn_in_four_ways(turned: int, shape: str) -> None:
    where = _drawn(shape)
    assert cells("candy_cane", "1,1", turned) == where
    after = say(position("hand_0: 4C 5C 6S"), take("candy_cane", "4C 5C 6S", cells=where))
    assert ev.FeatureDrawn(0, "candy_cane", where) in after.events


def test_a_candy_cane_is_never_mirrored_and_an_angel_not_turned() -> None:
    state = position("hand_0: 4C 5C 6S 4H 5H 6D")
    assert refused(state, take("candy_cane", "4C 5C 6S", cells=_drawn("XXX/X.."))) == "exact_shape"
    assert refused(state, take("large_angel", "4H 5H 6D", cells=_drawn(".X./XXX/X.X"))) == "exact_shape"
    assert say(state, take("large_angel", "4H 5H 6D", cells=_drawn("X.X/XXX/.X."))).events


def _drawn(shape: str) -> tuple[tuple[int, int], ...]:
    rows = enumerate(shape.split("/"), 1)
    return tuple((row, at) for row, line in rows for at, mark in enumerate(line, 1) if mark == "X")


def test_three_stacks_empty_end_the_game_after_one_more_round_though_a_queen_comes_back() -> None:
    drawn = "stack_spades:\nstack_hearts: 9H\nstack_queens:\nhand_0: 4H 6D\nhand_1: QH 4D 5D"
    state = position(drawn, round=9)
    emptied = say(state, take("gain_card", "4H 6D", source="stack_hearts"))
    assert emptied.kinds() == ["Paid", "CardGained", "EndAnnounced", "TurnStarted"]
    returned = say(emptied.state, take("comet", "QH 4D 5D", cells=cells("comet", "1,1")))
    assert returned.state.stacks[STACK["stack_queens"]] == ("QH",)
    assert returned.kinds()[-5:] == ["Passed", "RoundEnded", "RoundStarted", "Drawn", "Drawn"]
    assert ev.RoundStarted(10, 1, final=True) in returned.events
    assert returned.state.takers == (1, 0)


def test_an_empty_stack_gives_nothing_even_if_the_payment_would_fill_it() -> None:
    drawn = "hand_0: 4S 5C JH\nstack_jacks: "
    assert refused(position(drawn), take("gain_jack_queen", "4S 5C JH", alternative="jack")) == "empty_stack"
    after = say(position(drawn + "JS"), take("gain_jack_queen", "4S 5C JH", alternative="jack"))
    assert after.events[1] == ev.CardGained(0, "stack_jacks", "JH")
    assert after.state.stacks[STACK["stack_jacks"]] == ("JS",)


def test_after_everyone_pitch_in_any_number_pays_any_suit_in_any_colour() -> None:
    state = position("hand_0: JD 4S 5C 6H 9S")
    assert refused(state, take("big_star", "4S 5C 6H")) == "matching_cards"
    pitched = say(state, take("everyone_pitch_in", "JD"))
    assert pitched.kinds() == ["Paid", "ExtraActionGranted"]
    starred = say(pitched.state, take("big_star", "4S 5C 6H"))
    assert starred.state.placing == "big_star"
    assert say(starred.state, Place(cells("big_star", "2,3"))).state.players[0].features == drawing("big_star 2,3")
    assert refused(pitched.state, discard("4S")) == "extra_action"


def test_all_who_pass_keep_their_hands_and_draw_what_is_missing_as_far_as_the_deck_goes() -> None:
    state = position("hand_0: 5H 6H 7H 8H\nhand_1: 9S\ndeck_1: 4C 5C 6C")
    after = all_pass(state).state
    assert after.players[0].hand == cards("5H 6H 7H 8H")
    assert after.players[1].hand == cards("9S 4C 5C")
    state = position("hand_0: 4S\nhand_1: 5S\ndeck_1: 6S")
    after = all_pass(state).state
    assert [len(player.hand) for player in after.players] == [1, 2]


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
    state = position("hand_0: 4S 5S 6S\ndeck_0: 7S 8S 9S\nhand_1: 3C", seats=3, token=0)
    after = all_pass(say(state, discard("6S 4S 5S")).state)
    assert after.state.players[0].hand == cards("7S 8S 9S")
    assert after.state.players[0].deck == cards("6S 4S 5S")
    assert [event.seat for event in after.events if isinstance(event, ev.Drawn)] == [0]
    assert (after.state.token, after.state.round, after.state.takers) == (2, 4, (2,))
    assert not any(player.passed for player in after.state.players)


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


HAND = "hand_0: 4S 5S 6H 7D 4C JH JC QS KD *1"


@pytest.mark.parametrize(("space", "payment", "fields", "rule"), [
    ("snowflake", "4S 5S", {}, "cards_to_pay"), ("add_power_cable", "4S 5S", {}, "cards_to_pay"),
    ("snowflake", "4S 5S 9S", {}, "not_in_hand"), ("snowflake", "4S 4S 5S", {}, "not_in_hand"),
    ("snowflake", "4S 5S 6H", {}, "one_colour"),
    ("extra_power_source", "4S 5S 6H", {"order": ("4S", "5S")}, "order_of_payment"),
    ("small_star", "4S 5S", {}, "matching_cards"), ("small_star", "KD 6H", {}, "matching_cards"),
    ("gain_king", "JH JC", {}, "matching_cards"), ("gain_jack_queen", "4S 4C 6H", {}, "alternative"),
    ("small_star", "7D 6H", {"alternative": "jack"}, "alternative"),
    ("gain_jack_queen", "4S 4C 6H", {"alternative": "queen"}, "matching_cards"),
    ("gain_card", "4S 5S", {}, "suit_stack"), ("gain_card", "4S 5S", {"source": "stack_jacks"}, "suit_stack"),
    ("small_star", "7D 6H", {"source": "stack_spades"}, "suit_stack"),
    ("stop_messing_around", "4S 5S", {"cells": ((1, 1),)}, "nothing_to_draw"),
    ("small_star", "7D 6H", {"cells": ((5, 4),)}, "spaces_taken"),
    ("small_star", "7D 6H", {"cells": ((1, 1), (1, 2))}, "exact_shape"),
    ("santa", "6H 4C 7D", {"cells": ((8, 8), (8, 9), (9, 8), (9, 9))}, "exact_shape"),
])  # fmt: skip
def test_an_action_is_refused_by_the_rule_it_breaks(space: str, payment: str, fields: Any, rule: str) -> None:
    assert refused(position(HAND), take(space, payment, **fields)) == rule


@pytest.mark.parametrize(("space", "payment"), [
    ("snowflake", "JC KS *1"), ("snowflake", "6H 7D JH"), ("gain_king", "JH QS"), ("gain_king", "*1 QS"),
    ("small_star", "7D JC"), ("everyone_pitch_in", "*1"), ("gain_wild", "QS 4S 4C"), ("extra_power_source", "4S *1 6H"),
    ("banner_angels", "6H *1 4C"), ("santas_sleigh", "JH 4C *1"),
])  # fmt: skip
def test_pictures_pay_for_any_card_or_their_letter_and_wild_cards_for_all_but_kings(space: str, payment: str) -> None:
    assert say(position(f"hand_0: {payment}\nhand_1: 3C"), take(space, payment)).events


def test_jacks_and_kings_that_pay_go_on_top_of_their_stacks_in_order() -> None:
    state = position("hand_0: JC JS KS")
    after = say(state, take("snowflake", "JC JS KS", order=("JS", "KS", "JC"))).state
    assert after.stacks[STACK["stack_jacks"]][-2:] == ("JS", "JC")
    assert after.stacks[STACK["stack_kings"]][-1] == "KS"
    assert after.players[0].played == ()


def test_a_picture_stays_on_the_played_pile_if_it_is_discarded_and_may_be_what_leaves_the_game() -> None:
    after = say(position("hand_0: JC 4S\nhand_1: 3C"), discard("4S JC")).state
    assert after.players[0].played == ("4S", "JC")
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


STOP = "stop_messing_around"
HANDS = ["4S 5C 6H 7D", "JS QH KD *1", "AS 4S 4C JC", "4D 5D AH JD", "KC QS 4S 5C", "4S 4S 6H 6H"]
ALTERNATIVES: tuple[Alternative | None, ...] = (None, "jack", "queen")
SOURCES: tuple[StackId | None, ...] = (None, "stack_spades", "stack_clubs", "stack_jacks")


def spellings(state: State) -> Iterator[TakeAction]:
    """Every way to name up to three hand cards for every space, with every choice."""
    hand = state.players[0].hand
    payments = {cards for size in (1, 2, 3) for cards in permutations(hand, size)}
    for space in SPACES:
        for payment in sorted(payments):
            for alternative in ALTERNATIVES:
                yield from (TakeAction(space, payment, alternative, source) for source in SOURCES)


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("extra", [False, True])
def test_an_action_is_accepted_if_and_only_if_its_spelling_is_listed(hand: str, extra: bool) -> None:
    drawing = f"""
        hand_0: {hand}
        pawns_0: comet santa reindeer gain_wild
        pawns_1: candle
        stack_kings:
        stack_clubs:
    """
    state = position(drawing, extra=extra)
    listed = set(GAME.legal_commands(state, 0))
    for command in spellings(state):
        spelling = DECS.spelt(state, command)
        assert isinstance(spelling, TakeAction)
        assert DECS.allows(state, command) == (replace(spelling, order=None) in listed), command


def test_every_payment_is_listed_once_whatever_its_order() -> None:
    listed = GAME.legal_commands(position("hand_0: 6S 4S 5S"), 0)
    payments = [command.payment for command in listed if isinstance(command, TakeAction) and command.space != STOP]
    assert all(payment == tuple(sorted(payment)) for payment in payments)
    assert take("snowflake", "4S 5S 6S") in listed
    assert len([command for command in listed if getattr(command, "space", "") == "snowflake"]) == 1


def test_both_orders_are_listed_where_the_second_card_leaves_the_game() -> None:
    state = position("hand_0: 4S 5S 5S")
    listed = [command for command in GAME.legal_commands(state, 0) if getattr(command, "space", "") == STOP]
    assert sorted(command.payment for command in listed if isinstance(command, TakeAction)) == [
        ("4S", "5S"), ("5S", "4S"), ("5S", "5S"),
    ]  # fmt: skip
    named = take(STOP, "4S 5S", order=("5S", "4S"))
    assert DECS.spelt(state, named) == take(STOP, "5S 4S")
    assert say(state, named).state.removed == ("4S",)


def test_another_order_is_spelled_beside_the_sorted_payment_and_means_the_same() -> None:
    state = position("hand_0: 6S 4S 5S\nhand_1: 3C")
    named = take("snowflake", "6S 4S 5S", cells=((1, 2),))
    spelled = take("snowflake", "4S 5S 6S", cells=((1, 2),), order=("6S", "4S", "5S"))
    assert DECS.spelt(state, named) == spelled
    assert say(state, named) == say(state, spelled)


def test_a_discard_is_listed_by_its_first_card_and_takes_any_more_in_any_order() -> None:
    state = position("hand_0: 4S 6S 5H 5H\nhand_1: 3C", seats=4)
    endings = [command for command in GAME.legal_commands(state, 0) if not isinstance(command, TakeAction)]
    assert endings == [Discard("4S"), Discard("5H"), Discard("6S"), Pass()]
    for size in (1, 2, 3):
        for rest in permutations(("6S", "5H", "5H"), size):
            assert say(state, Discard("4S", rest)).state.players[0].played == ("4S", *rest)


def test_an_extra_action_is_taken_or_declined() -> None:
    listed = GAME.legal_commands(position("hand_0: 4S 6S", extra=True), 0)
    assert listed[-1] == DeclineExtra()
    assert all(isinstance(command, TakeAction) for command in listed[:-1])


SHAPES = ["candy_cane", "comet", "reindeer", "large_angel", "power_cable", "santa"]


@pytest.mark.parametrize("feature", SHAPES)
@pytest.mark.parametrize("short", [False, True])
def test_the_places_listed_are_all_the_legal_ones(feature: str, short: bool) -> None:
    grid = "grid_0: small_star 4,1; power_cable 8,3; candle 8,1"
    state = position(grid, options=Options(short=short), placing=IDS[feature])
    listed = set(GAME.legal_commands(state, 0))
    tried = set(_everywhere(feature))
    assert listed == {command for command in tried if DECS.allows(state, command)}
    assert 0 < len(listed) < len(tried)


def _everywhere(feature: str) -> Iterator[Place]:
    """The shape, turned and mirrored, from every corner that keeps it within eight rows and columns."""
    shape = KINDS[IDS[feature]].shape.split("/")
    for drawn in _all_ways(shape):
        for top in range(1, 10 - len(drawn)):
            for left in range(1, 10 - len(drawn[0])):
                yield Place(tuple(
                    (top + row, left + at) for row, line in enumerate(drawn) for at, mark in enumerate(line)
                    if mark == "X"
                ))  # fmt: skip


def _all_ways(shape: list[str]) -> Iterator[list[str]]:
    for _ in range(4):
        shape = ["".join(line) for line in zip(*shape[::-1], strict=True)]
        yield shape
        yield [line[::-1] for line in shape]


def test_the_cells_of_a_place_are_named_in_any_order_and_each_once() -> None:
    state = position("hand_1: 3C", placing="candy_cane")
    named = place("candy_cane", "1,1")
    for order in permutations(named.cells):
        assert DECS.spelt(state, Place(order)) == named
        assert say(state, Place(order)) == say(state, named)
    state = position("", placing="candy_cane")
    for pair in combinations(place("candy_cane", "1,1").cells, 2):
        assert not DECS.allows(state, Place((*pair, *pair)))


def test_a_large_hand_lists_hundreds_and_not_hundreds_of_thousands() -> None:
    state = position("hand_0: 2S 3S 4S 5S 2H 3H 4H 5H 2D 3D 4D 5D 2C 3C 4C JS JH QS KD *1")
    listed = GAME.legal_commands(state, 0)
    assert len(listed) < 6000
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize(
    ("grid", "works"),
    [
        ("small_star 8,1", [True]),
        ("reindeer 1,3", [True]),
        ("reindeer 1,2", [False]),
        ("small_star 7,1", [False]),
        ("snowflake 1,1", [True]),
        ("power_cable 8,3; power_cable 7,3; small_star 6,3", [True, True, True]),
        ("power_source 1,1; small_star 1,2; small_star 2,2", [True, True, False]),
        ("banner_angels 1,1; small_star 1,2", [False, False]),
        ("small_star 4,3; small_star 4,4; small_star 4,5", [False, True, False]),
        ("banner_angels 6,1; banner_angels 6,5; small_star 5,8", [True, True, True]),
        ("banner_angels 1,1; banner_angels 3,1; small_star 1,5", [True, True, True]),
        ("power_cable 4,4; power_cable 3,4; banner_angels 1,5; small_star 3,8", [True, True, False, False]),
        ("power_cable 4,4; power_cable 4,5; power_cable 3,5; banner_angels 1,5; small_star 3,8", [True] * 5),
    ],
)
def test_a_feature_works_beside_a_source_a_cable_or_a_powered_banner(grid: str, works: list[bool]) -> None:
    assert find_powered(drawing(grid)) == works


def test_banners_pass_power_on_in_whatever_order_they_were_drawn() -> None:
    chain = ["banner_angels 3,1", "banner_angels 1,1", "banner_angels 1,5"]
    for order in permutations(chain):
        assert find_powered(drawing("; ".join(order))) == [True, True, True]
    for broken in permutations(chain[1:]):
        assert find_powered(drawing("; ".join(broken))) == [False, False]
        assert conductors(drawing("; ".join(broken))) == conductors(())


@pytest.mark.parametrize(("grid", "points"), [
    ("candle 1,1", 0), ("candle 1,1; candle 1,3", 4), ("candle 1,1; candle 1,2", 0), ("candle 1,1; candle 1,4", 0),
    ("candle 1,1; candle 2,2", 0), ("candle 1,1; candle 1,3; candle 1,5", 8),
    ("candle 1,3; candle 3,1; candle 3,3; candle 3,5; candle 5,3", 16), ("candle 1,8; candle 2,2", 0),
])  # fmt: skip
def test_candles_count_each_other_two_apart_in_a_straight_line(grid: str, points: int) -> None:
    assert two_away_points(drawing(grid)) == points


@pytest.mark.parametrize(("santas", "points"), [(0, 0), (1, -2), (2, -8), (3, -18), (4, -32)])
def test_each_santa_takes_two_for_every_santa(santas: int, points: int) -> None:
    assert alike_points(drawing("; ".join("santa 1,1" for _ in range(santas)))) == points
    assert hand_size(drawing("santa 6,1; santa 6,3; santa 6,7")) == 6


PACKS = [
    (2, {}, 54, "456789T", 7), (3, {}, 66, "456789", 7), (4, {}, 84, "456789", 8),
    (2, {"two_player_tens": False}, 50, "456789", 6), (3, {"two_player_tens": False}, 66, "456789", 7),
    (2, {"short": True}, 46, "4567T", 5), (3, {"short": True}, 58, "4567", 5), (4, {"short": True}, 76, "4567", 6),
    (2, {"short": True, "two_player_tens": False}, 42, "4567", 4),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "options", "cards", "ranks", "height"), PACKS)
def test_packs_and_stacks_hold_the_printed_cards(
    seats: int, options: dict[str, bool], cards: int, ranks: str, height: int
) -> None:
    state = opened(seats, **options).state
    counted = Counter(card[0] for card in everything(state))
    assert (counted.total(), counted["*"]) == (cards, 4 if seats == 4 else 2)
    assert [counted[rank] for rank in "AJQK"] == [{2: 4, 3: 6, 4: 8}[seats]] * 4
    assert held(state) == everything(state)
    assert [len(stack) for stack in state.stacks[:4]] == [height] * 4
    assert [stack[-1] for stack in state.stacks[:4]] == ["4S", "4H", "4D", "4C"]
    assert {card[0] for stack in state.stacks[:4] for card in stack} == set(ranks)


def test_the_short_game_leaves_out_the_top_two_rows() -> None:
    state = opened(short=True).state
    assert empty_spaces(state, 0) == 45
    assert [len(facts.grid) for facts in GAME.look(state, None).facts.seats] == [6, 6]
    drawn = position("hand_0: 4D 5D 6D", options=Options(short=True))
    assert refused(drawn, take("big_star", "4D 5D 6D", cells=place("big_star", "2,1").cells)) == "exact_shape"
    assert say(drawn, take("big_star", "4D 5D 6D", cells=place("big_star", "3,1").cells)).events
    assert refused(position("hand_0: 4D 5D", options=Options(short=True)), take("small_star", "4D 5D", cells=((1, 1),)))


TIED = """
    hand_0: 2S
    hand_1: 3S
    grid_0: large_angel 1,1
    grid_1: snowflake 1,1; snowflake 1,2; snowflake 1,3; snowflake 1,4
"""
"""Seat 0: six spaces filled and no points; seat 1: four spaces filled and four points."""


@pytest.mark.parametrize(("tie_break", "first"), [("shared", (0, 1)), ("fewest_empty_spaces", (0,))])
def test_equal_points_are_shared_or_go_to_whoever_left_fewer_spaces_empty(
    tie_break: str, first: tuple[int, ...]
) -> None:
    state = position(TIED, options=Options(tie_break=tie_break), final=True)  # type: ignore[arg-type]
    assert [score(state, seat) for seat in (0, 1)] == [-110, -110]
    ended = all_pass(state)
    assert ended.events[-1] == ev.Scored((-110, -110), first)
    assert winners(ended.state, (-110, -110)) == first


def test_a_tie_in_spaces_too_is_shared() -> None:
    state = position("hand_0: 2S\nhand_1: 3S", options=Options(tie_break="fewest_empty_spaces"), final=True)
    assert all_pass(state).events[-1] == ev.Scored((-122, -122), (0, 1))


def resigned(state: State, seat: int) -> After:
    events = tuple(resign(state, seat))
    return After(events, folded(state, events))


THREE = "hand_0: 2S\nhand_1: 3S\nhand_2: 2H"
LAST = {"turn": None, "final": True, "token": 0}
RESIGNED: dict[str, tuple[str, dict[str, Any], int, tuple[int | None, ...], dict[str, Any]]] = {
    "on turn, the turn passes the seat by": (f"{THREE}\npawns_0: comet", {}, 0, (1,), {"turn": 1}),
    "who is not on turn leaves without a change of turn": (THREE, {}, 1, (), {"turn": 0}),
    "what was not drawn is forgotten": (THREE, {"placing": "candle"}, 0, (1,), {"placing": None, "turn": 1}),
    "in the last round another's card is owed": (THREE, LAST | {"takers": (1, 2)}, 1, (), {"takers": (2,)}),
    "and the turns begin after the last": (THREE, LAST | {"takers": (2,)}, 2, (0,), {"turn": 0}),
}  # fmt: skip


@pytest.mark.parametrize(("drawing", "fields", "seat", "turns", "left"), RESIGNED.values(), ids=RESIGNED)
def test_of_three_the_others_play_on(
    drawing: str, fields: dict[str, Any], seat: int, turns: tuple[int, ...], left: dict[str, Any]
) -> None:
    before = position(drawing, seats=3, **fields)
    after = resigned(before, seat)
    assert after.events == (ev.SeatWithdrawn(seat), *map(ev.TurnStarted, turns))
    assert {name: getattr(after.state, name) for name in left} == left
    assert GAME.result(after.state) is None
    gone = after.state.players[seat]
    assert (gone.pawns, gone.hand) == ((), before.players[seat].hand)
    assert resign(after.state, seat) == (), "a seat can leave only once"


def test_the_last_seat_left_wins() -> None:
    after = resigned(opened().state, 1)
    assert after.events == (ev.SeatWithdrawn(1),)
    assert GAME.result(after.state) == Result("won", "resigned", (0,))
    assert [GAME.legal_commands(after.state, seat) for seat in (0, 1)] == [(), ()]
    three = resigned(resigned(position(THREE, seats=3), 2).state, 0)
    assert GAME.result(three.state) == Result("won", "resigned", (1,))


@pytest.mark.parametrize(("seat", "token"), [(3, 2), (0, 3)])
def test_the_token_passes_absent_seats_by(seat: int, token: int) -> None:
    state = position(f"{THREE}\nhand_3: 3H", seats=4, token=0)
    assert all_pass(resigned(state, seat).state).state.token == token


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


def test_a_start_card_that_is_owed_falls_to_the_next_seat_clockwise() -> None:
    state = opened(3).state
    after = resigned(state, state.token)
    follower = (state.token + 1) % 3
    assert after.state.takers == (follower,)
    taken = say(after.state, GAME.legal_commands(after.state, follower)[0])
    assert taken.state.turn == follower


def test_an_absent_seat_wins_nothing_however_many_points_it_had() -> None:
    state = position("hand_0: 2S\nhand_1: 3S\nhand_2: 2H\ngrid_0: reindeer 1,3", seats=3, final=True)
    ended = all_pass(resigned(state, 0).state)
    assert ended.events[-1] == ev.Scored((-30, -122, -122), (1, 2))


def test_the_token_is_told_of_whoever_takes_the_start_card_when_its_holder_has_resigned_before() -> None:
    state = opened(3).state
    after = resigned(state, state.token).state
    (taker,) = GAME.look(after, None).to_act
    assert GAME.look(after, None).facts.token == taker != state.token
