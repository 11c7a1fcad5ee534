"""Megiddo: the table as everybody sees it, where things lie in the picture, and what is printed, as data."""

import math
from collections.abc import Iterator
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from domain.capabilities import Face
from domain.games.megiddo.rules import CAPTURED, EXTRA_LINE, LINE, initial, result
from domain.games.megiddo.state import BOARDS, BOWLS, EMPTY, STONES, Board, Facts, Options, Shape, State, Variant
from domain.kit.material import Places, card_places
from domain.view import Card, Seat, View, Viewer, Zone, player_name

FACES: dict[Card, Face] = {
    STONES[0]: Face(name="a black stone", mark="B", colour="#25282e"),
    STONES[1]: Face(name="a red stone", mark="R", colour="#c43a31"),
}

_WIDER, _ROW = 1.5, 1.05
"""How much further the points of a ring lie apart in card widths than in rows; the height of a row."""


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The whole table: nothing is hidden from anybody."""
    return View(_phase(state), _to_act(state), False, tuple(_zones(state)), _facts(state))


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


def _phase(state: State) -> str:
    if state.over is not None:
        return "game_over" if result(state) is None else "finished"
    return "start" if state.turn is None else "play"


def _to_act(state: State) -> tuple[Seat, ...]:
    return () if state.over is not None or state.turn is None else (state.turn,)


def _facts(state: State) -> Facts:
    size = state.board.size
    return Facts(
        variant=state.options.variant,
        marks=STONES,
        rings=tuple(state.stones[start : start + size] for start in range(0, size * size, size)),
        captured=state.captured,
        arbatta=state.board.arbatta,
        idle_moves=state.idle,
        game=state.number,
        scores=state.scores,
        match_points=state.options.match_points,
    )


def _zones(state: State) -> Iterator[Zone]:
    spots = _SPOTS[state.options.variant]
    for (zone, label, x, y), stone in zip(spots, state.stones, strict=True):
        yield Zone(zone, label, "ring", x, y, cards=() if stone == EMPTY else (STONES[int(stone)],))
    for seat in (0, 1):
        yield _bowl(state, seat, spots)


def _bowl(state: State, seat: Seat, spots: tuple["_Spot", ...]) -> Zone:
    """The stones left, in the upper corner on the left or on the right."""
    left = (STONES[seat],) * (len(state.stones) - state.stones.count(str(seat)))
    x = max(spot.x for spot in spots) if seat else 0
    return Zone(BOWLS[seat], f"Stones of {player_name(seat)}", "pile", x, 0, seat, cards=left)


class _Spot(NamedTuple):
    """A point in the picture."""

    zone: str
    label: str
    x: float
    y: float


def _spots(board: Board, inner: float, step: float, row: float) -> tuple[_Spot, ...]:
    """Spoke 0 points to the right, the others follow clockwise; points keep to rows, so that they print as text."""
    width, height = (math.ceil((inner + step * (board.size - 1)) / unit) for unit in (1, row))
    spots = []
    for place, zone in enumerate(board.zones):
        ring, spoke = divmod(place, board.size)
        radius, angle = inner + step * ring, math.tau * spoke / board.size
        x, y = width + radius * math.cos(angle), height + round(radius * math.sin(angle) / row)
        spots.append(_Spot(zone, f"Ring {ring + 1} spoke {spoke + 1}", round(_WIDER * x, 2), round(_ROW * y, 2)))
    return tuple(spots)


_SPOTS: dict[Variant, tuple[_Spot, ...]] = {
    "megiddo": _spots(BOARDS["megiddo"], 1, 1, math.sqrt(3) / 2),
    "megi_9": _spots(BOARDS["megi_9"], 2.5, 1.1, 1),
}
"""Radii chosen so that no two points overlap."""


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
