"""What a page of a game does not hold, as a sentence on it."""

from collections.abc import Sequence

from domain.game.aggregate import Game
from service.pictures.html.data import Looking


def note(game: Game, looking: Sequence[Looking], left_out: int = 0) -> str:
    """Empty where the page holds the whole game; `left_out` viewers had to stay away because it is long."""
    eyes = " and ".join(one.label for one in looking)
    if game.status not in ("finished", "voided"):
        return f"Not over yet: the game up to step {looking[0].frames[-1].step}. Seen by: {eyes}."
    if left_out:
        return f"A long game. Seen by: {eyes}, and no others."
    return "" if looking[-1].key == "all" else "Not every card of this game may be told yet."
