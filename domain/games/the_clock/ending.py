"""How a game of The Clock ends."""

from domain.game_type import Result
from domain.games.the_clock.state import CENTRE, State, face_down, four_kings


def result(state: State) -> Result | None:
    """Over with the fourth king face up in the middle: won if no card lies face down any more.

    The score is the number of other cards that were shown before, 48 of them at most.
    """
    if not four_kings(state):
        return None
    score = (sum(map(len, state.shown[:CENTRE])),)
    if face_down(state):
        return Result("lost", "fourth_king", (), score)
    return Result("won", "all_face_up", (0,), score)
