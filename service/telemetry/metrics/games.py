"""What the room counts of each step."""

from domain.play.deciding import Step
from domain.play.events import Finished
from service.telemetry.metrics.counts import FINISHED, OPENED


def opened(step: Step) -> None:
    """A game was opened; one that was over with its deal has come to an end, too."""
    OPENED[(step.game.type.key,)] += 1
    stepped(step)


def stepped(step: Step) -> None:
    """A step was recorded."""
    if step.game.status == "finished" and any(isinstance(record.event, Finished) for record in step.records):
        FINISHED[(step.game.type.key,)] += 1
