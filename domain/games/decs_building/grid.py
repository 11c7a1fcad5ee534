"""Decs Building: the grid as sets of cells, each cell a bit: where a feature may be drawn, what works, its worth.

Nothing is ever erased: what is powered stays so.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from domain.game_type import Illegal
from domain.games.decs_building import state as decs
from domain.games.decs_building.state import Feature, FeatureId, Kind, State
from domain.view import Cell, Cells, Seat

HAND = 3
"""The hand size without a Santa."""


class Placement(NamedTuple):
    """A shape in one place: its cells in reading order, and as bits; its turning, and where the corner of that lies."""

    cells: Cells
    bits: int
    turning: Cells
    anchor: Cell


def free_places(state: State, seat: Seat, feature: FeatureId) -> Iterator[Placement]:
    """Every place for the feature in this seat's grid, in reading order."""
    closed = _closed_to(state, seat, feature)
    return (place for place in PLACEMENTS[state.options.short][feature] if not place.bits & closed)


def fits(state: State, seat: Seat, feature: FeatureId) -> bool:
    """Whether there is any."""
    return next(free_places(state, seat, feature), None) is not None


def check_cells(state: State, seat: Seat, feature: FeatureId, cells: Cells) -> Cells:
    """The cells in reading order; raises Illegal where the feature cannot be drawn in them."""
    drawn, kind = tuple(sorted(cells)), decs.KINDS[feature]
    if all(place.cells != drawn for place in PLACEMENTS[state.options.short][feature]):
        turned = "the way up it is printed" if kind.upright else "turned or not"
        raise Illegal("exact_shape", f"{kind.name} is drawn inside the grid in its exact shape, {turned}.")
    if bits_of(drawn) & count_occupied(state, seat):
        raise Illegal("spaces_taken", "Every space that the feature fills must be empty.")
    if bits_of(drawn) & _closed_to(state, seat, feature):
        raise Illegal("cable_connected", "A power cable must touch a power source or a power cable.")
    return drawn


def count_occupied(state: State, seat: Seat) -> int:
    """The cells of a seat's grid in which nothing can be drawn any more, as bits."""
    drawn = bits_of(cell for entry in state.players[seat].features for cell in entry.cells)
    return drawn | SOURCES | UNDRAWN[state.options.short]


def conductors(features: Sequence[Feature]) -> int:
    """Power sources, cables and powered banners, as bits: what a cable may touch and what gives power.

    House rule, ours: a banner that touches a powered banner is powered too.
    """
    live = (
        bits_of(cell for entry in features if decs.KINDS[entry.feature].conducts == "always" for cell in entry.cells)
        | SOURCES
    )
    banners = [bits_of(entry.cells) for entry in features if decs.KINDS[entry.feature].conducts == "if_powered"]
    for _ in banners:
        live |= sum(banner for banner in banners if not banner & live and around(banner) & live)
    return live


def around(bits: int) -> int:
    """The cells orthogonally adjacent to any of these."""
    row_neighbours = (bits & ~_RIGHT) << 1 | (bits & ~_LEFT) >> 1
    return (row_neighbours | bits << decs.COLUMNS | bits >> decs.COLUMNS) & ALL


def bits_of(cells: Iterable[Cell]) -> int:
    """The cells as bits: (1, 1) is the lowest, rows follow each other."""
    bits = 0
    for row, column in cells:
        bits |= 1 << (decs.COLUMNS * (row - 1) + column - 1)
    return bits


def orientations(kind: Kind) -> list[Cells]:
    """The shape as it may be drawn, from (0, 0): as printed, and turned unless upright; never mirrored."""
    rows = enumerate(kind.shape.split("/"))
    turns = [tuple((row, column) for row, line in rows for column, mark in enumerate(line) if mark == "X")]
    for _ in range(0 if kind.upright else 3):
        bottom = max(row for row, _ in turns[-1])
        turns.append(tuple(sorted((column, bottom - row) for row, column in turns[-1])))
    return list(dict.fromkeys(turns))


def find_powered(features: Sequence[Feature]) -> list[bool]:
    """For each feature whether it works: it touches a conductor, or needs no power."""
    live = around(conductors(features))
    return [not decs.KINDS[entry.feature].needs_power or bool(bits_of(entry.cells) & live) for entry in features]


def working(features: Sequence[Feature]) -> list[Feature]:
    """The features that work."""
    return [entry for entry, works in zip(features, find_powered(features), strict=True) if works]


def hand_size(features: Sequence[Feature]) -> int:
    """Three, and one for each powered Santa."""
    if not any(decs.KINDS[entry.feature].hand for entry in features):
        return HAND
    return HAND + sum(decs.KINDS[entry.feature].hand for entry in working(features))


def score(state: State, seat: Seat) -> int:
    """Points of the working features, what the candles and the Santas earn by each other, less the empty spaces."""
    features = working(state.players[seat].features)
    plain = sum(decs.KINDS[entry.feature].points for entry in features)
    return plain + two_away_points(features) + alike_points(features) + decs.EMPTY_SPACE * empty_spaces(state, seat)


def empty_spaces(state: State, seat: Seat) -> int:
    """Cells in which nothing is drawn; printed sources and unpowered features fill theirs."""
    return (ALL & ~count_occupied(state, seat)).bit_count()


def two_away_points(features: Sequence[Feature]) -> int:
    """What features of one kind earn for each other exactly two spaces away in a straight line: the candles."""
    points = 0
    for kind in {entry.feature for entry in features if decs.KINDS[entry.feature].each_two_away}:
        lit = {entry.cells[0] for entry in features if entry.feature == kind}
        two_away = [
            cell
            for row, column in lit
            for cell in ((row - 2, column), (row + 2, column), (row, column - 2), (row, column + 2))
        ]
        points += decs.KINDS[kind].each_two_away * sum(cell in lit for cell in two_away)
    return points


def alike_points(features: Sequence[Feature]) -> int:
    """What each feature of a kind earns or costs for each of that kind, itself too: the Santas."""
    counts = Counter(entry.feature for entry in features if decs.KINDS[entry.feature].each_alike)
    return sum(decs.KINDS[kind].each_alike * count * count for kind, count in counts.items())


def winners(state: State, scores: Sequence[int]) -> tuple[Seat, ...]:
    """The seats in play with most points; with `fewest_empty_spaces` of these the ones that left the fewest empty."""
    playing = [seat for seat, player in enumerate(state.players) if not player.out]
    best = max(scores[seat] for seat in playing)
    first = [seat for seat in playing if scores[seat] == best]
    if state.options.tie_break == "shared":
        return tuple(first)
    fewest = min(empty_spaces(state, seat) for seat in first)
    return tuple(seat for seat in first if empty_spaces(state, seat) == fewest)


def _closed_to(state: State, seat: Seat, feature: FeatureId) -> int:
    """The cells that the feature cannot fill: taken ones, and for a cable those that touch no conductor."""
    closed = count_occupied(state, seat)
    if decs.KINDS[feature].on_power:
        closed |= ~around(conductors(state.players[seat].features))
    return closed


def _place_everywhere(kind: Kind, first_row: int) -> Iterator[Placement]:
    for shape in orientations(kind):
        height, width = max(row for row, _ in shape), max(column for _, column in shape)
        for top in range(first_row, decs.ROWS - height + 1):
            for left in range(1, decs.COLUMNS - width + 1):
                cells = tuple((top + row, left + column) for row, column in shape)
                yield Placement(cells, bits_of(cells), shape, (top, left))


ALL = bits_of((row, column) for row in range(1, decs.ROWS + 1) for column in range(1, decs.COLUMNS + 1))
UNDRAWN = {
    False: 0,
    True: bits_of((row, column) for row in range(1, decs.SHORT_FIRST_ROW) for column in range(1, decs.COLUMNS + 1)),
}
"""The cells that are not drawn, by whether the game is short."""

SOURCES = bits_of(decs.PRINTED_SOURCES)
_LEFT = bits_of((row, 1) for row in range(1, decs.ROWS + 1))
_RIGHT = bits_of((row, decs.COLUMNS) for row in range(1, decs.ROWS + 1))

PLACEMENTS: dict[bool, dict[FeatureId, tuple[Placement, ...]]] = {
    short: {
        feature: tuple(sorted(_place_everywhere(kind, decs.SHORT_FIRST_ROW if short else 1)))
        for feature, kind in decs.KINDS.items()
    }
    for short in (False, True)
}
"""Every place of every feature in the empty grid, in reading order, by whether the game is short."""
