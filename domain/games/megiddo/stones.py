"""Megiddo: stones as the table shows them, and the bowls that they come from."""

from domain.games.megiddo.board import Board
from domain.view import Card, Seat

SEATS = (0, 1)
STONES: tuple[Card, Card] = ("AS", "AH")
"""The mark of each seat's stones: zones hold cards, so black stones are aces of spades, red ones aces of hearts."""
EMPTY = "."
"""A vacant point in the text of a state; a stone there is the number of its seat."""

BOWLS = ("stones_0", "stones_1")
"""The zones of the stones that are not on the board."""


def other(seat: Seat) -> Seat:
    return 1 - seat


def bag(board: Board) -> tuple[Card, ...]:
    """Every stone of the game: as many for each seat as there are points, so that nobody can run out (our ruling)."""
    return STONES[:1] * board.size**2 + STONES[1:] * board.size**2
