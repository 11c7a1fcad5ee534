"""Megiddo: the table as everybody sees it, and where things lie in the picture."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from domain.games.megiddo.board import BOARDS, Board, Variant
from domain.games.megiddo.state import State, result
from domain.games.megiddo.stones import BOWLS, EMPTY, SEATS, STONES
from domain.view import Seat, View, Viewer, Zone

_WIDER, _ROW = 1.5, 1.05
"""How much further the points of a ring lie apart in card widths than in rows; the height of a row."""


class Facts(Struct, frozen=True, tag="megiddo/facts"):
    """What the zones do not show, and the board once more as text.

    `marks` are the cards that stand for each seat's stones; `rings`, innermost first, have one character for each
    spoke: `.` or the seat whose stone lies there. `captured` and `scores` are by seat; `arbatta` captured stones
    win. `idle_moves` counts moves in a row without a capture. `game` counts the games of a match; `match_points`
    win it (0: a single game).
    """

    variant: Variant
    marks: tuple[str, ...]
    rings: tuple[str, ...]
    captured: tuple[int, int]
    arbatta: int
    idle_moves: int
    game: int
    scores: tuple[int, int]
    match_points: int


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The whole table: nothing is hidden from anybody."""
    return View(_phase(state), _to_act(state), False, tuple(_zones(state)), _facts(state))


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
    for seat in SEATS:
        yield _bowl(state, seat, spots)


def _bowl(state: State, seat: Seat, spots: tuple["_Spot", ...]) -> Zone:
    """The stones left, in the upper corner on the left or on the right."""
    left = (STONES[seat],) * (len(state.stones) - state.stones.count(str(seat)))
    x = max(spot.x for spot in spots) if seat else 0
    return Zone(BOWLS[seat], f"Stones of seat {seat}", "pile", x, 0, seat, cards=left)


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
        spots.append(_Spot(zone, f"Ring {ring + 1} spoke {spoke}", round(_WIDER * x, 2), round(_ROW * y, 2)))
    return tuple(spots)


_SPOTS: dict[Variant, tuple[_Spot, ...]] = {
    "megiddo": _spots(BOARDS["megiddo"], 1, 1, math.sqrt(3) / 2),
    "megi_9": _spots(BOARDS["megi_9"], 2.5, 1.1, 1),
}
"""Radii chosen so that no two points overlap."""
