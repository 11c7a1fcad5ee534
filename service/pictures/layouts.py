"""One zone as lines of text, by its layout; `width` is the room in characters."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from domain.game_type import FACE_DOWN, Card, Layout, Zone
from service.pictures.faces import EMPTY, Face

_MANY = 9
"""So many cards face down in a row or a column are told by their number."""
Lines = list[str]
Drawing = Callable[[Zone, Face, int], Lines]


def drawn(zone: Zone, face: Face, width: int) -> Lines:
    """The zone's cards; an empty place is `--`, an empty score nothing."""
    if zone.layout == "score":
        return _row(zone, face, width) if zone.cards else []
    if not zone.cards and not zone.face_down:
        return [EMPTY]
    return _single(zone, face) if _is_place(zone) else _DRAWINGS[zone.layout](zone, face, width)


def _is_place(zone: Zone) -> bool:
    """One pile of several that together make a grid, a ring, a pyramid or a clock."""
    whole = len(zone.cards) > 1 and not zone.face_down
    return zone.layout in ("grid", "ring", "pyramid", "clock") and not whole


def _single(zone: Zone, face: Face) -> Lines:
    """The top card, and how many cards there are if it is not alone."""
    count = len(zone.cards) + zone.face_down
    top = face(zone.cards[-1] if zone.cards else FACE_DOWN)
    return [top if count == 1 else f"{top} x{count}"]


def _pile(zone: Zone, face: Face, width: int) -> Lines:
    return _single(zone, face)


def _faces(zone: Zone, face: Face) -> Lines:
    """Every card bottom to top; many face-down ones as one number."""
    backs = [face(FACE_DOWN)] * zone.face_down
    if zone.face_down >= _MANY:
        backs = [f"{face(FACE_DOWN)} x{zone.face_down}"]
    return backs + [face(card) for card in zone.cards]


def _column(zone: Zone, face: Face, width: int) -> Lines:
    return _faces(zone, face)


def _row(zone: Zone, face: Face, width: int) -> Lines:
    """Left to right, in as many lines as the room asks for."""
    lines: Lines = [""]
    for card in _faces(zone, face):
        if lines[-1] and len(lines[-1]) + 1 + len(card) > width:
            lines.append("")
        lines[-1] += f" {card}" if lines[-1] else card
    return lines


def _grid(zone: Zone, face: Face, width: int) -> Lines:
    """As square as can be, row by row."""
    side = math.ceil(math.sqrt(len(zone.cards)))
    return [" ".join(row) for row in _taken(_faces(zone, face), [side] * side)]


def _pyramid(zone: Zone, face: Face, width: int) -> Lines:
    """Rows of one, two, three cards and so on, from the top."""
    rows = [" ".join(row) for row in _taken(_faces(zone, face), range(1, len(zone.cards) + 1))]
    return [row.center(len(rows[-1])).rstrip() for row in rows]


def _taken(cards: Sequence[Card], sizes: Sequence[int]) -> Iterator[list[Card]]:
    left = iter(cards)
    for size in sizes:
        if row := list(islice(left, size)):
            yield row


def _ring(zone: Zone, face: Face, width: int) -> Lines:
    """Clockwise from the top."""
    cards = _faces(zone, face)
    return _around(cards, offset=0)


def _clock(zone: Zone, face: Face, width: int) -> Lines:
    """From one o'clock on; a thirteenth card lies in the middle."""
    cards = _faces(zone, face)
    return _around(cards[:12], offset=1, middle=" ".join(cards[12:]))


def _around(cards: Sequence[str], offset: int, middle: str = "") -> Lines:
    """Cards at equal angles of an ellipse that is wide enough for them, the first `offset` places after the top."""
    places, height = max(len(cards), 12 if offset else 0), max(len(cards) // 4, 1)
    canvas = [[" "] * (8 * height + 2) for _ in range(2 * height + 1)]
    for number, card in enumerate(cards):
        angle = 2 * math.pi * (number + offset) / places
        row, column = height - _nearest(height * math.cos(angle)), 4 * height + _nearest(4 * height * math.sin(angle))
        canvas[row][column : column + 2] = card
    start = 4 * height + 1 - len(middle) // 2
    canvas[height][start : start + len(middle)] = middle
    return ["".join(line).rstrip() for line in canvas]


def _nearest(number: float) -> int:
    """The nearest whole number, halves away from 0 and blind to the last digits, so that both sides are alike."""
    return int(math.copysign(math.floor(round(abs(number), 6) + 0.5), number))


_DRAWINGS: dict[Layout, Drawing] = {
    "pile": _pile,
    "column": _column,
    "row": _row,
    "fan": _row,
    "grid": _grid,
    "pyramid": _pyramid,
    "ring": _ring,
    "clock": _clock,
}
