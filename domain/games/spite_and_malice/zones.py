"""Spite & Malice: the ids of the places for cards, by seat and number and back."""

from domain.view import Seat

MOST_PILES = 8
SEATS = (0, 1)

HAND = ("hand_0", "hand_1")
STOCK = ("stock_0", "stock_1")
PLAY = tuple(f"play_{deck}" for deck in range(MOST_PILES))
DISCARD = tuple(tuple(f"discard_{seat}_{pile}" for pile in range(MOST_PILES)) for seat in SEATS)
DRAW = "draw"
REMOVED = "removed"

PLAY_INDEX: dict[str, int] = {zone: deck for deck, zone in enumerate(PLAY)}
DISCARD_PLACE: dict[str, tuple[Seat, int]] = {
    zone: (seat, pile) for seat in SEATS for pile, zone in enumerate(DISCARD[seat])
}

LABEL: dict[str, str] = (
    {zone: f"play deck {deck}" for deck, zone in enumerate(PLAY)}
    | {zone: f"discard pile {pile}" for zone, (_, pile) in DISCARD_PLACE.items()}
    | dict.fromkeys(STOCK, "stock")
    | dict.fromkeys(HAND, "hand")
)
"""The zone as it is spoken of beside its owner; piles count from 0, as their ids do."""
