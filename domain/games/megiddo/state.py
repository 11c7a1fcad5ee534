"""Megiddo: the state of a game, and how it ends."""

from domain.game_type import Concealed, Result
from domain.games.megiddo.board import BOARDS, Board
from domain.games.megiddo.events import Over
from domain.games.megiddo.options import Options
from domain.games.megiddo.stones import EMPTY
from domain.view import Seat


class State(Concealed, frozen=True, omit_defaults=True):
    """The board and what was counted. Nothing is hidden.

    `stones` has one character for each point, ring by ring: `.`, or the seat whose stone lies there. `first` began
    this game; `captured`, `lines` and `idle` (moves in a row without a capture) are of this game, `scores` of the
    match. `over` and `winner` tell of the last game until the next one starts.
    """

    options: Options = Options()
    stones: str = ""
    turn: Seat | None = None
    first: Seat = 0
    number: int = 0
    captured: tuple[int, int] = (0, 0)
    lines: int = 0
    idle: int = 0
    over: Over | None = None
    winner: Seat | None = None
    scores: tuple[int, int] = (0, 0)

    @property
    def board(self) -> Board:
        return BOARDS[self.options.variant]


def initial(options: Options, seats: int) -> State:
    """The empty board."""
    return State(options, EMPTY * BOARDS[options.variant].size ** 2)


def result(state: State) -> Result | None:
    """How the game ended, or the match; None while it goes on."""
    if state.over is None:
        return None
    return _match(state) if state.options.match_points else _single(state, state.over)


def _single(state: State, over: Over) -> Result:
    if state.winner is None:
        return Result("drawn", over, (), state.scores)
    return Result("won", over, (state.winner,), state.scores)


def _match(state: State) -> Result | None:
    """Won by whoever has the points, and more than the other: equal ones play on (our ruling)."""
    ours, theirs = state.scores
    if ours == theirs or max(ours, theirs) < state.options.match_points:
        return None
    return Result("won", "match_points", (int(theirs > ours),), state.scores)
