"""A pyramid of 28 cards in seven rows that lie on each other: its places, the cards that are free, where they lie.

A position of it holds the cards of all places from the top, left to right, empty ones as NO_CARD.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Final, Literal, get_args

from domain.board import GAP, Boards, frame_board
from domain.board import Place as Spot
from domain.kit.boards import fan, pile
from domain.kit.patience import DISCARD, STEP, STOCK
from domain.kit.talon import WASTE
from domain.view import Card, Zone

Place = Literal[
    "pyramid_0_0",
    "pyramid_1_0", "pyramid_1_1",
    "pyramid_2_0", "pyramid_2_1", "pyramid_2_2",
    "pyramid_3_0", "pyramid_3_1", "pyramid_3_2", "pyramid_3_3",
    "pyramid_4_0", "pyramid_4_1", "pyramid_4_2", "pyramid_4_3", "pyramid_4_4",
    "pyramid_5_0", "pyramid_5_1", "pyramid_5_2", "pyramid_5_3", "pyramid_5_4", "pyramid_5_5",
    "pyramid_6_0", "pyramid_6_1", "pyramid_6_2", "pyramid_6_3", "pyramid_6_4", "pyramid_6_5", "pyramid_6_6",
]  # fmt: skip
PLACES: Final[tuple[Place, ...]] = get_args(Place)
IN_PYRAMID = len(PLACES)

PLACE: dict[str, int] = {zone: place for place, zone in enumerate(PLACES)}
"""The number of a place, from the top, left to right, by zone."""

ROWS = 7
ROW_AND_CARD: tuple[tuple[int, int], ...] = tuple((row, card) for row in range(ROWS) for card in range(row + 1))
"""Row and place in the row, by the number of the place."""

COVERING: tuple[tuple[int, ...], ...] = tuple(
    (place + row + 1, place + row + 2) if row < ROWS - 1 else () for place, (row, _) in enumerate(ROW_AND_CARD)
)
"""The places whose cards lie on the card of this place."""

COVERED = tuple((place, *covering) for place, covering in enumerate(COVERING) if covering)
"""Each place that others cover, with them."""

_LAST_ROW = range(IN_PYRAMID - ROWS, IN_PYRAMID)


def available(pyramid: Sequence[Card]) -> list[int]:
    """The places whose card is there and has nothing on it, from the top, left to right."""
    free = [place for place, left, right in COVERED if not (pyramid[left] or pyramid[right]) and pyramid[place]]
    return free + [place for place in _LAST_ROW if pyramid[place]]


def covered_by(pyramid: Sequence[Card], place: int) -> list[int]:
    """The places whose cards lie on this one's."""
    return [other for other in COVERING[place] if pyramid[other]]


def covered_only_by(pyramid: Sequence[Card], place: int, other: int) -> bool:
    """Whether only `other` lies on `place`, and nothing on it."""
    return covered_by(pyramid, place) == [other] and not covered_by(pyramid, other)


def covered_pairs(pyramid: Sequence[Card], partners: Mapping[Card, Container[Card]]) -> list[tuple[int, int]]:
    """The places that a partner alone covers, each with the partner's: the pairs that Microsoft's Tut's Tomb allows."""
    return [
        (place, other)
        for place, *covering in COVERED if pyramid[place]
        for other in covering
        if pyramid[other] in partners[pyramid[place]] and covered_only_by(pyramid, place, other)
    ]  # fmt: skip


def zones(pyramid: Sequence[Card]) -> list[Zone]:
    """The places, each card of them face up."""
    return [
        Zone(
            zone, f"Row {row + 1}, card {card + 1}", "pyramid", STEP * (card + (ROWS - 1 - row) / 2), STEP * row,
            cards=(lying,) if lying else (),
        )
        for zone, (row, card), lying in zip(PLACES, ROW_AND_CARD, pyramid, strict=True)
    ]  # fmt: skip


def boards(draw: int) -> Boards:
    """Each row lies on the one above it; stock, waste and discards in the corners beside the top, or below."""
    step = 1 + GAP
    right, low = 6 * step, 0.62 * (ROWS - 1) + 1.14
    beside = [pile(STOCK, 0, 0), fan(WASTE, step, 0, draw, 0.22), pile(DISCARD, right + 0.9, 0)]
    below = [pile(STOCK, 0, low), fan(WASTE, step, low, draw), pile(DISCARD, right, low)]
    return Boards(frame_board([*beside, *_spots(0.42, 0.45)]), frame_board([*_spots(0.62), *below]))


def _spots(down: float, left: float = 0) -> list[Spot]:
    """The places, so far down from row to row; empty ones are not drawn."""
    return [
        Spot(zone, left + (1 + GAP) * (card + (ROWS - 1 - row) / 2), down * row, label=False, outline=False)
        for zone, (row, card) in zip(PLACES, ROW_AND_CARD, strict=True)
    ]
