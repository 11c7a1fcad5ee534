"""Where every card of a drawing lies: the zones of a view on a board; and boards as pages hold them.

The page's script has the same few lines. Numbers are drawing units, rounded to 0.01; a card is 100 x 140.
"""

import math
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import groupby
from operator import add
from typing import Any

import msgspec
from msgspec import Struct

from domain.board import GAP, HEIGHT, WIDTH, Board, Boards, Place, turn_offset
from domain.view import FACE_DOWN, Card, Zone

DOWN, RIGHT, LEAST = 0.28, 1 + GAP, 0.04
"""From card to card where there is room, in card heights and in card widths, and the least of both.

A card that lies face down takes half a step down.
"""


class PlacedCard(Struct, frozen=True):
    """The `index`-th card of its zone from the bottom: its left and top, and how it is turned about its own middle.

    Of the cards under the top of a pile only the uppermost is `shown`: it is seen when the top card is moved.
    """

    zone: str
    index: int
    card: Card
    x: float
    y: float
    turn: float
    scale: float
    shown: bool


def place_cards(board: Board, zones: Sequence[Zone]) -> list[PlacedCard]:
    """The cards of these zones in the order in which they are drawn; the board names every zone."""
    lying = {zone.id: zone for zone in zones}
    return [card for place in board.places if place.zone in lying for card in _place_zone(place, lying[place.zone])]


def cards_of(zone: Zone) -> tuple[Card, ...]:
    """The cards bottom to top, those face down as `#`."""
    return (FACE_DOWN,) * zone.face_down + zone.cards


def _place_zone(place: Place, zone: Zone) -> Iterator[PlacedCard]:
    cards = cards_of(zone)
    spread = _spread_cards(place, cards)
    under = len(cards) - len(spread)
    for index, card in enumerate(cards):
        far = spread[max(index - under, 0)]
        across, down = turn_offset(place.turn, *((0.0, far) if place.spread == "down" else (far, 0.0)))
        x, y = _round(place.x * WIDTH + across), _round(place.y * HEIGHT + down)
        yield PlacedCard(zone.id, index, card, x, y, place.turn, place.scale, index >= under - 1)


def _spread_cards(place: Place, cards: Sequence[Card]) -> list[float]:
    """The distances from the place's corner of the cards that are spread; the cards below these lie under the first.

    All steps shrink by one factor where the room is too small for them, none below the least.
    """
    if not cards:
        return []
    shown = 1 if place.spread == "pile" else len(cards) if place.shown is None else min(place.shown, len(cards))
    down = place.spread == "down"
    unit, usual = (HEIGHT, place.step or DOWN) if down else (WIDTH, place.step or RIGHT)
    steps = [
        usual * place.scale * (0.5 if down and card == FACE_DOWN else 1) for card in cards[len(cards) - shown : -1]
    ]
    total, room = reduce(add, steps, 0.0), place.room - place.scale  # `sum` rounds otherwise from Python 3.12 on
    factor = room / total if total > max(room, 0.0) else 1.0
    offsets = [0.0]
    for step in steps:
        offsets.append(offsets[-1] + max(step * factor, LEAST * place.scale) * unit)
    return offsets


def _round(number: float) -> float:
    """To 0.01, halves up: the same in every language that has doubles."""
    return math.floor(number * 100 + 0.5) / 100


_OWN = ("zone", "x", "y")


def pack_boards(boards: Boards) -> dict[str, Any]:
    """Both boards, ready for JSON: places that differ only in their zone and position are one group.

    `boardsOnPage` of the client unpacks them.
    """
    return {"wide": _pack(boards.wide), "tall": _pack(boards.tall)}


def _pack(board: Board) -> dict[str, Any]:
    places = [msgspec.to_builtins(place) for place in board.places]
    groups = groupby(places, lambda place: {name: value for name, value in place.items() if name not in _OWN})
    packed = [alike | {"at": [[place[name] for name in _OWN] for place in group]} for alike, group in groups]
    return {**msgspec.to_builtins(board), "places": packed}
