"""Every card of a drawing lies at the same place in Python and in the scripts of the pages, number for number."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.board import HEIGHT, Board, complete_board, seat_board
from domain.games import GAME_TYPES
from domain.play.aggregate import fold
from domain.play.frames import Frame
from domain.view import Viewer
from service.pictures.placing import place_cards
from tests.domain.golden_games import records
from tests.service.pictures.golden_views import GOLDEN, golden_frames, sent

from .client import ask_modules

KINDS = ("wide", "tall")
DRAWINGS = """({ seatBoard, completeBoard, placeCards }, cases) =>
    cases.map(([board, seat, seats, lists]) => lists.map((zones) => {
        const complete = completeBoard(seatBoard(board, seat, seats), zones);
        return [complete.width, complete.height, placeCards(complete, zones)];
    }))"""


def placed(boards: str) -> list[Any]:
    """The drawings that the scripts make of lists of zones on these boards: board, who looks, seats, lists."""
    drawings: list[Any] = ask_modules(DRAWINGS, boards)
    return drawings


def case_text(board: Board, viewer: Viewer, seats: int, frames: tuple[Frame, ...]) -> str:
    """A case for the scripts: the board as pages have it, the viewer, and the zones as they go over the wire."""
    lists = ",".join(sent(frame).decode() for frame in frames)
    return f"[{msgspec.json.encode(board).decode()},{json.dumps(viewer)},{seats},[{lists}]]"


def drawn_here(board: Board, viewer: Viewer, seats: int, frames: tuple[Frame, ...]) -> Iterator[Any]:
    for frame in frames:
        assert frame.view is not None
        complete = complete_board(seat_board(board, viewer, seats), frame.view.zones)
        cards = json.loads(msgspec.json.encode(place_cards(complete, frame.view.zones)))
        yield [complete.width, complete.height, cards]


@pytest.mark.parametrize("key", GAME_TYPES)
def test_both_sides_place_every_frame_of_the_golden_games_alike(key: str) -> None:
    """Each frame on one board: those of even steps on the wide one, the others on the tall one."""
    cases = []
    for name, (of, path) in GOLDEN.items():
        if of == key:
            game = fold(records(key, path))
            boards = game.type.boards(game.options, len(game.players))
            cases += [
                (getattr(boards, kind), 0, len(game.players), golden_frames(name)[first::2])
                for first, kind in enumerate(KINDS)
            ]
    there = placed(f"[{','.join(case_text(*case) for case in cases)}]")
    for case, drawings in zip(cases, there, strict=True):
        for step, (here, drawn) in enumerate(zip(drawn_here(*case), drawings, strict=True)):
            assert drawn == here, step


def of_klondike() -> tuple[Board, tuple[Frame, ...]]:
    """The tall board, and some frames."""
    game = fold(records(*GOLDEN["klondike/draw_one_won"]))
    return game.type.boards(game.options, 1).tall, golden_frames("klondike/draw_one_won")[:5]


def require_alike(board: Board, viewer: Viewer, seats: int, frames: tuple[Frame, ...]) -> list[Any]:
    """The drawings, which are the same on both sides."""
    [drawings] = placed(f"[{case_text(board, viewer, seats, frames)}]")
    assert drawings == list(drawn_here(board, viewer, seats, frames))
    return list(drawings)


@pytest.mark.parametrize("viewer", [None, 1])
def test_both_sides_turn_the_table_to_who_looks(viewer: Viewer) -> None:
    game = fold(records(*GOLDEN["spite_and_malice/snm_a_won"]))
    require_alike(game.type.boards(game.options, 2).wide, viewer, 2, golden_frames("spite_and_malice/snm_a_won")[:9])


def test_zones_that_a_board_does_not_name_lie_below_the_rest_on_both_sides() -> None:
    board, frames = of_klondike()
    drawings = require_alike(replace(board, places=board.places[:2]), 0, 1, frames)
    named = {place.zone for place in board.places[:2]}
    assert min(card["y"] for card in drawings[0][2] if card["zone"] not in named) > board.height * HEIGHT


def test_cards_without_room_keep_the_least_step_on_both_sides() -> None:
    board, frames = of_klondike()
    require_alike(replace(board, places=tuple(replace(place, room=1.0) for place in board.places)), 0, 1, frames)
