"""Where everything lies in a drawing of zones: `service/web/static/placing.js` says the same, number for number.

A card is 100 x 140 units; a zone's `x` counts card widths, its `y` card heights. Columns run down, rows and fans to the
right, and their steps shrink by one factor where the room is too small. All numbers are rounded to 0.01. Plates lie
under what belongs to a seat, where several seats have something (`plates.js`); lines join the places of layout `ring`
round and outwards (`figure.js`).
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from domain.view import Card, Seat, Zone
from service.pictures.svg.labels import Label
from service.pictures.svg.spots import HEIGHT, WIDTH, Spot, cards_of, lay_out

Point = tuple[float, float]
Line = tuple[Point, ...]
_MARGIN = 20.0
_SIDE, _ABOVE, _BELOW = 7.0, 1.0, 4.0
"""How much larger a plate is than what lies on it."""
_SAME = 0.001  # radians
_TOP = 2
"""Cards drawn of a pile: the second one shows when the top card is moved."""


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


class Plate(Struct, frozen=True):
    """One plate of this seat: left, top, breadth and height."""

    seat: Seat
    x: float
    y: float
    width: float
    height: float


class Placed(Struct, frozen=True):
    """The whole drawing, `width` x `height` from 0, 0; `lines` join the places of a board, under everything else.

    `scale` is how much larger type is than on a small table; a plate lies under what belongs to one seat.
    """

    width: float
    height: float
    zones: tuple[PlacedZone, ...]
    cards: tuple[PlacedCard, ...]
    lines: tuple[Line, ...]
    plates: tuple[Plate, ...]
    scale: float


def place_zones(zones: Sequence[Zone]) -> Placed:
    """The drawing of these zones, in their order."""
    return _make_drawing(*lay_out(zones))


def _make_drawing(spots: Sequence[Spot], said: Sequence[Label | None], grown: float) -> Placed:
    """The drawing, shifted so that there is a margin on all sides."""
    heads = [spot.y - (0.0 if one is None else one.height) for spot, one in zip(spots, said, strict=True)]
    left = min((spot.x for spot in spots), default=0.0) - _MARGIN
    top = min(heads, default=0.0) - _MARGIN
    right, bottom = max((s.x + s.width for s in spots), default=0.0), max((s.y + s.height for s in spots), default=0.0)
    ends = [right, *(one.x + one.width for one in said if one is not None)]
    return Placed(
        width=round_2(max(ends) - left + _MARGIN), height=round_2(bottom - top + _MARGIN),
        zones=tuple(_zone(spot, one, left, top) for spot, one in zip(spots, said, strict=True)),
        cards=tuple(card for spot in spots for card in _cards(spot, left, top)),
        lines=_board_lines([_middle(spot, left, top) for spot in spots if spot.zone.layout == "ring"]),
        plates=tuple(_plates(spots, said, left, top)),
        scale=round_2(grown),
    )  # fmt: skip


def _zone(spot: Spot, said: Label | None, left: float, top: float) -> PlacedZone:
    return PlacedZone(
        zone=spot.zone.id, x=round_2(spot.x - left), y=round_2(spot.y - top), width=round_2(spot.width),
        height=round_2(spot.height), count=len(cards_of(spot.zone)),
        label=None if said is None else said.moved(left, top),
    )  # fmt: skip


def _middle(spot: Spot, left: float, top: float) -> Point:
    return round_2(spot.x - left + WIDTH / 2), round_2(spot.y - top + HEIGHT / 2)


def _cards(spot: Spot, left: float, top: float) -> list[PlacedCard]:
    cards, offsets = cards_of(spot.zone), spot.offsets
    if not offsets:
        x, y = round_2(spot.x - left), round_2(spot.y - top)
        under = len(cards) - _TOP
        return [PlacedCard(spot.zone.id, index, card, x, y, index >= under) for index, card in enumerate(cards)]
    down = spot.zone.layout == "column"
    return [
        PlacedCard(
            spot.zone.id, index, card, round_2(spot.x - left + (0.0 if down else offset)),
            round_2(spot.y - top + (offset if down else 0.0)), True,
        )
        for index, (card, offset) in enumerate(zip(cards, offsets))  # noqa: B905  an empty column has one offset
    ]  # fmt: skip


def _plates(spots: Sequence[Spot], said: Sequence[Label | None], left: float, top: float) -> Iterator[Plate]:
    """One for each run of neighbours in a row that belong to one seat; none where only one seat has anything."""
    if len({spot.zone.owner for spot in spots} - {None}) < 2:
        return
    both = sorted(zip(spots, said, strict=True), key=lambda pair: (pair[0].y, pair[0].x))
    for (_, seat), run in groupby(both, key=lambda pair: (pair[0].y, pair[0].zone.owner)):
        if seat is not None:
            yield _plate(seat, list(run), left, top)


def _plate(seat: Seat, run: Sequence[tuple[Spot, Label | None]], left: float, top: float) -> Plate:
    spots, labels = [spot for spot, _ in run], [label for _, label in run if label is not None]
    x = min(spot.x for spot in spots) - _SIDE
    y = spots[0].y - max([0.0, *(label.height for label in labels)]) - _ABOVE
    right = max([*(spot.x + spot.width + _SIDE for spot in spots), *(label.x + label.width for label in labels)])
    bottom = max(spot.y + spot.height for spot in spots) + _BELOW
    return Plate(seat, *map(round_2, (x - left, y - top, right - x, bottom - y)))


def _board_lines(places: Sequence[Point]) -> tuple[Line, ...]:
    """Closed rings, then spokes, through these middles of places; none where they are no rings of one size.

    A ring is a run of zones in the order of the view; the next one begins at the same angle as the first place of all.
    """
    rings = _rings(places)
    if len(rings) < 2 or len(rings[0]) < 3 or any(len(ring) != len(rings[0]) for ring in rings):
        return ()
    return (*((*ring, ring[0]) for ring in rings), *(tuple(spoke) for spoke in zip(*rings, strict=True)))


def _rings(places: Sequence[Point]) -> list[list[Point]]:
    rings: list[list[Point]] = []
    middle = (_mean([x for x, _ in places]), _mean([y for _, y in places]))
    for place in places:
        if not rings or abs(_angle(place, middle) - _angle(places[0], middle)) < _SAME:
            rings.append([])
        rings[-1].append(place)
    return rings


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _angle(place: Point, middle: Point) -> float:
    return math.atan2(place[1] - middle[1], place[0] - middle[0])


def round_2(number: float) -> float:
    """To 0.01, halves up: the same in every language that has doubles."""
    return math.floor(number * 100 + 0.5) / 100
