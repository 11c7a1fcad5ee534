"""How a game ends, and what it is worth."""

from msgspec.structs import replace

from domain.game_type import Result
from domain.games.megiddo import MEGIDDO

from .positions import drawn, place, position


def test_a_full_board_without_a_line_is_a_patara() -> None:
    state = position(
        """
        1: XXOOXO
        2: OXXOXO
        3: OXOXOO
        4: OOOXOO
        5: XXOXOO
        6: XOOOX.
        """,
        captured=(4, 2),
    )
    after = place(state, "6.5")
    assert after.kinds() == ["StonePlaced", "GameScored"]
    assert MEGIDDO.result(after.state) == Result("drawn", "patara", (), (4, 2))


def test_a_line_made_with_the_last_stone_of_the_board_wins() -> None:
    state = position("""
        1: XOOOOX
        2: XXOXOX
        3: XXXXOO
        4: OXOXOO
        5: OXXXXO
        6: OOOOX.
    """)
    assert MEGIDDO.result(place(state, "6.5").state) == Result("won", "megiddo", (0,), (6, 0))


def test_six_captured_stones_win_on_a_full_board_and_fewer_do_not() -> None:
    drawing = """
        1: XXOXOO
        2: XOXXXX
        3: XXOXOX
        4: OOXXOX
        5: XXXOOX
        6: OXXOO.
    """
    enough, few = (place(position(drawing, captured=(before, 0)), "6.5").state for before in (4, 2))
    assert MEGIDDO.result(enough) == Result("won", "arbatta", (0,), (6, 0))
    assert MEGIDDO.result(few) == Result("drawn", "patara", (), (4, 0))


def test_captured_stones_may_complete_a_line() -> None:
    after = place(position("2: .OOXXX"), "2.0")
    assert after.kinds() == ["StonePlaced", "StonesCaptured", "LineCompleted", "GameScored"]
    assert MEGIDDO.result(after.state) == Result("won", "megiddo", (0,), (8, 0))


def test_a_line_comes_before_six_captured_stones() -> None:
    after = place(position("2: .OOXOO", captured=(2, 0)), "2.0")
    assert after.state.captured == (6, 0)
    assert MEGIDDO.result(after.state) == Result("won", "megiddo", (0,), (12, 0))


def test_every_further_line_completed_at_once_counts_twelve() -> None:
    state = position("""
        1: .XXXXX
        2: X.....
        3: X.....
        4: X.....
        5: X.....
        6: X.....
    """)
    after = place(state, "1.0")
    assert after.kinds() == ["StonePlaced", "LineCompleted", "LineCompleted", "GameScored"]
    assert MEGIDDO.result(after.state) == Result("won", "megiddo", (0,), (18, 0))


def test_the_loser_keeps_the_points_of_his_captures() -> None:
    after = place(position("2: OOOOO.", turn=1, captured=(4, 2)), "2.5")
    assert MEGIDDO.result(after.state) == Result("won", "megiddo", (1,), (4, 8))


def test_the_opponent_s_captures_do_not_win_on_ones_own_turn() -> None:
    state = replace(position(captured=(4, 4)), turn=0)
    assert MEGIDDO.result(place(state, "1.0").state) is None


def test_stones_captured_back_count_for_the_other_side_and_nothing_is_taken_off() -> None:
    state = position("""
        3: XOO..O
    """)
    ours = place(state, "3.3").state
    assert (drawn(ours), ours.captured) == ({3: "XXXX.O"}, (2, 0))
    theirs = place(replace(position("3: OXX...", turn=1), captured=ours.captured), "3.3").state
    assert theirs.captured == (2, 2)


def test_five_of_six_are_no_line() -> None:
    assert place(position("2: XXXX.."), "2.4").kinds() == ["StonePlaced"]
