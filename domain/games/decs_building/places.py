"""Decs Building: where a feature can be drawn now."""

from collections.abc import Iterator

from domain.game_type import Illegal
from domain.games.decs_building.board import KINDS, FeatureId
from domain.games.decs_building.grid import PLACEMENTS, Cells, Placement, around, bits_of
from domain.games.decs_building.power import conductors, occupied
from domain.games.decs_building.state import State
from domain.view import Seat


def free_places(state: State, seat: Seat, feature: FeatureId) -> Iterator[Placement]:
    """Every place for the feature in this seat's grid, in reading order."""
    closed = _closed(state, seat, feature)
    return (place for place in PLACEMENTS[state.options.short][feature] if not place.bits & closed)


def fits(state: State, seat: Seat, feature: FeatureId) -> bool:
    """Whether there is any."""
    return next(free_places(state, seat, feature), None) is not None


def _closed(state: State, seat: Seat, feature: FeatureId) -> int:
    """The cells that the feature cannot fill: taken ones, and for a cable those that touch no conductor."""
    closed = occupied(state, seat)
    if KINDS[feature].on_power:
        closed |= ~around(conductors(state.players[seat].features))
    return closed


def checked(state: State, seat: Seat, feature: FeatureId, cells: Cells) -> Cells:
    """The cells in reading order; raises Illegal where the feature cannot be drawn in them."""
    drawn = tuple(sorted(cells))
    if all(place.cells != drawn for place in PLACEMENTS[state.options.short][feature]):
        raise _misshapen(feature)
    if bits_of(drawn) & occupied(state, seat):
        raise Illegal("spaces_taken", "Every space that the feature fills must be empty.")
    if bits_of(drawn) & _closed(state, seat, feature):
        raise Illegal("cable_connected", "A power cable must touch a power source or a power cable.")
    return drawn


def _misshapen(feature: FeatureId) -> Illegal:
    kind = KINDS[feature]
    turned = "the way up it is printed" if kind.upright else "turned or not, but never mirrored"
    return Illegal("exact_shape", f"{kind.name} is drawn inside the grid in its exact shape, {turned}.")
