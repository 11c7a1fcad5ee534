"""Every option: who begins, moves, Cleopatra, matches, the nine by nine board."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.megiddo import MEGIDDO
from domain.games.megiddo.events import GameScored, GameStarted
from domain.games.megiddo.state import BOARDS, Options, bag

from .positions import drawn, move, place, position

SEEDS = [bytes([number]) * 32 for number in range(40)]
BAG = bag(BOARDS["megiddo"])


def first(seed: bytes, **options) -> int:
    (started,) = MEGIDDO.deal(Options(**options), Chance(seed), 2)
    return started.seat


def test_the_seat_that_begins_is_drawn() -> None:
    drawn = [first(seed) for seed in SEEDS]
    assert 10 <= sum(drawn) <= 30
    assert MEGIDDO.deal(Options(), Chance(SEEDS[0]), 2) == MEGIDDO.deal(Options(), Chance(SEEDS[0]), 2)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_seat_can_be_named(seat: int) -> None:
    assert {first(seed, first_seat=f"seat_{seat}") for seed in SEEDS} == {seat}


@pytest.mark.parametrize("seat", [0, 1])
def test_of_a_given_deal_the_first_stone_tells_who_begins(seat: int) -> None:
    given = BAG if seat == 0 else BAG[::-1]
    assert MEGIDDO.deal(Options(), Chance(SEEDS[0], given=given), 2) == (GameStarted(seat),)


def test_a_given_deal_must_be_the_whole_bag_of_stones() -> None:
    for wrong in (BAG[1:], (*BAG, "AS"), ("KD", *BAG[1:])):
        with pytest.raises(Illegal) as refusal:
            MEGIDDO.deal(Options(), Chance(SEEDS[0], given=wrong), 2)
        assert refusal.value.rule == "given_deal"


def test_unknown_options_and_options_out_of_bounds_cannot_be_read() -> None:
    for wrong in ({"variant": "megi_7"}, {"match_points": -1}, {"match_points": 361}, {"stock": 20}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Options)


def test_a_moved_stone_captures_and_leaves_its_point_empty() -> None:
    after = move(position("1: ...X..\n3: XOO...", move_instead_of_place=True), "1.3", "3.3")
    assert after.kinds() == ["StoneMoved", "StonesCaptured"]
    assert drawn(after.state) == {3: "XXXX.."}
    assert after.state.turn == 1


def test_a_moved_stone_does_not_close_a_bracket_with_the_point_it_left() -> None:
    after = move(position("3: XOO...", move_instead_of_place=True), "3.0", "3.3")
    assert after.kinds() == ["StoneMoved"]
    assert drawn(after.state) == {3: ".OOX.."}


def test_a_moved_stone_completes_a_line() -> None:
    after = move(position("1: X.....\n2: XXXXX.", move_instead_of_place=True), "1.0", "2.5")
    assert MEGIDDO.result(after.state) == Result("won", "megiddo", (0,), (6, 0))


def test_as_many_moves_in_a_row_as_there_are_points_without_a_capture_draw_the_game() -> None:
    state = replace(position("1: X..O..", move_instead_of_place=True), idle=34)
    state = move(state, "1.0", "2.0").state
    assert (state.idle, MEGIDDO.result(state)) == (35, None)
    assert place(state, "6.5").state.idle == 0
    after = move(state, "1.3", "2.3")
    assert MEGIDDO.result(after.state) == Result("drawn", "no_progress", (), (0, 0))


def test_a_capture_is_progress() -> None:
    state = replace(position("1: ...X..\n3: XOO...", move_instead_of_place=True), idle=35)
    after = move(state, "1.3", "3.3").state
    assert (after.idle, MEGIDDO.result(after)) == (0, None)


def test_with_cleopatra_a_stone_beside_an_own_one_captures_the_two_around_them() -> None:
    drawing = "3: OX.O.."
    assert place(position(drawing), "3.2").kinds() == ["StonePlaced"]
    after = place(position(drawing, cleopatra=True), "3.2")
    assert after.waves() == ["3.0 3.3"]
    assert drawn(after.state) == {3: "XXXX.."}


@pytest.mark.parametrize("drawing", ["3: O.O...", "3: OX....", "3: OXX.O.", "3: .X.O.."])
def test_cleopatra_needs_two_own_stones_between_two_of_the_opponent_s(drawing: str) -> None:
    point = f"3.{drawing.index('.', 3) - 3}"
    assert place(position(drawing, cleopatra=True), point).kinds() == ["StonePlaced"]


def test_with_cleopatra_the_usual_captures_go_on_and_chains_use_both() -> None:
    assert place(position("3: XOO...", cleopatra=True), "3.3").waves() == ["3.1 3.2"]
    state = position(
        """
        2: .O....
        3: XOO...
        4: .X....
        5: .O....
        """,
        cleopatra=True,
    )
    assert place(state, "3.3").waves() == ["3.1 3.2", "2.1 5.1"]


def test_a_match_goes_on_with_an_empty_board_and_the_loser_begins() -> None:
    after = place(position("2: XXXXX.", captured=(2, 4), match_points=36), "2.5")
    assert after.events[-2:] == (GameScored("megiddo", 0, (8, 4)), GameStarted(1, 2))
    assert (drawn(after.state), after.state.captured, after.state.scores) == ({}, (0, 0), (8, 4))
    assert (after.state.turn, MEGIDDO.result(after.state)) == (1, None)
    assert len(MEGIDDO.legal_commands(after.state, 1)) == 36


@pytest.mark.parametrize("began", [0, 1])
def test_after_a_drawn_game_of_a_match_the_seat_that_did_not_begin_it_begins(began: int) -> None:
    state = replace(position("1: X..O..", move_instead_of_place=True, match_points=9), idle=35, first=began)
    assert move(state, "1.0", "2.0").events[-1] == GameStarted(1 - began, 2)


def test_a_match_is_won_with_its_points() -> None:
    state = replace(position("2: XXXXX.", captured=(2, 4), match_points=36), scores=(28, 30), number=5)
    after = place(state, "2.5")
    assert after.kinds()[-1] == "GameScored"
    assert MEGIDDO.result(after.state) == Result("won", "match_points", (0,), (36, 34))


def test_a_match_can_be_won_by_the_loser_of_its_last_game() -> None:
    state = replace(position("2: XXXXX.", captured=(0, 4), match_points=36), scores=(12, 35))
    assert MEGIDDO.result(place(state, "2.5").state) == Result("won", "match_points", (1,), (18, 39))


def test_equal_points_play_on() -> None:
    state = replace(position("2: XXXXX.", captured=(0, 4), match_points=36), scores=(30, 32))
    after = place(state, "2.5")
    assert (after.state.scores, MEGIDDO.result(after.state)) == ((36, 36), None)
    assert after.events[-1] == GameStarted(1, 2)
