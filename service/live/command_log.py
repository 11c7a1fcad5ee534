"""The outcome of every command, as a log line and in the metrics; never the command's content.

Outcomes: `accepted`; `rule`, with the slug of the rule that forbade it; `stale`; `repeated`, answered as the first
time; `refused`, with the kind of the problem; `failed`, with the error's class.
"""

from itertools import pairwise
from time import perf_counter
from typing import NamedTuple, Self
from uuid import UUID

from domain.game_type import Illegal
from domain.play.aggregate import Game
from domain.play.deciding import Step
from domain.view import Seat
from service.event_store.errors import StaleVersion
from service.problems import Problem, Refused
from service.telemetry import request_ids
from service.telemetry.logs import Lean
from service.telemetry.metrics.counts import COMMAND_SECONDS, COMMANDS

_LINES = Lean("commands")


class Outcome(NamedTuple):
    """A command's outcome, and why."""

    outcome: str
    reason: str = ""


ACCEPTED, REPEATED = Outcome("accepted"), Outcome("repeated")


def error_outcome(error: BaseException) -> Outcome:
    """The outcome of a command that raised this error."""
    if isinstance(error, Illegal):
        return Outcome("rule", error.rule)
    if isinstance(error, StaleVersion) or (isinstance(error, Refused) and error.kind == "stale_version"):
        return Outcome("stale")
    return Outcome("refused", error.kind) if isinstance(error, Refused) else Outcome("failed", type(error).__name__)


class CommandLog:
    """The commands of one request, timed until the end of a `with` block, which then records their outcome.

    The block sets what it knows: the `game` before the command and the `seat` that speaks; after recording the `step`,
    and the `refusal` that ended a list. No step and no error: a repeat, answered as before. `lines`: whether each
    command is logged.
    """

    def __init__(self, game: UUID, player: UUID, lines: bool) -> None:
        self._id, self._player, self._lines = game, player, lines
        self._began = perf_counter()
        self.game: Game | None = None
        self.seat: Seat | None = None
        self.step: Step | None = None
        self.refusal: Problem | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self.step is None or error is not None:
            self._note_end(REPEATED if error is None else error_outcome(error), self.game)
            return
        self._note_accepted(self.step)
        if self.refusal is not None:
            self._note_end(Outcome("rule", self.refusal.rule or ""), self.step.game)

    def _note_accepted(self, step: Step) -> None:
        """Note every recorded command, with the version and the step it led to."""
        seconds, kind = perf_counter() - self._began, step.game.type.key
        last = step.records[-1]
        if step.records[0].step != last.step:
            for record, after in pairwise(step.records):
                if after.step != record.step:
                    self._note(ACCEPTED, kind, seconds, record.version, record.step)
        self._note(ACCEPTED, kind, seconds, last.version, last.step)

    def _note_end(self, outcome: Outcome, game: Game | None) -> None:
        """Note a command that was not accepted; `game` is None if it was not read yet."""
        seconds = perf_counter() - self._began
        kind, version, step = ("", None, None) if game is None else (game.type.key, game.version, game.step)
        self._note(outcome, kind, seconds, version, step)

    def _note(self, outcome: Outcome, kind: str, seconds: float, version: int | None, step: int | None) -> None:
        COMMANDS[kind, outcome.outcome, outcome.reason] += 1
        COMMAND_SECONDS[(kind,)].add(seconds)
        if self._lines:
            _LINES.info("command", {
                "game": self._id, "game_type": kind, "version": version, "step": step, "seat": self.seat,
                "player": self._player, "outcome": outcome.outcome, "reason": outcome.reason,
                "millis": round(1000 * seconds, 3), **request_ids.fields(),
            })  # fmt: skip
