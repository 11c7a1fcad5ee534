"""The live line: the events of a game that were not taken back, from one viewer's frames."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from domain.play import events as ev
from domain.play.frames import Frame


class LiveLine(NamedTuple):
    """The game type's own events: those of the deal, and those of the steps that stand."""

    deal: tuple[Any, ...]
    events: tuple[Any, ...]


def live_line(frames: Iterable[Frame]) -> LiveLine:
    """The live line of these frames, from the game's first one on; of a game that waits it is empty."""
    steps: list[tuple[int, tuple[Any, ...]]] = []
    for frame in frames:
        if any(isinstance(event, ev.Undone) for event in frame.events):
            steps = [step for step in steps if step[0] <= frame.live_step]
        if own := tuple(event for event in frame.events if not isinstance(event, ev.GAME_EVENTS)):
            steps.append((frame.step, own))
    deal = steps[0][1] if steps else ()
    return LiveLine(deal, tuple(event for _, own in steps[1:] for event in own))
