"""The worked cases of Decs Building, one test each, named after what it shows."""

from typing import Any

import pytest

from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building import events as ev
from domain.games.decs_building.events import Pass, Place
from domain.games.decs_building.grid import conductors, find_powered, hand_size, score
from domain.games.decs_building.state import STACK, State

from .positions import all_pass, cards, cells, discard, drawing, opened, place, position, refused, say, start, take


def heights(state: State) -> list[int]:
    return [len(stack) for stack in state.stacks]


def tops(state: State) -> str:
    return " ".join(stack[-1] for stack in state.stacks[:4])


def started(state: State) -> list[list[str]]:
    """The starting deck of every seat, sorted: after the first draw part of it is in the hand."""
    return [sorted(player.hand + player.deck) for player in state.players]


def four(rank: str) -> list[str]:
    return sorted(rank + suit for suit in "SHDC")


def points(grid: str, **fields: Any) -> int:
    return score(position(f"grid_0: {grid}", **fields), 0)


def test_two_players_start_with_the_twos_and_the_threes() -> None:
    state = opened(2).state
    assert started(state) == [four("2"), four("3")]
    assert tops(state) == "4S 4H 4D 4C"
    assert heights(state) == [7, 7, 7, 7, 6, 4, 4, 4]


def test_four_players_start_with_two_sets_of_twos_and_two_of_threes() -> None:
    state = opened(4).state
    assert started(state) == [four("2"), four("2"), four("3"), four("3")]
    assert tops(state) == "4S 4H 4D 4C"
    assert heights(state) == [8, 8, 8, 8, 12, 8, 8, 8]


def test_three_players_start_with_two_sets_of_twos_and_the_threes() -> None:
    state = opened(3).state
    assert started(state) == [four("2"), four("2"), four("3")]
    assert tops(state) == "4S 4H 4D 4C"
    assert heights(state) == [7, 7, 7, 7, 8, 6, 6, 6]


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
    state = position("""
        hand_0: QS 4D *1
        stack_queens: QC QD QH
    """)
    after = say(state, take("comet", "QS 4D *1")).state
    assert after.stacks[STACK["stack_queens"]] == ("QC", "QD", "QH", "QS")
    assert after.players[0].played == ("4D", "*1")


def test_a_card_gained_lies_behind_its_payment_and_comes_up_in_that_order() -> None:
    state = position("""
        hand_0: 5H 7D JC
        deck_0: 2S
        stack_queens: QC QD QH QS
        stack_jacks: JD JH JS
    """)
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


def test_features_that_touch_a_source_score_and_empty_spaces_cost_two() -> None:
    assert points("small_star 7,2; big_star 2,3") == 16 - 2 * 55
    assert cells("big_star", "2,3") == ((2, 4), (3, 3), (3, 4), (3, 5), (4, 4))


def test_a_feature_without_power_scores_nothing_but_fills_its_spaces() -> None:
    assert cells("comet", "1,1") == ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5))
    assert points("comet 1,1") == -2 * 54


def test_candles_two_apart_in_a_line_count_each_other_and_diagonal_ones_do_not() -> None:
    assert points("candle 5,3; candle 5,5") == 4 + 4 - 118
    assert points("candle 5,3; candle 6,4") == 2 + 2 - 118


def test_a_powered_banner_is_a_power_cable_and_cables_may_be_attached_to_it() -> None:
    banner = drawing("banner_angels 6,1; small_star 6,2")
    assert banner[0].cells == ((6, 1), (6, 4), (7, 1), (7, 2), (7, 3), (7, 4))
    assert find_powered(banner) == [True, True]
    assert points("banner_angels 6,1; small_star 6,2") == 14 + 2 - 2 * 54
    state = position("""
        hand_0: 4S 5S
        grid_0: banner_angels 6,1
    """)
    assert say(state, take("add_power_cable", "4S", cells=((5, 1),))).state.players[0].features[-1].cells == ((5, 1),)
    assert conductors(drawing("banner_angels 1,1")) == conductors(())


def test_three_powered_santas_give_six_cards_and_take_eighteen_points() -> None:
    grid = "santa 6,1; santa 6,3; santa 6,7"
    assert hand_size(drawing(grid)) == 6
    assert points(grid) == -18 - 2 * (61 - 12)


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
    busy = position("""
        hand_0: QH 4D 5D
        pawns_0: santa candle reindeer banner_angels
        pawns_1: comet
        """)  # fmt: skip
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


def test_a_reindeer_over_the_source_is_powered_and_one_column_further_left_is_not() -> None:
    assert (4, 4) in cells("reindeer", "1,3")
    assert find_powered(drawing("reindeer 1,3")) == [True]
    assert points("reindeer 1,3") == 70 - 2 * 50
    assert [cell for cell in cells("reindeer", "1,2") if cell[0] == 4] == [(4, 3), (4, 6)]
    assert find_powered(drawing("reindeer 1,2")) == [False]


def test_three_stacks_empty_end_the_game_after_one_more_round_though_a_queen_comes_back() -> None:
    state = position(
        """
        stack_spades:
        stack_hearts: 9H
        stack_queens:
        hand_0: 4H 6D
        hand_1: QH 4D 5D
        """,
        round=9,
    )
    emptied = say(state, take("gain_card", "4H 6D", source="stack_hearts"))
    assert emptied.kinds() == ["Paid", "CardGained", "EndAnnounced", "TurnStarted"]
    returned = say(emptied.state, take("comet", "QH 4D 5D", cells=cells("comet", "1,1")))
    assert returned.state.stacks[STACK["stack_queens"]] == ("QH",)
    assert returned.kinds()[-5:] == ["Passed", "RoundEnded", "RoundStarted", "Drawn", "Drawn"]
    assert ev.RoundStarted(10, 1, final=True) in returned.events
    assert returned.state.takers == (1, 0)


@pytest.mark.parametrize(
    ("seats", "tens", "left"), [(2, True, 5), (2, False, 4), (3, True, 5), (4, True, 6)]
)  # fmt: skip
def test_the_short_game_has_no_eights_and_nines(seats: int, tens: bool, left: int) -> None:
    state = opened(seats, short=True, two_player_tens=tens).state
    assert heights(state)[:4] == [left] * 4
    assert tops(state) == "4S 4H 4D 4C"
    assert {card[0] for stack in state.stacks[:4] for card in stack} <= set("4567T" if seats == 2 and tens else "4567")


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


def test_the_untouched_grid_costs_two_points_for_each_of_its_spaces() -> None:
    assert score(opened().state, 0) == -122
    assert score(opened(short=True).state, 0) == -90


def test_all_who_pass_keep_their_hands_and_draw_only_what_is_missing() -> None:
    state = position("""
        hand_0: 5H 6H 7H 8H
        hand_1: 9S
        deck_1: 4C 5C 6C
    """)
    after = all_pass(state).state
    assert after.players[0].hand == cards("5H 6H 7H 8H")
    assert after.players[1].hand == cards("9S 4C 5C")
