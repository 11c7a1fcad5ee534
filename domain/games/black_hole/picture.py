"""What a viewer may see, which is everything: the piles in a ring around the foundation."""

from math import cos, pi, sin

from domain.games.black_hole.moves import result, stuck
from domain.games.black_hole.state import FOUNDATION, TABLEAU, Facts, State
from domain.view import View, Viewer, Zone

_WIDE, _HIGH = 6.5, 4.25
"""From the foundation to the ring, in card widths and in card heights."""


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table, the same for all."""
    over = result(state) is not None
    return View(
        phase="finished" if over else "playing",
        to_act=() if over else (0,),
        stuck=stuck(state),
        zones=_zones(state),
        facts=Facts(len(state.foundation)),
    )


def _zones(state: State) -> tuple[Zone, ...]:
    foundation = Zone(FOUNDATION, "Foundation", "pile", _WIDE, _HIGH, cards=state.foundation)
    return (foundation, *(_pile(state, place) for place in range(len(TABLEAU))))


def _pile(state: State, place: int) -> Zone:
    """A fan, so that all its cards can be read (Denexa Games)."""
    x, y = _PLACES[place]
    return Zone(TABLEAU[place], f"Pile {place}", "fan", x, y, cards=state.piles[place])


def _on_ring(place: int) -> tuple[float, float]:
    """Clockwise, pile 0 at the top; to the quarter of a card."""
    angle = 2 * pi * place / len(TABLEAU)
    return round(4 * _WIDE * (1 + sin(angle))) / 4, round(4 * _HIGH * (1 - cos(angle))) / 4


_PLACES = tuple(map(_on_ring, range(len(TABLEAU))))
