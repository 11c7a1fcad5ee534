"""The kinds of analysis of game types: the search, its notes on the way, and the report.

`analyse` is the job of the child process. It has a bound of memory and of processor time: beyond it a verdict is open,
and the report is made of the notes so far.
"""

import resource
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal, Union

import msgspec
from msgspec import Struct

from domain.games import GAME_TYPES, AnyGameType
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE
from domain.kit.evaluation import Evaluator
from domain.play.aggregate import AnyRecord, fold
from domain.play.verify import records_by_step
from service.analysis.foresight import Foresight, foresee
from service.analysis.hands import BridgeReport, HandReport, expected_hands, hand_reports, report_hands
from service.analysis.history import (
    History,
    ask,
    expected_questions,
    has_solver,
    history_of,
    next_question,
)
from service.analysis.report import PatienceReport, VerdictSpan, find_lost_step, find_spans, report_patience
from service.analysis.swings import SeveralReport, Swing, expected_swings, judge_moves, moves_of, report_swings
from service.jobs.process import write_note
from service.jobs.stored_games import GameRef, prepare, records_of
from service.settings import Settings
from service.solving import Finding, Verdict

Report = PatienceReport | BridgeReport | SeveralReport
Kind = Literal["patience", "bridge", "several"]
"""`patience`: verdicts at its steps; `bridge`: the open stock; `several`: the share of a win before and after each
move."""
_GRACE = 30
"""Seconds of processor time in which the answer is written once the bound is reached; then the system ends it."""


def kind_of(game_type: AnyGameType) -> Kind | None:
    """How games of this type, in this revision, are analysed; None: they are not."""
    if has_solver(game_type):
        return "patience"
    if game_type.key == BRIDGE_SOLITAIRE.key:
        return "bridge"
    return "several" if game_type.has(Evaluator) and GAME_TYPES[game_type.key] is game_type else None


class Found(Struct, frozen=True, tag_field="kind", tag="verdict"):
    """A verdict as it is stored: commands as in a record; `spans`: every step's verdict, by it and those before."""

    step: int
    verdict: Verdict
    positions: int
    commands: tuple[dict[str, Any], ...]
    spans: tuple[VerdictSpan, ...] = ()


class Judged(Struct, frozen=True, tag_field="kind", tag="swing"):
    """A move that was judged."""

    swing: Swing


class Opened(Struct, frozen=True, tag_field="kind", tag="hand"):
    """A hand, analysed with its stock open."""

    hand: HandReport


class Foreseen(Struct, frozen=True, tag_field="kind", tag="foresight"):
    """Whether the loss could be known at the step that lost."""

    step: int
    foresight: Foresight


Note = Found | Judged | Opened | Foreseen
"""A finding of a search, stored so that another process can go on with it."""


class TimeIsUp(Exception):
    """The bound of processor time is reached."""


def search(records: Sequence[AnyRecord], earlier: Sequence[Note], bound: int | None) -> Iterator[tuple[Note, int]]:
    """The notes on this finished game that are not among the earlier ones, each with about how many there will be.

    `bound`, of a verdict, is in positions; None: the solver's own. `TimeIsUp` may end it anywhere.
    """
    game = fold(records)
    match kind_of(game.type):
        case "patience":
            yield from _look_for_loss(history_of(records), earlier, bound)
        case "bridge":
            steps = tuple(records_by_step(records))
            for hand in hand_reports(steps, [note.hand for note in earlier if isinstance(note, Opened)]):
                yield Opened(hand), expected_hands(steps)
        case "several":
            moves = moves_of(records)
            for swing in judge_moves(game, moves, [note.swing for note in earlier if isinstance(note, Judged)]):
                yield Judged(swing), expected_swings(moves)
        case None:
            raise ValueError(f"{game.type.key} is not analysed")


def _look_for_loss(history: History, earlier: Sequence[Note], bound: int | None) -> Iterator[tuple[Note, int]]:
    """A verdict that takes too much memory, or all the time, is open."""
    findings = findings_of(earlier, history.game.type)
    expected, before = expected_questions(history), len(findings)
    while (step := next_question(history, findings)) is not None:
        try:
            finding = ask(history, step, bound)
        except (MemoryError, TimeIsUp) as ended:  # the signal that the time is up comes every second
            if isinstance(ended, TimeIsUp) and len(findings) > before:
                raise
            finding = Finding("open", (), 0)
        findings[step] = finding
        commands = tuple(map(msgspec.to_builtins, finding.commands))
        yield Found(step, finding.verdict, finding.positions, commands, find_spans(history, findings)), expected
    lost = find_lost_step(history, findings)
    if lost is not None and _foresight_of(earlier, lost) is None and (foresight := foresee(history, lost)) is not None:
        yield Foreseen(lost, foresight), expected


def _foresight_of(notes: Sequence[Note], step: int | None) -> Foresight | None:
    return next((note.foresight for note in notes if isinstance(note, Foreseen) and note.step == step), None)


def conclude(records: Sequence[AnyRecord], notes: Sequence[Note], *, complete: bool) -> Report:
    """The report of these notes; `complete`: there are no more."""
    game = fold(records)
    match kind_of(game.type):
        case "patience":
            history, findings = history_of(records), findings_of(notes, game.type)
            foresight = _foresight_of(notes, find_lost_step(history, findings))
            return report_patience(history, findings, foresight, complete=complete)
        case "bridge":
            return report_hands([note.hand for note in notes if isinstance(note, Opened)], complete=complete)
        case "several":
            return report_swings([note.swing for note in notes if isinstance(note, Judged)], complete=complete)
        case None:
            raise ValueError(f"{game.type.key} is not analysed")


def command_type(kind: AnyGameType) -> Any:
    """The type of every command of this game type, to read stored JSON."""
    return Union[kind.commands]  # noqa: UP007  a union made of a tuple


def findings_of(notes: Sequence[Note], kind: AnyGameType) -> dict[int, Finding]:
    """The findings among the notes on a game of this type."""
    commands: Any = command_type(kind)
    return {
        note.step: Finding(note.verdict, msgspec.convert(note.commands, tuple[commands, ...]), note.positions)
        for note in notes
        if isinstance(note, Found)
    }


def analyse(
    conninfo: str, settings: Settings, ref: GameRef, bound: int, earlier: Sequence[Note], is_search: bool
) -> None:  # fmt: skip
    """The job of one analysis: send each note with about how many there will be, and at last the report as JSON.

    Without `is_search` the report is made of the earlier notes.
    """
    prepare(conninfo, settings)
    records, notes, complete = records_of(ref), [*earlier], False
    with _bounded(settings):
        for note, expected in search(records, earlier, bound or None) if is_search else ():
            notes.append(note)
            write_note((note, expected))
        complete = is_search
    write_note(msgspec.json.encode(conclude(records, notes, complete=complete)))


@contextmanager
def _bounded(settings: Settings) -> Iterator[None]:
    """Bounds of the process; the block ends where its time is up, wherever that is."""
    signal.signal(signal.SIGXCPU, _end_search)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    seconds = round(spent.ru_utime + spent.ru_stime + settings.analysis_seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (max(seconds, 1), seconds + _GRACE))
    size = settings.analysis_megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    with suppress(TimeIsUp):
        yield
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)


def _end_search(*_: object) -> None:
    raise TimeIsUp
