"""How a game of Canfield ends."""

from domain.game_type import Result
from domain.games.canfield.legal import legal_commands
from domain.games.canfield.passes import all_home
from domain.games.canfield.state import State


def result(state: State) -> Result | None:
    """Won with all cards home; lost where nothing is legal any more, unless a move may still be taken back.

    The score is the number of cards on the foundations, the dealt base card among them. The rule of the source is that
    play goes on until no move is possible: not even drawing or recycling. Our ruling: with undo the game then stays
    open and is told as stuck.
    """
    if all_home(state):
        return Result("won", "all_home", (0,), (score(state),))
    if state.options.undo or not state.base or legal_commands(state, 0):
        return None
    return Result("lost", "no_moves", (), (score(state),))


def score(state: State) -> int:
    """The number of cards on the foundations, the dealt base card among them."""
    return sum(state.foundations)
