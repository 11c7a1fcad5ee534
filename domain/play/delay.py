"""The spectators' delay: a viewer without a seat sees the game as it stood so many steps ago, until it is over.

The delay is counted in steps, so it needs no clock. The count begins with the deal: the deal and everything before it
are shown at once (house rule, ours).
"""

from collections.abc import Iterable

from domain.play.aggregate import AnyRecord, Game
from domain.play.events import GAME_EVENTS
from domain.view import Viewer


def holds_deal(step: Iterable[AnyRecord]) -> bool:
    """Whether these records hold an event of the game type: the first step that does is the deal."""
    return any(not isinstance(record.event, GAME_EVENTS) for record in step)


def shown_step(game: Game, dealt: int, viewer: Viewer) -> int:
    """The last step that this viewer may know of; `dealt` is the step of the deal, 0 while there is none."""
    delay = game.opening.spectator_delay
    if delay == 0 or viewer is not None or game.status != "playing":
        return game.step
    return max(dealt, game.step - delay)
