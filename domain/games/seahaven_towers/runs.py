"""How many cards can move together. A run is carried by way of the towers; we do it in one move."""

from domain.games.seahaven_towers.state import State
from domain.kit.patience import IN_SUIT, KINGS, fitting, run_length, top_of
from domain.view import Card


def run_limit(state: State, into_space: bool) -> int:
    """The most cards that the towers carry: free towers + 1 (AisleRiot).

    Empty columns do not help, for they take only kings; with `any_card` each of them doubles the number, but for one
    that the run goes into (KPatience handbook, for FreeCell).
    """
    if state.options.strict_single:
        return 1
    spaces = state.columns.count(()) - into_space if state.options.any_card else 0
    return (state.towers.count(None) + 1) << max(spaces, 0)


def run_of(column: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards at the top of a column that lie in sequence and suit."""
    return column[len(column) - run_length(column, IN_SUIT) :]


def most(state: State, source: int, target: int) -> int:
    """The number of cards that a move from column to column means where none is said; at least 1."""
    run, top = run_of(state.columns[source]), top_of(state.columns[target])
    if not run:
        return 1
    if top:
        return max(fitting(run, top, IN_SUIT), 1)
    return min(len(run), run_limit(state, into_space=True)) if state.options.any_card else _kings_run(run)


def _kings_run(run: tuple[Card, ...]) -> int:
    return len(run) if run[0] in KINGS else 1
