"""What is counted: passes through the stock, and the cards that still have to go."""

from domain.games.pyramid.state import State
from domain.kit.cards import PACK


def recycles_left(state: State) -> int | None:
    """How often the waste may still be turned over; None: any number of times."""
    passes = state.options.passes
    return None if passes is None else passes - 1 - state.recycles


def dealt(state: State) -> bool:
    """Whether cards are on the table: before the deal nothing is won or lost."""
    return bool(state.pyramid[0] or state.discard)


def won(state: State) -> bool:
    """Whether all has gone that must: the pyramid, whose top goes last, or the whole pack."""
    if state.options.clear_all:
        return len(state.discard) == len(PACK)
    return not state.pyramid[0] and bool(state.discard)


def score(state: State) -> int:
    """The cards that still have to go: of the pyramid, or with `clear_all` of the pack."""
    if state.options.clear_all:
        return len(PACK) - len(state.discard)
    return sum(map(bool, state.pyramid))
