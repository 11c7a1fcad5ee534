"""What is seen and heard: the same by everybody."""

import pytest
from msgspec.structs import replace

from domain.games.megiddo import MEGIDDO
from domain.games.megiddo.state import BOARDS, Options
from domain.view import ALL_SEEING

from .positions import After, move, place, position

STATE = position("1: X....O\n3: .XO...", captured=(2, 0))


def zones(state):
    return {zone.id: zone for zone in MEGIDDO.look(state, None).zones}


def told(state, after: After) -> list[str]:
    sentences = []
    for event in after.events:
        sentences.append(MEGIDDO.tell(state, event, None))
        state = MEGIDDO.evolve(state, event)
    return sentences


def test_everybody_sees_the_whole_table() -> None:
    views = [MEGIDDO.look(STATE, viewer) for viewer in (0, 1, None, ALL_SEEING)]
    assert all(view == views[0] for view in views)


@pytest.mark.parametrize("variant", BOARDS)
def test_every_point_is_a_zone_and_no_two_zones_lie_on_one_another(variant: str) -> None:
    seen = list(zones(MEGIDDO.initial(Options(variant=variant), 2)).values())
    assert [zone.id for zone in seen] == [*BOARDS[variant].zones, "stones_0", "stones_1"]
    for number, zone in enumerate(seen):
        assert zone.x >= 0 <= zone.y
        assert all(abs(zone.x - other.x) >= 1 or abs(zone.y - other.y) >= 1 for other in seen[number + 1 :])


def test_a_point_holds_one_stone_black_for_seat_0_and_red_for_seat_1() -> None:
    seen = zones(STATE)
    assert [seen[f"point_3_{spoke}"].cards for spoke in range(3)] == [(), ("AS",), ("AH",)]
    assert MEGIDDO.look(STATE, None).facts.marks == ("AS", "AH")


def test_stones_come_from_the_bowls_and_captured_ones_go_back_to_them() -> None:
    assert [len(zones(STATE)[f"stones_{seat}"].cards) for seat in (0, 1)] == [34, 34]
    after = place(position("3: XOO..."), "3.3").state
    assert [len(zones(after)[f"stones_{seat}"].cards) for seat in (0, 1)] == [32, 36]


def test_the_facts_show_the_board_as_text_and_what_was_counted() -> None:
    facts = MEGIDDO.look(STATE, None).facts
    assert facts.rings == ("0....1", "......", ".01...", "......", "......", "......")
    assert (facts.captured, facts.arbatta, facts.game, facts.scores, facts.match_points) == ((2, 0), 6, 1, (0, 0), 0)


def test_the_seat_on_turn_is_to_act_and_nobody_when_it_is_over() -> None:
    assert MEGIDDO.look(STATE, None).to_act == (0,)
    over = MEGIDDO.look(place(position("2: XXXXX."), "2.5").state, None)
    assert (over.to_act, over.phase) == ((), "finished")


def test_stones_captures_lines_and_points_are_told() -> None:
    state = position("2: .OOXXX", captured=(1, 1))
    assert told(state, place(state, "2.0")) == [
        "Player 1 places a stone on ring 2 spoke 1.",
        "Player 1 captures 2 stones: ring 2 spoke 2, ring 2 spoke 3.",
        "Player 1 completes ring 2.",
        "A megiddo: Player 1 wins the game; Player 1 scores 9 points, Player 2 scores 1 point.",
    ]


def test_spokes_and_spirals_are_told_by_where_they_run() -> None:
    spoke = position("\n".join(f"{ring}: .X...." for ring in range(1, 6)))
    assert told(spoke, place(spoke, "6.1"))[1] == "Player 1 completes spoke 2."
    spiral = position("\n".join(f"{ring}: {'.' * (ring - 1)}X{'.' * (6 - ring)}" for ring in range(1, 6)))
    said = "Player 1 completes the spiral from ring 1 spoke 1 to ring 6 spoke 6."
    assert told(spiral, place(spiral, "6.5"))[1] == said


def test_a_drawn_game_of_a_match_and_the_next_one_are_told() -> None:
    state = replace(position("1: X..O..", move_instead_of_place=True, match_points=36), idle=35)
    assert told(state, move(state, "1.0", "2.0")) == [
        "Player 1 moves a stone from ring 1 spoke 1 to ring 2 spoke 1.",
        "Too many moves in a row brought nothing: the game is drawn; "
        "Player 1 scores 0 points, Player 2 scores 0 points.",
        "Player 2 begins game 2.",
    ]
