"""The boards: points, lines, directions."""

from collections import Counter

from domain.games.megiddo.state import BOARDS

SIX, NINE = BOARDS["megiddo"], BOARDS["megi_9"]


def test_six_rings_and_six_spokes_make_36_points_and_24_lines_of_six() -> None:
    assert (len(SIX.zones), SIX.zones[0], SIX.zones[-1]) == (36, "point_1_0", "point_6_5")
    assert Counter(line.shape for line in SIX.lines) == {"ring": 6, "spoke": 6, "spiral": 12}
    assert len({frozenset(line.places) for line in SIX.lines}) == 24
    assert {len(set(line.places)) for line in SIX.lines} == {6}


def test_nine_rings_and_nine_spokes_make_81_points_and_36_lines_of_nine() -> None:
    assert (len(NINE.zones), NINE.zones[-1]) == (81, "point_9_8")
    assert Counter(line.shape for line in NINE.lines) == {"ring": 9, "spoke": 9, "spiral": 18}
    assert len({frozenset(line.places) for line in NINE.lines}) == 36
    assert {len(set(line.places)) for line in NINE.lines} == {9}


def test_every_point_lies_on_one_ring_one_spoke_and_two_spirals() -> None:
    for board in (SIX, NINE):
        through = Counter((place, line.shape) for line in board.lines for place in line.places)
        for place in range(len(board.zones)):
            assert [through[place, shape] for shape in ("ring", "spoke", "spiral")] == [1, 1, 2]


def test_three_rings_from_the_edge_there_are_brackets_in_every_direction_that_stays_on_the_board() -> None:
    assert [len(SIX.brackets[6 * ring]) for ring in range(6)] == [5] * 6
    assert [len(NINE.brackets[9 * ring]) for ring in range(9)] == [5, 5, 5, 8, 8, 8, 5, 5, 5]


def test_a_bracket_goes_round_the_ring_but_not_over_the_edge() -> None:
    along = [bracket for bracket in SIX.brackets[0] if max(bracket) < 6]
    assert sorted(along) == [(1, 2, 3), (5, 4, 3)]
    assert all(0 <= place < 36 for brackets in SIX.brackets for bracket in brackets for place in bracket)
