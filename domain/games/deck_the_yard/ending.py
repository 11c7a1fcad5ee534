"""How a game of Deck the Yard stands and ends, and when no more cards can be claimed."""

from typing import Literal

from domain.game_type import Result
from domain.games.deck_the_yard.patterns import completed, within_reach
from domain.games.deck_the_yard.state import TO_WIN, State

Phase = Literal["deal", "action", "use_plug", "claim_pattern", "finished"]


def phase(state: State) -> Phase:
    """What the player is to say next."""
    if state.over is not None:
        return "finished"
    if state.drawn is not None:
        return "use_plug"
    if len(completed(state)) > 1:
        return "claim_pattern"
    return "action" if state.hand else "deal"


def result(state: State) -> Result | None:
    """Won with eight claimed cards or more, lost with fewer. The score is their number."""
    if state.over is None:
        return None
    if len(state.claims) >= TO_WIN:
        return Result("won", "eight_claims", (0,), (score(state),))
    return Result("lost", state.over, (), (score(state),))


def score(state: State) -> int:
    """The number of claimed cards."""
    return len(state.claims)


def stuck(state: State) -> bool:
    """Whether nothing more can be claimed, told only once the stock is empty and the hand is all there is.

    Our ruling: bulbs that can be added to a line-up which the hand cannot complete change nothing any more.
    """
    if state.stock or phase(state) != "action":
        return False
    return not any(within_reach(state, pattern) for pattern in state.face_up)
