"""How a game of Seahaven Towers ends, and when nothing more can come of it."""

from domain.game_type import Result
from domain.games.seahaven_towers.events import Move
from domain.games.seahaven_towers.legal import moves
from domain.games.seahaven_towers.state import COLUMN, State
from domain.kit.patience import all_home


def result(state: State) -> Result | None:
    """Won with all cards home; lost where no card can move any more, unless moves may be taken back.

    The score is the number of cards on the foundations. Our ruling: with undo a game without a move stays open and is
    told as stuck.
    """
    if all_home(state.foundations):
        return Result("won", "all_home", (0,), (score(state),))
    if state.options.undo or not _dealt(state) or moves(state):
        return None
    return Result("lost", "no_moves", (), (score(state),))


def score(state: State) -> int:
    """The number of cards on the foundations."""
    return sum(state.foundations)


def stuck(state: State) -> bool:
    """Whether no card can move to any effect. Our ruling: a whole column that only changes its place has none."""
    if all_home(state.foundations) or not _dealt(state):
        return False
    return not any(_matters(state, move) for move in moves(state))


def _matters(state: State, move: Move) -> bool:
    """False for a whole column that goes to an empty one."""
    if move.source not in COLUMN or move.target not in COLUMN or state.columns[COLUMN[move.target]]:
        return True
    return move.count < len(state.columns[COLUMN[move.source]])


def _dealt(state: State) -> bool:
    """Before the deal there is nothing to do and yet nothing lost."""
    return any(state.columns)
