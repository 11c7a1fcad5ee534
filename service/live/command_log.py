"""What became of every command: one line in the log, and the counts. Never what the command said.

Outcomes: `accepted`; `rule`, with the slug of the rule that forbade it; `stale`; `repeated`, answered as the first
time; `refused`, with the kind of the problem; `failed`, with the error's class.
"""

from time import perf_counter
from typing import NamedTuple
from uuid import UUID

from domain.game_type import Illegal, Seat
from domain.play.aggregate import Game
from domain.play.deciding import Step
from service.event_store.errors import StaleVersion
from service.problems import Refused
from service.telemetry import request_ids
from service.telemetry.logs import Lean
from service.telemetry.metrics.counts import COMMAND_SECONDS, COMMANDS

_LINES = Lean("commands")


class Outcome(NamedTuple):
    """What became of a command, and why."""

    outcome: str
    reason: str = ""


ACCEPTED, REPEATED = Outcome("accepted"), Outcome("repeated")


def of_error(error: BaseException) -> Outcome:
    """What this error says of the command that met it."""
    if isinstance(error, Illegal):
        return Outcome("rule", error.rule)
    if isinstance(error, StaleVersion) or (isinstance(error, Refused) and error.kind == "stale_version"):
        return Outcome("stale")
    return Outcome("refused", error.kind) if isinstance(error, Refused) else Outcome("failed", type(error).__name__)


class CommandLog:
    """The commands of one request, timed from here on. `lines`: whether each has a line in the log."""

    def __init__(self, game: UUID, player: UUID, lines: bool) -> None:
        self._game, self._player, self._lines = game, player, lines
        self._began = perf_counter()

    def accepted(self, step: Step, seat: Seat | None) -> None:
        """Every command that was recorded, each with the version and the step it led to."""
        seconds = perf_counter() - self._began
        *earlier, last = step.records
        for record, after in zip(earlier, step.records[1:], strict=True) if earlier else ():
            if after.step != record.step:
                self._noted(ACCEPTED, step.game.type.key, seconds, record.version, record.step, seat)
        self._noted(ACCEPTED, step.game.type.key, seconds, last.version, last.step, seat)

    def ended(self, outcome: Outcome, game: Game | None, seat: Seat | None) -> None:
        """A command that was not accepted, against the game as it stood, where it came so far."""
        seconds = perf_counter() - self._began
        kind, version, step = ("", None, None) if game is None else (game.type.key, game.version, game.step)
        self._noted(outcome, kind, seconds, version, step, seat)

    def _noted(
        self, outcome: Outcome, kind: str, seconds: float, version: int | None, step: int | None, seat: Seat | None
    ) -> None:
        COMMANDS[kind, outcome.outcome, outcome.reason] += 1
        COMMAND_SECONDS[(kind,)].add(seconds)
        if self._lines:
            _LINES.info("command", {
                "game": self._game, "game_type": kind, "version": version, "step": step, "seat": seat,
                "player": self._player, "outcome": outcome.outcome, "reason": outcome.reason,
                "millis": round(1000 * seconds, 3), **request_ids.fields(),
            })  # fmt: skip
