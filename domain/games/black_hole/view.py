"""What a viewer of Black Hole may see, which is everything, the piles in a ring; and the material."""

from collections.abc import Sequence
from math import cos, pi, sin

from msgspec import Struct

from domain.board import Board, Boards, frame_board
from domain.games.black_hole.rules import initial, result, stuck
from domain.games.black_hole.state import FOUNDATION, TABLEAU, Facts, Options, State
from domain.kit.boards import FAN, fan, pile
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import solo_view
from domain.view import View, Viewer, Zone

_WIDE, _HIGH = 6.5, 4.25
"""From the foundation to the ring, in card widths and in card heights."""


class Material(Struct, frozen=True, tag="black_hole/material"):
    """The seventeen piles around the foundation, and the pack."""

    places: Places
    cards: Cards


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table, the same for all."""
    foundation = Zone(FOUNDATION, "Foundation", "pile", _WIDE, _HIGH, cards=state.foundation)
    zones = (foundation, *(_pile(state, place) for place in range(len(TABLEAU))))
    return solo_view(result(state) is not None, stuck(state), zones, Facts(len(state.foundation)))


def _pile(state: State, place: int) -> Zone:
    """A fan, so that all its cards can be read (Denexa Games)."""
    x, y = _PLACES[place]
    return Zone(TABLEAU[place], f"Pile {place + 1}", "fan", x, y, cards=state.piles[place])


def boards(options: Options, seats: int) -> Boards:
    """Rows of piles with the foundation in a gap in their middle."""
    side = (0, 1, 3, 4)
    return Boards(
        _rows(((0, 1, 2, 3, 4), side, side, (0.5, 1.5, 2.5, 3.5)), (2, 1.5)),
        _rows(((0.5, 1.5, 2.5), (0, 1, 2, 3), (0, 3), (0, 1, 2, 3), (0, 1, 2, 3)), (1.5, 2)),
    )


def _rows(rows: Sequence[Sequence[float]], middle: tuple[float, float]) -> Board:
    """Where the piles stand in each row, in breadths of a pile, and where the foundation does."""
    across, down = 1 + 2 * FAN + 0.1, 1.08
    spots = [(x * across, y * down) for y, row in enumerate(rows) for x in row]
    hole = pile(FOUNDATION, middle[0] * across + FAN, middle[1] * down)
    return frame_board([hole, *(fan(zone, x, y, 3) for zone, (x, y) in zip(TABLEAU, spots, strict=True))])


def _on_ring(place: int) -> tuple[float, float]:
    """Clockwise, the first at the top; to the quarter of a card."""
    angle = 2 * pi * place / len(TABLEAU)
    return round(4 * _WIDE * (1 + sin(angle))) / 4, round(4 * _HIGH * (1 - cos(angle))) / 4


_PLACES = tuple(map(_on_ring, range(len(TABLEAU))))

MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
