"""The boards as data: points, lines and what wins."""

import itertools
from collections import Counter

from domain.games.megiddo.view import MATERIAL

BOARDS = {board.id: board for board in MATERIAL.boards}


def test_the_boards_have_their_points_and_lines() -> None:
    for name, size in (("megiddo", 6), ("megi_9", 9)):
        board = BOARDS[name]  # type: ignore[index]
        points = {point.id: (point.ring, point.spoke) for point in board.points}
        assert (board.rings, board.spokes, board.arbatta, len(points)) == (size, size, size, size * size)
        assert Counter(line.shape for line in board.lines) == {"ring": size, "spoke": size, "spiral": 2 * size}
        for line in board.lines:
            places = [points[point] for point in line.points]
            steps = {
                (after[0] - before[0], (after[1] - before[1]) % size) for before, after in itertools.pairwise(places)
            }
            kind = {"ring": {(0, 1)}, "spoke": {(1, 0)}}.get(line.shape, steps & {(1, 1), (1, size - 1)})
            assert (len(places), steps) == (size, kind)


def test_stones_and_points_are_those_of_the_original() -> None:
    assert [(stone.id, stone.name, stone.seat) for stone in MATERIAL.stones] == [
        ("AS", "a black stone", 0),
        ("AH", "a red stone", 1),
    ]
    assert (MATERIAL.points.line, MATERIAL.points.further_line, MATERIAL.points.captured_stone) == (6, 12, 1)
