"""How a game of Spider ends, and when the player can be told that nothing more will come of it."""

from domain.game_type import Result
from domain.games.spider.legal import legal_commands
from domain.games.spider.state import COLUMNS, State, over


def result(state: State) -> Result | None:
    """Won with the eight runs removed; lost where nothing is legal any more, unless a move may still be taken back.

    The score is the number of cards removed. The rule of the source is that play goes on until no useful move is
    possible. Our ruling: it ends by itself without undo and where nothing at all is legal; useful is for the player
    to judge, who resigns.
    """
    if over(state):
        return Result("won", "all_home", (0,), (score(state),))
    if state.options.undo or not _dealt(state) or legal_commands(state, 0):
        return None
    return Result("lost", "no_moves", (), (score(state),))


def score(state: State) -> int:
    """The number of cards removed."""
    return 13 * len(state.finished)


def stuck(state: State) -> bool:
    """Whether nothing is legal any more, or the stock can never be dealt. Our ruling.

    With fewer than ten cards in the columns one of them stays empty for ever and no run can be finished: whatever is
    still moved, the stock stays where it is.
    """
    if over(state) or not _dealt(state):
        return False
    return _stock_out_of_reach(state) or not legal_commands(state, 0)


def _stock_out_of_reach(state: State) -> bool:
    return bool(state.stock) and not state.options.deal_with_spaces and sum(map(len, state.columns)) < COLUMNS


def _dealt(state: State) -> bool:
    """Before the deal there is nothing to do and yet nothing lost."""
    return bool(state.stock or state.finished or any(state.columns))
