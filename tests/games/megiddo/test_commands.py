"""What may be said, by whom, and the rule that a refusal names."""

import msgspec
import pytest

from domain.game_type import Illegal
from domain.games.megiddo import MEGIDDO
from domain.games.megiddo.events import Command, Move, Place

from .positions import move, place, position, zone

COMMANDS = msgspec.json.Decoder(Command)


def refused(state, command, seat=0) -> str:
    with pytest.raises(Illegal) as refusal:
        MEGIDDO.decide(state, seat, command)
    return refusal.value.rule


def test_a_stone_goes_on_a_vacant_point_only() -> None:
    state = position("3: XO....")
    assert [refused(state, Place(zone(point))) for point in ("3.0", "3.1")] == ["vacant_point", "vacant_point"]


def test_only_the_seat_on_turn_places_and_the_seats_take_turns() -> None:
    state = position()
    assert refused(state, Place(zone("1.0")), seat=1) == "not_your_turn"
    after = place(state, "1.0").state
    assert after.turn == 1
    assert place(after, "1.1").state.turn == 0


def test_the_board_has_no_seventh_ring_and_no_seventh_spoke() -> None:
    assert [refused(position(), Place(zone(point))) for point in ("7.0", "1.6")] == ["no_such_point", "no_such_point"]


def test_a_zone_that_is_no_point_of_any_board_cannot_be_read() -> None:
    for target in ("point_0_0", "point_1_9", "stones_0", "point_10_1", "point_1_1_"):
        with pytest.raises(msgspec.ValidationError):
            COMMANDS.decode(msgspec.json.encode({"type": "megiddo/place", "target": target}))


def test_before_the_start_nobody_can_place() -> None:
    state = MEGIDDO.initial(MEGIDDO.options(), 2)
    assert [MEGIDDO.legal_commands(state, seat) for seat in (0, 1)] == [(), ()]
    assert refused(state, Place(zone("1.0"))) == "not_your_turn"


def test_stones_stay_where_they_are() -> None:
    state = position("3: XO....")
    assert refused(state, Move(zone("3.0"), zone("1.0"))) == "stones_stay"
    assert all(isinstance(command, Place) for command in MEGIDDO.legal_commands(state, 0))


def test_every_vacant_point_is_listed_in_the_order_of_the_board() -> None:
    listed = MEGIDDO.legal_commands(position("1: XO....\n6: .....X"), 0)
    assert [command.target for command in listed[:5]] == [zone(point) for point in ("1.2", "1.3", "1.4", "1.5", "2.0")]
    assert (len(listed), listed[-1].target) == (33, zone("6.4"))
    assert MEGIDDO.legal_commands(position(), 1) == ()


def test_moving_is_of_own_stones_to_vacant_points_where_it_is_played() -> None:
    state = position("3: XO....", move_instead_of_place=True)
    refusals = {("3.1", "1.0"): "own_stone", ("2.0", "1.0"): "own_stone", ("3.0", "3.1"): "vacant_point"}
    refusals |= {("3.0", "3.0"): "vacant_point", ("7.0", "1.0"): "no_such_point", ("3.0", "1.7"): "no_such_point"}
    for (source, target), rule in refusals.items():
        assert refused(state, Move(zone(source), zone(target))) == rule
    assert move(state, "3.0", "6.5").kinds() == ["StoneMoved"]


def test_placements_and_the_moves_of_every_own_stone_are_listed() -> None:
    state = position("3: XO..X.", move_instead_of_place=True)
    listed = MEGIDDO.legal_commands(state, 0)
    assert [isinstance(command, Move) for command in listed] == [False] * 33 + [True] * 66
    assert {command.source for command in listed[33:]} == {zone("3.0"), zone("3.4")}


def test_a_finished_game_lists_nothing_and_refuses_everything() -> None:
    over = place(position("2: XXXXX."), "2.5").state
    assert [MEGIDDO.legal_commands(over, seat) for seat in (0, 1)] == [(), ()]
    assert [refused(over, Place(zone("1.0")), seat) for seat in (0, 1)] == ["game_over", "game_over"]
