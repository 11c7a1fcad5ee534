"""Where a game's zones lie in a drawing of fixed size: values that every picture and every page draws from.

A card is 100 x 140 drawing units; `x`, `width` and steps to the right count card widths, `y`, `height` and steps down
card heights. `@0` in a name stands for the seat that looks, `@1` for the next one, and so on (`seat_board`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import cos, radians, sin
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.view import Layout, Viewer, Zone

WIDTH, HEIGHT = 100.0, 140.0
"""A card in drawing units."""
GAP, ROW_GAP, MARGIN = 0.08, 0.06, 0.08
"""Between zones side by side, between zones one below the other, round the board (in card widths)."""

LABEL = 0.18
"""Room for a label above a place, in card heights."""

Spread = Literal["pile", "down", "right"]
Point = tuple[float, float]
Circle = tuple[float, float, float]
_SPREADS: dict[Layout, Spread] = {"column": "down", "row": "right", "fan": "right", "score": "right"}
_FIGURES: tuple[Layout, ...] = ("grid", "ring", "pyramid", "clock")
_NARROW, _LONG = 8.6, 3.2
"""The widest board for a phone in card widths, and the room of a column with nothing below it in card heights."""
_SEAT = re.compile(r"@(\d+)")


class Place(Struct, frozen=True, omit_defaults=True):
    """One zone on the board: left and top of its first card, and how its cards lie.

    `room`: how far the cards may spread, the last one included (card heights for `down`, widths for `right`). `step`:
    from card to card where there is room, None as usual. `shown`: only the topmost so many are spread, the rest lie
    under the first of them. `scale`: the size of its cards and steps; `room` counts full-sized cards all the same.
    `turn`: degrees, clockwise, about the middle of the first card. `mark`: what is drawn faintly on the empty place, a
    suit (`S`, `H`, `D`, `C`) or up to three letters. `outline`: whether the empty place is drawn at all. `title`: what
    is written above instead of the zone's label. `note`: what lies on the pile instead of its number of cards, with
    facts at their paths: `takes {next_ranks.0}`. Of words between `|` the first are taken of which no fact is missing;
    `{level=0}` says nothing, and is missing where the fact is another.
    """

    zone: str
    x: float
    y: float
    spread: Spread = "pile"
    room: float = 1
    step: float | None = None
    shown: int | None = None
    scale: float = 1
    turn: float = 0
    label: bool = True
    mark: str = ""
    outline: bool = True
    title: str = ""
    note: str = ""


class Seating(Struct, frozen=True):
    """The plate of a seat (`@0`): its name, whether it is its turn, its chips."""

    seat: str
    x: float
    y: float
    width: float
    height: float


class Figure(Struct, frozen=True, omit_defaults=True):
    """A fact that is a board of its own, in rows of characters, drawn into this area: `seats.@0.grid`.

    `parts`: the path of the things that lie on it, each with `cells` (row and column, the lower right one is the last).
    `rows`: no board but a table of words, each a note as of a place, under a heading and beside what its row is about;
    a single row stands on the felt itself.
    """

    fact: str
    parts: str
    x: float
    y: float
    width: float
    height: float
    rows: tuple[tuple[str, ...], ...] = ()


class Board(Struct, frozen=True, omit_defaults=True):
    """A drawing of this size. Places are drawn in their order, the last one on top; `lines` and `circles` (middle and
    radius, which is in card widths) lie under all of them.
    """

    width: float
    height: float
    places: tuple[Place, ...]
    seats: tuple[Seating, ...] = ()
    figures: tuple[Figure, ...] = ()
    lines: tuple[tuple[Point, ...], ...] = ()
    circles: tuple[Circle, ...] = ()


class Boards(Struct, frozen=True):
    """The board for windows that are wider than high, and the one for a phone held upright (390 x 844)."""

    wide: Board
    tall: Board


P = TypeVar("P", Place, Seating, Figure)


class Area(Struct, frozen=True):
    """Left, top, right and bottom in drawing units."""

    left: float
    top: float
    right: float
    bottom: float


def place_area(place: Place) -> Area:
    """What the place may cover when its cards spread as far as they may, turned as it is."""
    wide, high = WIDTH * place.scale, HEIGHT * place.scale
    x, y = place.x * WIDTH, place.y * HEIGHT
    right = max(wide, place.room * WIDTH) if place.spread == "right" else wide
    bottom = max(high, place.room * HEIGHT) if place.spread == "down" else high
    corners = [
        turn_offset(place.turn, across - wide / 2, down - high / 2) for across in (0, right) for down in (0, bottom)
    ]
    (lefts, tops) = ([corner[axis] for corner in corners] for axis in (0, 1))
    middle = x + wide / 2, y + high / 2
    return Area(middle[0] + min(lefts), middle[1] + min(tops), middle[0] + max(lefts), middle[1] + max(tops))


def turn_offset(degrees: float, x: float, y: float) -> Point:
    """This offset after a turn, clockwise as seen on the screen."""
    along, across = cos(radians(degrees)), sin(radians(degrees))
    return x * along - y * across, x * across + y * along


def frame_board(
    places: Iterable[Place],
    seats: Sequence[Seating] = (),
    figures: Sequence[Figure] = (),
    lines: Sequence[Sequence[Point]] = (),
    circles: Sequence[Circle] = (),
) -> Board:
    """The board that is just large enough for these, moved so that there is a margin on all sides."""
    placed = tuple(places)
    flat = (*map(_flat_area, seats), *map(_flat_area, figures))
    rings = [
        Area((x - radius) * WIDTH, y * HEIGHT - radius * WIDTH, (x + radius) * WIDTH, y * HEIGHT + radius * WIDTH)
        for x, y, radius in circles
    ]
    areas = [*map(place_area, placed), *flat, *rings]
    left = min(area.left for area in areas) / WIDTH - MARGIN
    labels = [place.y - LABEL for place in placed if place.label]
    top = min([*labels, *(area.top / HEIGHT for area in areas)]) - MARGIN * WIDTH / HEIGHT
    return Board(
        width=round(max(area.right for area in areas) / WIDTH - left + MARGIN, 3),
        height=round(max(area.bottom for area in areas) / HEIGHT - top + MARGIN * WIDTH / HEIGHT, 3),
        places=tuple(_move_part(place, left, top) for place in placed),
        seats=tuple(_move_part(seat, left, top) for seat in seats),
        figures=tuple(_move_part(figure, left, top) for figure in figures),
        lines=tuple(tuple((round(x - left, 3), round(y - top, 3)) for x, y in line) for line in lines),
        circles=tuple((round(x - left, 3), round(y - top, 3), round(radius, 3)) for x, y, radius in circles),
    )


def _flat_area(part: Seating | Figure) -> Area:
    x, y = part.x * WIDTH, part.y * HEIGHT
    return Area(x, y, x + part.width * WIDTH, y + part.height * HEIGHT)


def _move_part(part: P, left: float, top: float) -> P:
    return replace(part, x=round(part.x - left, 3), y=round(part.y - top, 3))


def seat_board(board: Board, viewer: Viewer, seats: int) -> Board:
    """The board with the names of this viewer's zones, facts and seats; who has no seat looks as seat 0 does."""
    first = viewer if viewer is not None and viewer >= 0 else 0

    def name(text: str) -> str:
        return _SEAT.sub(lambda match: str((first + int(match[1])) % max(seats, 1)), text)

    return replace(
        board,
        places=tuple(replace(place, zone=name(place.zone)) for place in board.places),
        seats=tuple(replace(seat, seat=name(seat.seat)) for seat in board.seats),
        figures=tuple(replace(part, fact=name(part.fact), parts=name(part.parts)) for part in board.figures),
    )


def complete_board(board: Board, zones: Sequence[Zone]) -> Board:
    """The board with the zones that it does not name, side by side in a row below the rest."""
    named = {place.zone for place in board.places}
    lost = [zone for zone in zones if zone.id not in named]
    if not lost:
        return board
    places = tuple(
        Place(zone.id, MARGIN + (1 + GAP) * at, board.height + LABEL, label=True) for at, zone in enumerate(lost)
    )
    return replace(
        board,
        width=max(board.width, places[-1].x + 1 + MARGIN),
        height=board.height + LABEL + 1 + MARGIN,
        places=(*board.places, *places),
    )


def derive_boards(zones: Sequence[Zone]) -> Boards:
    """The boards of a game type that has none made by hand, from its zones' own places."""
    if not zones:
        return Boards(Board(2 * MARGIN, 2 * MARGIN, ()), Board(2 * MARGIN, 2 * MARGIN, ()))
    wide = frame_board(_own_places(zones, max(zone.x for zone in zones) + 1))
    if wide.width <= _NARROW or any(zone.layout in _FIGURES for zone in zones):
        return Boards(wide, wide)
    return Boards(wide, frame_board(_own_places(tuple(_broken_rows(zones)), _NARROW - 2 * MARGIN)))


def _own_places(zones: Sequence[Zone], edge: float) -> Iterator[Place]:
    """Each zone where it says; it may spread up to the next one, or to the edge."""
    for zone in zones:
        right = [other.x - GAP for other in zones if other.x > zone.x and abs(other.y - zone.y) < 1]
        below = [other.y - LABEL for other in zones if other.y > zone.y and abs(other.x - zone.x) < 1]
        if (spread := _SPREADS.get(zone.layout, "pile")) == "pile":
            room = 1.0
        else:
            room = min([edge, *right]) - zone.x if spread == "right" else min([zone.y + _LONG, *below]) - zone.y
        yield Place(zone.id, zone.x, zone.y, spread, max(room, 1), label=zone.layout not in _FIGURES)


def _broken_rows(zones: Sequence[Zone]) -> Iterator[Zone]:
    """The zones row by row, rows that are too wide for a phone in several."""
    y = 0.0
    for _, row in groupby(sorted(zones, key=lambda zone: (zone.y, zone.x)), key=lambda zone: zone.y):
        left, longest = 0.0, 1.0
        for zone in row:
            if left and left + 1 > _NARROW - 2 * MARGIN:
                left, y, longest = 0.0, y + longest + LABEL, 1.0
            yield replace(zone, x=left, y=y)
            spread = _SPREADS.get(zone.layout, "pile")
            left, longest = left + (3 if spread == "right" else 1) + GAP, max(longest, _LONG if spread == "down" else 1)
        y += longest + LABEL
