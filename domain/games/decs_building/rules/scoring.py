"""Decs Building: which features work, and what they are worth. Nothing is ever erased: what is powered stays so."""

from collections import Counter
from collections.abc import Sequence

from domain.games.decs_building.rules.grid import ALL, around, bits_of, conductors, occupied
from domain.games.decs_building.state import Feature, State
from domain.games.decs_building.state.board import EMPTY_SPACE, KINDS
from domain.view import Seat

HAND = 3
"""The hand size without a Santa."""


def powered(features: Sequence[Feature]) -> list[bool]:
    """For each feature whether it works: it touches a conductor, or needs no power."""
    live = around(conductors(features))
    return [not KINDS[one.feature].needs_power or bool(bits_of(one.cells) & live) for one in features]


def working(features: Sequence[Feature]) -> list[Feature]:
    """The features that work."""
    return [one for one, works in zip(features, powered(features), strict=True) if works]


def hand_size(features: Sequence[Feature]) -> int:
    """Three, and one for each powered Santa."""
    if not any(KINDS[one.feature].hand for one in features):
        return HAND
    return HAND + sum(KINDS[one.feature].hand for one in working(features))


def score(state: State, seat: Seat) -> int:
    """Points of the working features, what the candles and the Santas earn by each other, less the empty spaces."""
    features = working(state.players[seat].features)
    plain = sum(KINDS[one.feature].points for one in features)
    return plain + two_away_points(features) + alike_points(features) + EMPTY_SPACE * empty_spaces(state, seat)


def empty_spaces(state: State, seat: Seat) -> int:
    """Cells in which nothing is drawn; printed sources and unpowered features fill theirs."""
    return (ALL & ~occupied(state, seat)).bit_count()


def two_away_points(features: Sequence[Feature]) -> int:
    """What features of one kind earn for each other exactly two spaces away in a straight line: the candles."""
    points = 0
    for kind in {one.feature for one in features if KINDS[one.feature].each_two_away}:
        lit = {one.cells[0] for one in features if one.feature == kind}
        two_away = [
            cell
            for row, column in lit
            for cell in ((row - 2, column), (row + 2, column), (row, column - 2), (row, column + 2))
        ]
        points += KINDS[kind].each_two_away * sum(cell in lit for cell in two_away)
    return points


def alike_points(features: Sequence[Feature]) -> int:
    """What each feature of a kind earns or costs for each of that kind, itself too: the Santas."""
    counts = Counter(one.feature for one in features if KINDS[one.feature].each_alike)
    return sum(KINDS[kind].each_alike * count * count for kind, count in counts.items())


def winners(state: State, scores: Sequence[int]) -> tuple[Seat, ...]:
    """The seats in play with most points; with `fewest_empty_spaces` of these the ones that left the fewest empty."""
    playing = [seat for seat, player in enumerate(state.players) if not player.out]
    best = max(scores[seat] for seat in playing)
    first = [seat for seat in playing if scores[seat] == best]
    if state.options.tie_break == "shared":
        return tuple(first)
    fewest = min(empty_spaces(state, seat) for seat in first)
    return tuple(seat for seat in first if empty_spaces(state, seat) == fewest)
