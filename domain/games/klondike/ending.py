"""How a game of Klondike ends."""

from domain.game_type import Result
from domain.games.klondike.legal import legal_commands
from domain.games.klondike.passes import on_last_pass
from domain.games.klondike.state import State
from domain.kit.patience import all_home


def result(state: State) -> Result | None:
    """Won with all cards home; lost where nothing is legal any more, unless a move may still be taken back.

    The score is the number of cards on the foundations. The rule of the source is that play goes on until no move is
    possible: not even drawing or recycling. Our ruling: with undo the game then stays open and is told as stuck.
    """
    if all_home(state.foundations):
        return Result("won", "all_home", (0,), (score(state),))
    if state.options.undo or not _dealt(state) or legal_commands(state, 0):
        return None
    reason = "last_pass" if on_last_pass(state) else "no_moves"
    return Result("lost", reason, (), (score(state),))


def score(state: State) -> int:
    """The number of cards on the foundations."""
    return sum(state.foundations)


def _dealt(state: State) -> bool:
    """Before the deal there is nothing to do and yet nothing lost."""
    return bool(state.stock or state.waste or any(state.columns) or any(state.foundations))
