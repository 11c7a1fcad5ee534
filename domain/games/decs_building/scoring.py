"""Decs Building: the points of a grid."""

from collections.abc import Sequence

from domain.game_type import Seat
from domain.games.decs_building.board import CANDLE_BONUS, KINDS
from domain.games.decs_building.grid import ALL, Cell
from domain.games.decs_building.power import occupied, working
from domain.games.decs_building.state import Feature, State


def score(state: State, seat: Seat) -> int:
    """Points of the working features, the candles' and the Santas' own, less two for each empty space."""
    features = working(state.players[seat].features)
    plain = sum(KINDS[one.feature].points for one in features)
    return plain + candle_points(features) + santa_points(features) - 2 * empty_spaces(state, seat)


def empty_spaces(state: State, seat: Seat) -> int:
    """Cells in which nothing is drawn; printed sources and unpowered features fill theirs."""
    return (ALL & ~occupied(state, seat)).bit_count()


def candle_points(features: Sequence[Feature]) -> int:
    """What the candles earn for each other: two for each candle exactly two spaces away in a straight line."""
    lit = {one.cells[0] for one in features if one.feature == "candle"}
    return CANDLE_BONUS * sum(cell in lit for candle in lit for cell in _two_away(candle))


def _two_away(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row - 2, column), (row + 2, column), (row, column - 2), (row, column + 2)]


def santa_points(features: Sequence[Feature]) -> int:
    """Each Santa takes away two points for every Santa there is."""
    santas = sum(one.feature == "santa" for one in features)
    return -2 * santas * santas


def winners(state: State, scores: Sequence[int]) -> tuple[Seat, ...]:
    """The seats in play with most points; with `fewest_empty_spaces` of these the ones that left the fewest empty."""
    playing = [seat for seat, player in enumerate(state.players) if not player.out]
    best = max(scores[seat] for seat in playing)
    first = [seat for seat in playing if scores[seat] == best]
    if state.options.tie_break == "shared":
        return tuple(first)
    fewest = min(empty_spaces(state, seat) for seat in first)
    return tuple(seat for seat in first if empty_spaces(state, seat) == fewest)
