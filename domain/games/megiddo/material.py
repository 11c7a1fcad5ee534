"""Megiddo: the boards with their points and lines, the stones, and what wins, as data."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.megiddo.board import BOARDS, Board, Shape, Variant
from domain.games.megiddo.faces import FACES
from domain.games.megiddo.look import look
from domain.games.megiddo.options import Options
from domain.games.megiddo.scoring import CAPTURED, EXTRA_LINE, LINE
from domain.games.megiddo.state import initial
from domain.games.megiddo.stones import STONES
from domain.kit.material import Places, card_places
from domain.view import Card, Seat


class Point(Struct, frozen=True):
    """A point of a board: a stone lies there or none."""

    id: Annotated[str, Meta(description="The id of its zone.")]
    ring: Annotated[int, Meta(description="Its ring, from 1, the innermost.")]
    spoke: Annotated[int, Meta(description="Its spoke, from 0, clockwise.")]


class WinningLine(Struct, frozen=True):
    """A line that wins when all its stones are of one seat."""

    shape: Annotated[Shape, Meta(description="What kind of line it is.")]
    points: Annotated[tuple[str, ...], Meta(description="The ids of its points in their order.")]


class PrintedBoard(Struct, frozen=True):
    """A board. Neighbours along a line may be enclosed; a ring closes on itself, other lines end at both ends."""

    id: Annotated[Variant, Meta(description="The option `variant` that it is for.")]
    rings: Annotated[int, Meta(description="How many rings it has.")]
    spokes: Annotated[int, Meta(description="How many spokes it has.")]
    arbatta: Annotated[int, Meta(description="So many captured stones win.")]
    points: Annotated[tuple[Point, ...], Meta(description="Its points, ring by ring.")]
    lines: Annotated[tuple[WinningLine, ...], Meta(description="Its rings, spokes and spirals.")]


class Stone(Struct, frozen=True):
    """The stones of a seat."""

    id: Annotated[Card, Meta(description="The card that stands for them in zones.")]
    name: Annotated[str, Meta(description="What people call one.")]
    seat: Annotated[Seat, Meta(description="Whose they are.")]


class Points(Struct, frozen=True):
    """What a game is worth."""

    line: Annotated[int, Meta(description="Points of the line that wins.")]
    further_line: Annotated[int, Meta(description="Points of every further line that is completed with it.")]
    captured_stone: Annotated[int, Meta(description="Points of every captured stone.")]


class Material(Struct, frozen=True, tag="megiddo/material"):
    """The boards, the stones and the points."""

    places: Places
    boards: Annotated[tuple[PrintedBoard, ...], Meta(description="The boards; the one of Megi 9 is reconstructed.")]
    stones: Annotated[tuple[Stone, ...], Meta(description="The stones by seat.")]
    points: Annotated[Points, Meta(description="What a game is worth.")]


def _board(variant: Variant, board: Board) -> PrintedBoard:
    lines = tuple(WinningLine(shape, tuple(board.zones[place] for place in places)) for shape, places in board.lines)
    points = tuple(Point(zone, 1 + place // board.size, place % board.size) for place, zone in enumerate(board.zones))
    return PrintedBoard(variant, board.size, board.size, board.arbatta, points, lines)


MATERIAL = Material(
    places=card_places(*(look(initial(Options(variant=variant), 2), None) for variant in BOARDS)),
    boards=tuple(_board(variant, board) for variant, board in BOARDS.items()),
    stones=tuple(Stone(card, FACES[card].name, seat) for seat, card in enumerate(STONES)),
    points=Points(LINE, EXTRA_LINE, CAPTURED),
)
