"""Captures and wins, case by case: X is on turn unless it is said otherwise."""

from domain.game_type import Result
from domain.games.megiddo import MEGIDDO
from domain.games.megiddo.events import LineCompleted

from .positions import After, drawn, place, position


def line(after: After) -> tuple[str, str, str]:
    """The one line completed: its shape, its first and its last point."""
    (completed,) = (event for event in after.events if isinstance(event, LineCompleted))
    return completed.shape, completed.points[0], completed.points[-1]


def test_two_stones_along_a_ring_are_captured() -> None:
    after = place(position("3: XOO..."), "3.3")
    assert after.waves() == ["3.1 3.2"]
    assert drawn(after.state) == {3: "XXXX.."}
    assert after.state.captured == (2, 0)


def test_two_stones_along_a_spiral_are_captured() -> None:
    state = position("""
        1: X.....
        2: .O....
        3: ..O...
    """)
    after = place(state, "4.3")
    assert after.waves() == ["2.1 3.2"]
    assert drawn(after.state) == {1: "X.....", 2: ".X....", 3: "..X...", 4: "...X.."}


def test_a_single_stone_is_not_captured() -> None:
    after = place(position("3: XO...."), "3.2")
    assert after.kinds() == ["StonePlaced"]
    assert drawn(after.state) == {3: "XOX..."}


def test_three_stones_are_not_captured() -> None:
    after = place(position("3: XOOO.."), "3.4")
    assert after.kinds() == ["StonePlaced"]
    assert drawn(after.state) == {3: "XOOOX."}


def test_a_stone_placed_into_a_bracket_is_safe() -> None:
    after = place(position("3: X.OX..", turn=1), "3.1")
    assert after.kinds() == ["StonePlaced"]
    assert drawn(after.state) == {3: "XOOX.."}


def test_captured_stones_capture_in_their_turn_wave_by_wave() -> None:
    state = position("""
        3: XOO...
        4: .O....
        5: .O....
        6: .X....
    """)
    after = place(state, "3.3")
    assert after.kinds() == ["StonePlaced", "StonesCaptured", "StonesCaptured"]
    assert after.waves() == ["3.1 3.2", "4.1 5.1"]
    assert drawn(after.state) == {3: "XXXX..", 4: ".X....", 5: ".X....", 6: ".X...."}
    assert after.state.captured == (4, 0)


def test_captures_both_ways_round_a_ring_complete_it() -> None:
    after = place(position("2: .OOXOO"), "2.0")
    assert after.waves() == ["2.1 2.2 2.4 2.5"]
    assert after.state.captured == (4, 0)
    assert line(after) == ("ring", "point_2_0", "point_2_5")
    assert MEGIDDO.result(after.state) == Result("won", "megiddo", (0,), (10, 0))


def test_six_stones_on_a_spiral_are_a_megiddo() -> None:
    state = position("""
        1: X.....
        2: .X....
        3: ..X...
        4: ...X..
        5: ....X.
    """)
    after = place(state, "6.5")
    assert after.kinds() == ["StonePlaced", "LineCompleted", "GameScored"]
    assert line(after) == ("spiral", "point_1_0", "point_6_5")
    assert MEGIDDO.result(after.state) == Result("won", "megiddo", (0,), (6, 0))


def test_six_stones_on_a_spoke_are_a_megiddo() -> None:
    after = place(position("\n".join(f"{ring}: X....." for ring in range(1, 6))), "6.0")
    assert line(after) == ("spoke", "point_1_0", "point_6_0")
    assert MEGIDDO.result(after.state) == Result("won", "megiddo", (0,), (6, 0))


def test_six_stones_on_a_spiral_the_other_way_round_are_a_megiddo() -> None:
    state = position("""
        1: .....X
        2: ....X.
        3: ...X..
        4: ..X...
        6: X.....
    """)
    after = place(state, "5.1")
    assert line(after) == ("spiral", "point_1_5", "point_6_0")
    assert MEGIDDO.result(after.state) == Result("won", "megiddo", (0,), (6, 0))


def test_two_stones_along_a_spoke_are_captured() -> None:
    state = position("""
        4: O.....
        5: O.....
        6: X.....
    """)
    after = place(state, "3.0")
    assert after.waves() == ["4.0 5.0"]
    assert after.state.captured == (2, 0)


def test_no_line_runs_through_the_centre() -> None:
    state = position("""
        1: O..X..
        2: O.....
    """)
    assert place(state, "3.0").kinds() == ["StonePlaced"]


def test_six_stones_captured_in_several_turns_are_an_arbatta() -> None:
    state = position("""
        2: XOO...
        4: XOO...
        6: XOO...
    """)
    for number, point in enumerate(["2.3", "4.3"], 1):
        state = place(place(state, point).state, f"5.{2 * number}").state
        assert (state.captured, MEGIDDO.result(state)) == ((2 * number, 0), None)
    after = place(state, "6.3")
    assert after.kinds() == ["StonePlaced", "StonesCaptured", "GameScored"]
    assert MEGIDDO.result(after.state) == Result("won", "arbatta", (0,), (6, 0))


def test_a_spoke_captures_outwards_as_well() -> None:
    state = position("""
        1: ...X..
        2: ...O..
        3: ...O..
    """)
    assert place(state, "4.3").waves() == ["2.3 3.3"]
