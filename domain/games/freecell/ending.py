"""How a game of FreeCell ends, and when nothing more can be done."""

from domain.game_type import Result
from domain.games.freecell.legal import moves
from domain.games.freecell.state import State
from domain.kit.patience import all_home


def result(state: State) -> Result | None:
    """Won with all cards home; lost where no card can move any more, unless moves may be taken back.

    The score is the number of cards on the foundations. Our ruling: with undo a game without a move stays open and is
    told as stuck.
    """
    if all_home(state.foundations):
        return Result("won", "all_home", (0,), (score(state),))
    return None if state.options.undo or not stuck(state) else Result("lost", "no_moves", (), (score(state),))


def score(state: State) -> int:
    """The number of cards on the foundations."""
    return sum(state.foundations)


def stuck(state: State) -> bool:
    """Whether no card can move: all cells are full, no column is empty and no card fits.

    While a column is empty something can always be done: a cell is free for a card, or its card can go there.
    """
    return () not in state.columns and not moves(state)
