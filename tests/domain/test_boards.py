"""Boards as values: whose zones they name, what they do not name, and boards of game types that have none."""

from dataclasses import replace

import msgspec
import pytest

from domain.board import Board, Place, Seating, complete_board, derive_boards, place_area, seat_board
from domain.capabilities import Layout
from domain.games import GAME_TYPES
from domain.view import ALL_SEEING, Viewer, Zone

PLACES = (Place("hand_@0", 0, 0), Place("hand_@1_2", 1, 0), Place("draw", 2, 0))
BOARD = Board(3, 3, PLACES, (Seating("@1", 0, 2, 1, 1),))


@pytest.mark.parametrize(("viewer", "own", "next_one"), [(0, 0, 1), (2, 2, 0), (None, 0, 1), (ALL_SEEING, 0, 1)])
def test_a_board_is_turned_to_who_looks(viewer: Viewer, own: int, next_one: int) -> None:
    seated = seat_board(BOARD, viewer, 3)
    assert [place.zone for place in seated.places] == [f"hand_{own}", f"hand_{next_one}_2", "draw"]
    assert [plate.seat for plate in seated.seats] == [str(next_one)]


def test_zones_that_a_board_does_not_name_lie_in_a_row_below_the_rest() -> None:
    zones = tuple(Zone(name, name, "pile", 0, 0) for name in ("draw", "lost", "found"))
    whole = complete_board(BOARD, zones)
    assert [place.zone for place in whole.places[3:]] == ["lost", "found"]
    assert all(place.y > BOARD.height for place in whole.places[3:])
    assert whole.height > max(place.y for place in whole.places) + 1
    assert complete_board(BOARD, zones[:1]) is BOARD


@pytest.mark.parametrize("key", GAME_TYPES)
def test_a_game_type_without_a_layout_draws_itself(key: str) -> None:
    found = GAME_TYPES[key]
    assert found.has(Layout)
    plain = replace(found, capabilities=tuple(one for one in found.capabilities if not isinstance(one, Layout)))
    view = found.look(found.initial(found.options(), found.seats[0]), None)
    boards = plain.boards(found.options(), found.seats[0])
    for board in (boards.wide, boards.tall):
        assert sorted(place.zone for place in board.places) == sorted(zone.id for zone in view.zones)
        for place in board.places:
            area = place_area(place)
            assert min(area.left, area.top) >= 0
            assert area.right <= board.width * 100 + 0.2
            assert area.bottom <= board.height * 140 + 0.2


def test_a_derived_board_for_a_phone_breaks_rows_that_are_too_wide() -> None:
    row = tuple(Zone(f"z{at}", "Z", "pile", 1.25 * at, 0) for at in range(12))
    boards = derive_boards(row)
    assert boards.wide.width > 14
    assert boards.tall.width <= 8.8
    assert len({place.y for place in boards.tall.places}) == 2


@pytest.mark.parametrize("key", GAME_TYPES)
def test_boards_are_data(key: str) -> None:
    found = GAME_TYPES[key]
    for seats in found.seat_counts:
        boards = found.boards(found.options(), seats)
        assert msgspec.json.decode(msgspec.json.encode(boards), type=type(boards)) == boards
