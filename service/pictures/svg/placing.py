"""Where everything lies in a drawing of zones: `service/pages/static/placing.js` says the same, number for number.

A card is 100 x 140 units; a zone's `x` counts card widths, its `y` card heights. Columns run down, rows and fans to the
right, and their steps shrink by one factor where the room is too small. All numbers are rounded to 0.01.
"""

import math
from collections.abc import Sequence

from msgspec import Struct

from domain.game_type import FACE_DOWN, Card, Layout, Zone
from service.pictures.svg.figure import Line, Point, lines
from service.pictures.svg.labels import BAND, Label, label

WIDTH, HEIGHT, MARGIN = 100.0, 140.0, 20.0
DOWN, UP, FAN, ROW, LEAST = 17.0, 32.0, 46.0, 108.0, 6.0
_TABLE = 10 * WIDTH
_APART = 8.0
_TOP = 2
"""So many cards of a pile are drawn: what lies under them shows when the top one is moved."""
_TO_THE_RIGHT: dict[Layout, float] = {"row": ROW, "score": ROW, "fan": FAN}


class PlacedZone(Struct, frozen=True):
    """The area that a zone's cards (or its outline) cover, its label, and how many cards a pile holds."""

    zone: str
    x: float
    y: float
    width: float
    height: float
    count: int
    label: Label | None


class PlacedCard(Struct, frozen=True):
    """The `index`-th card of its zone from the bottom, at its left and top; not `shown` under others of a pile."""

    zone: str
    index: int
    card: Card
    x: float
    y: float
    shown: bool


class Placed(Struct, frozen=True):
    """The whole drawing, `width` x `height` from 0, 0; `lines` join the places of a board, under everything else."""

    width: float
    height: float
    zones: tuple[PlacedZone, ...]
    cards: tuple[PlacedCard, ...]
    lines: tuple[Line, ...]


class Spot(Struct):
    """A zone on its way: left, top, width and height in units, and every card's offset from its left or top."""

    zone: Zone
    x: float
    y: float
    width: float = WIDTH
    height: float = HEIGHT
    offsets: Sequence[float] = ()


def placed(zones: Sequence[Zone]) -> Placed:
    """The drawing of these zones, in their order."""
    spots = [Spot(zone, zone.x * WIDTH, zone.y * HEIGHT) for zone in zones]
    for spot in spots:
        _lay_right(spot, spots)
    for spot in spots:
        _lay_down(spot, spots)
    return _gathered(spots, [label(spot, spots, _edge(spots)) for spot in spots])


def cards_of(zone: Zone) -> tuple[Card, ...]:
    """Bottom to top, what lies face down as `#`."""
    return (FACE_DOWN,) * zone.face_down + zone.cards


def _lay_right(spot: Spot, spots: Sequence[Spot]) -> None:
    """A row or a fan runs up to the zone on its right, or to the edge of the table."""
    step = _TO_THE_RIGHT.get(spot.zone.layout)
    if step is None:
        return
    ends = [other.x - _APART for other in spots if other.x > spot.x and abs(other.y - spot.y) < HEIGHT]
    room = min(ends, default=_edge(spots)) - spot.x - WIDTH
    spot.offsets = _offsets([step] * (len(cards_of(spot.zone)) - 1), room)
    spot.width = WIDTH + (spot.offsets[-1] if spot.offsets else 0.0)


def _lay_down(spot: Spot, spots: Sequence[Spot]) -> None:
    """A column runs down to the zone below it."""
    if spot.zone.layout != "column":
        return
    below = [other.y - BAND for other in spots if other.y > spot.y and _beneath(spot, other)]
    room = min(below, default=math.inf) - spot.y - HEIGHT
    spot.offsets = _offsets([DOWN if card == FACE_DOWN else UP for card in cards_of(spot.zone)[:-1]], room)
    spot.height = HEIGHT + (spot.offsets[-1] if spot.offsets else 0.0)


def _beneath(spot: Spot, other: Spot) -> bool:
    return other.x < spot.x + WIDTH and spot.x < other.x + other.width


def _edge(spots: Sequence[Spot]) -> float:
    """The right edge of the table."""
    return max([_TABLE, *(spot.x + WIDTH for spot in spots)])


def _offsets(steps: Sequence[float], room: float) -> list[float]:
    """The sums of the steps, from 0 on; all shrink by one factor where they do not fit, none below the least."""
    total = sum(steps)
    factor = room / total if total > room else 1.0
    offsets = [0.0]
    for step in steps:
        offsets.append(offsets[-1] + max(step * factor, LEAST))
    return offsets


def _gathered(spots: Sequence[Spot], labels: Sequence[Label | None]) -> Placed:
    """Moved so that everything drawn has the margin around it."""
    heads = [spot.y - (0.0 if said is None else said.height) for spot, said in zip(spots, labels, strict=True)]
    left = min((spot.x for spot in spots), default=0.0) - MARGIN
    top = min(heads, default=0.0) - MARGIN
    right, bottom = max((s.x + s.width for s in spots), default=0.0), max((s.y + s.height for s in spots), default=0.0)
    ends = [right, *(said.x + said.width for said in labels if said is not None)]
    return Placed(
        width=rounded(max(ends) - left + MARGIN), height=rounded(bottom - top + MARGIN),
        zones=tuple(_zone(spot, said, left, top) for spot, said in zip(spots, labels, strict=True)),
        cards=tuple(card for spot in spots for card in _cards(spot, left, top)),
        lines=lines([_middle(spot, left, top) for spot in spots if spot.zone.layout == "ring"]),
    )  # fmt: skip


def _zone(spot: Spot, said: Label | None, left: float, top: float) -> PlacedZone:
    return PlacedZone(
        zone=spot.zone.id, x=rounded(spot.x - left), y=rounded(spot.y - top), width=rounded(spot.width),
        height=rounded(spot.height), count=len(cards_of(spot.zone)),
        label=None if said is None else said.moved(left, top),
    )  # fmt: skip


def _middle(spot: Spot, left: float, top: float) -> Point:
    return rounded(spot.x - left + WIDTH / 2), rounded(spot.y - top + HEIGHT / 2)


def _cards(spot: Spot, left: float, top: float) -> list[PlacedCard]:
    cards, offsets = cards_of(spot.zone), spot.offsets
    if not offsets:
        x, y = rounded(spot.x - left), rounded(spot.y - top)
        under = len(cards) - _TOP
        return [PlacedCard(spot.zone.id, index, card, x, y, index >= under) for index, card in enumerate(cards)]
    down = spot.zone.layout == "column"
    return [
        PlacedCard(
            spot.zone.id, index, card, rounded(spot.x - left + (0.0 if down else offset)),
            rounded(spot.y - top + (offset if down else 0.0)), True,
        )
        for index, (card, offset) in enumerate(zip(cards, offsets))  # noqa: B905  an empty column has one offset
    ]  # fmt: skip


def rounded(number: float) -> float:
    """To 0.01, halves up: the same in every language that has doubles."""
    return math.floor(number * 100 + 0.5) / 100
