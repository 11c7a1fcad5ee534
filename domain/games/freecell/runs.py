"""How many cards can move together. A run is carried by way of free cells and empty columns; we do it in one move."""

from domain.games.freecell.state import ACCEPTS, State
from domain.kit.patience import fitting, run_length, top_of
from domain.view import Card


def run_limit(state: State, into_space: bool) -> int:
    """The most cards that free cells and empty columns carry: (cells + 1) x 2 per empty column (KPatience handbook).

    An empty column that the run goes into cannot be used on the way.
    """
    if state.options.strict_single:
        return 1
    spaces = state.columns.count(()) - into_space
    return (state.cells.count(None) + 1) << max(spaces, 0)


def run_of(column: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards at the top of a column that lie in sequence and alternating colours."""
    return column[len(column) - run_length(column, ACCEPTS) :]


def most(state: State, source: int, target: int) -> int:
    """The number of cards that a move from column to column means where none is said; at least 1."""
    run, top = run_of(state.columns[source]), top_of(state.columns[target])
    if not run:
        return 1
    return max(fitting(run, top, ACCEPTS), 1) if top else min(len(run), run_limit(state, into_space=True))
