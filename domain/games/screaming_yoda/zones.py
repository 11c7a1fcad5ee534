"""Screaming Yoda: the ids of the places for cards, by seat and column and back."""

from domain.view import Seat

MOST_SEATS, MOST_COLUMNS = 5, 4

DRAW, PILE, REMOVED = "draw", "pile", "removed"
HAND = tuple(f"hand_{seat}" for seat in range(MOST_SEATS))
COLUMN = tuple(tuple(f"column_{seat}_{column}" for column in range(MOST_COLUMNS)) for seat in range(MOST_SEATS))

COLUMN_PLACE: dict[str, tuple[Seat, int]] = {
    zone: (seat, column) for seat, zones in enumerate(COLUMN) for column, zone in enumerate(zones)
}
