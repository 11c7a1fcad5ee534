"""The outcome of every command, as a log line and in the metrics; never the command's content.

Outcomes: `accepted`; `rule`, with the slug of the rule that forbade it; `stale`; `repeated`, answered as the first
time; `refused`, with the kind of the problem; `failed`, with the error's class.
"""

from itertools import pairwise
from logging import INFO, getLogger
from time import perf_counter
from typing import NamedTuple, Self
from uuid import UUID

from domain.game_type import Illegal
from domain.play.aggregate import AnyRecord, Game
from domain.play.deciding import Step
from domain.view import Seat
from service.event_store.errors import StaleVersion
from service.problems import Problem, Refused
from service.telemetry import request_ids
from service.telemetry.logs import FastLogger
from service.telemetry.metrics import COMMAND_SECONDS, COMMANDS

_LINES, _LEVEL = FastLogger("commands"), getLogger("commands")


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
        self.note(error)

    def note(self, error: BaseException | None = None) -> None:
        """Note what became of the commands, now."""
        seconds, step, game = perf_counter() - self._began, self.step, self.game
        if step is None or error is not None:
            self._note(seconds, REPEATED if error is None else error_outcome(error), game)
            return
        if step.records[0].step != step.game.step:  # a list: one line for each of its commands
            for record, after in pairwise(step.records):
                if after.step != record.step:
                    self._note(seconds, ACCEPTED, step.game, record)
        self._note(seconds, ACCEPTED, step.game, step.records[-1])
        if self.refusal is not None:
            self._note(seconds, Outcome("rule", self.refusal.rule or ""), step.game)

    def _note(self, seconds: float, outcome: Outcome, game: Game | None, last: AnyRecord | None = None) -> None:
        """Note one command with the last record of it, else with the game as it stands (None: it was not read)."""
        kind = "" if game is None else game.type.key
        COMMANDS(kind, outcome.outcome, outcome.reason).inc()
        COMMAND_SECONDS(kind).observe(seconds)
        if self._lines and _LEVEL.isEnabledFor(INFO):
            stands = last or game
            _LINES.info("command", {
                "game": self._id, "game_type": kind, "version": stands and stands.version,
                "step": stands and stands.step, "seat": last.seat if last else self.seat,
                "player": self._player, "outcome": outcome.outcome, "reason": outcome.reason,
                "millis": round(1000 * seconds, 3), **request_ids.fields(),
            })  # fmt: skip
