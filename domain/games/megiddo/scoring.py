"""Megiddo: when a game is over, what it is worth, and who begins the next one."""

from domain.games.megiddo.events import GameScored, Over
from domain.games.megiddo.state import State
from domain.games.megiddo.stones import EMPTY, other
from domain.view import Seat

LINE, EXTRA_LINE, CAPTURED = 6, 12, 1
"""Points for the winning line, for each further one completed with it, and for a captured stone (the original)."""


def scored(state: State, mover: Seat) -> GameScored | None:
    """The end of this game after the mover's turn, or None; only the mover can have won."""
    over = _over(state, mover)
    if over is None:
        return None
    winner = mover if over in ("megiddo", "arbatta") else None
    return GameScored(over, winner, (_points(state, 0, mover), _points(state, 1, mover)))


def _over(state: State, mover: Seat) -> Over | None:
    """A line comes before six captured stones, and these before the full board."""
    if state.lines:
        return "megiddo"
    if state.captured[mover] >= state.board.arbatta:
        return "arbatta"
    if EMPTY not in state.stones:
        return "patara"
    # Our ruling: with moves a game could go on for ever; it is drawn after as many in a row as there are points.
    return "no_progress" if state.idle >= len(state.stones) else None


def _points(state: State, seat: Seat, mover: Seat) -> int:
    """Captured stones count for either side, lines for the side that made them (our reading)."""
    lines = LINE + EXTRA_LINE * (state.lines - 1) if state.lines and seat == mover else 0
    return CAPTURED * state.captured[seat] + lines


def next_first(state: State) -> Seat:
    """The loser begins; after a drawn game the seat that did not begin it (our ruling)."""
    return other(state.first if state.winner is None else state.winner)
