"""Law: at every step of every golden game everything lies on its boards, nothing on top of anything but where meant."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import pytest

from domain.board import (
    HEIGHT,
    WIDTH,
    Area,
    Board,
    Figure,
    Seating,
    complete_board,
    place_area,
    seat_board,
    turn_offset,
)
from domain.games import GAME_TYPES
from domain.play.aggregate import Game, fold
from service.pictures.placing import PlacedCard, place_cards
from tests.domain.golden_games import records

from .golden_views import GOLDEN, golden_frames

PHONE = 390
"""Pixels across."""
KINDS = ("wide", "tall")
MEANT = {
    "pyramid": lambda one, other: one.startswith("pyramid") and other.startswith("pyramid"),
    "the_clock": lambda one, other: {one[:4], other[:4]} <= {"show", "pile", "Figu"},
    "megiddo": lambda one, other: one.startswith("point") and other.startswith("point"),
    "bridge_solitaire": lambda one, other: (
        bool({one, other} & {"offered", "hidden_seven"}) and bool({one[:6], other[:6]} & {"trick", "last_t", "Figure"})
    ),
}
"""Zones that may share room: rows of a pyramid, turned piles of a clock and its hours, round stones, zones in turn."""
boards_of_games = pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in GOLDEN for kind in KINDS])


@cache
def played(name: str) -> Game:
    key, path = GOLDEN[name]
    return fold(records(key, path))


@cache
def board(name: str, kind: str) -> Board:
    """As seat 0 sees it."""
    game = played(name)
    found: Board = getattr(game.type.boards(game.options, len(game.players)), kind)
    return seat_board(found, 0, len(game.players))


@boards_of_games
def test_every_zone_has_one_place_on_the_board_and_none_shares_room(name: str, kind: str) -> None:
    for frame in golden_frames(name)[:1]:
        assert frame.view is not None
        assert sorted(place.zone for place in board(name, kind).places) == sorted(zone.id for zone in frame.view.zones)
    assert complete_board(board(name, kind), frame.view.zones) == board(name, kind)
    for what, area in areas(board(name, kind)):
        assert on_board(board(name, kind), area), what
    meant = MEANT.get(GOLDEN[name][0], lambda one, other: False)
    shared = [
        (one, other) for (one, area), (other, beside) in combinations(areas(board(name, kind)), 2)
        if overlap(area, beside) and not meant(one, other)
    ]  # fmt: skip
    assert shared == []


@boards_of_games
def test_every_card_of_every_step_lies_on_the_board_and_in_the_room_of_its_place(name: str, kind: str) -> None:
    drawn = board(name, kind)
    rooms = {place.zone: place_area(place) for place in drawn.places}
    for frame in golden_frames(name):
        assert frame.view is not None
        for card in place_cards(drawn, frame.view.zones):
            corners = list(_corners(card))
            (left, right), (top, bottom) = ((min(ends), max(ends)) for ends in zip(*corners, strict=True))
            area = Area(left, top, right, bottom)
            assert on_board(drawn, area), (frame.step, card)
            assert inside(area, rooms[card.zone]), (frame.step, card)


@pytest.mark.parametrize("name", [name for name, (key, _) in GOLDEN.items() if GAME_TYPES[key].seats == range(1, 2)])
def test_cards_of_seven_and_eight_columns_are_large_enough_for_a_finger(name: str) -> None:
    drawn = board(name, "tall")
    if sum(place.spread == "down" and place.zone.startswith("tableau") for place in drawn.places) <= 8:
        assert PHONE / drawn.width >= 44


@pytest.mark.parametrize("name", GOLDEN)
def test_boards_have_the_form_of_their_windows(name: str) -> None:
    wide, tall = (drawn.width * WIDTH / (drawn.height * HEIGHT) for drawn in (board(name, kind) for kind in KINDS))
    assert 1 < wide < 2.4
    assert 0.45 < tall < 1.25


def areas(drawn: Board) -> list[tuple[str, Area]]:
    """The rooms of places, and plates and figures."""
    flat = [(str(one), flat_area(one)) for one in (*drawn.seats, *drawn.figures)]
    return [*((place.zone, place_area(place)) for place in drawn.places), *flat]


def flat_area(one: Seating | Figure) -> Area:
    x, y = one.x * WIDTH, one.y * HEIGHT
    return Area(x, y, x + one.width * WIDTH, y + one.height * HEIGHT)


def _corners(card: PlacedCard) -> Iterator[tuple[float, float]]:
    wide, high = WIDTH * card.scale / 2, HEIGHT * card.scale / 2
    for across, down in ((-wide, -high), (wide, -high), (wide, high), (-wide, high)):
        x, y = turn_offset(card.turn, across, down)
        yield card.x + wide + x, card.y + high + y


def on_board(drawn: Board, area: Area) -> bool:
    return inside(area, Area(0, 0, drawn.width * WIDTH, drawn.height * HEIGHT))


def inside(one: Area, other: Area) -> bool:
    near = 0.2
    return (
        one.left >= other.left - near and one.top >= other.top - near
        and one.right <= other.right + near and one.bottom <= other.bottom + near
    )  # fmt: skip


def overlap(one: Area, other: Area) -> bool:
    beside = one.right <= other.left + 0.2 or other.right <= one.left + 0.2
    return not (beside or one.bottom <= other.top + 0.2 or other.bottom <= one.top + 0.2)
