"""The process of one analysis: `python -m service.analysis`, started by the analyst.

It reads its task from standard input and writes a line of JSON for each verdict, and one for the answer. It has a bound
of memory and of processor time: beyond it a verdict is open, and the answer tells what was found so far.
"""

import os
import resource
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from domain.play.aggregate import Game, fold
from domain.play.form import StepRecords
from service import solving
from service.analysis.foresight import foresee
from service.analysis.hands import BridgeReport, hand_reports, report_hands
from service.analysis.history import History, history_of
from service.analysis.kinds import kind_of
from service.analysis.process import Line, Task
from service.analysis.questions import ask, expected_questions, next_question
from service.analysis.queue import Found, Judged, findings_of, found_of
from service.analysis.report import PatienceReport, find_lost_step, find_spans, report
from service.analysis.swings import (
    Move,
    SeveralReport,
    expected_swings,
    judge_moves,
    moves_of,
    report_swings,
)
from service.live.heavy import stored
from service.settings import Settings
from service.workers.searching import take_task, write_line

_GRACE = 30
"""Seconds of processor time in which the answer is written once the bound is reached; then the system ends it."""


class _TimeIsUp(Exception):
    """The bound of processor time is reached."""


def main() -> None:
    """Answer the task, and end."""
    task: Task = take_task()
    stored.prepare(task.conninfo, task.settings)
    steps = stored.replay_of(task.ref).steps
    game = fold(record for step in steps for record in step)
    match kind_of(game.type):
        case "patience":
            write_line(Line(report=_look_for_loss(steps, task)))
        case "bridge":
            write_line(Line(report=_open_stock(steps, task)))
        case "several":
            write_line(Line(report=_judge(game, moves_of(record for step in steps for record in step), task)))
        case None:
            raise ValueError(f"{game.type.key} is not analysed")
    os._exit(0)


def _look_for_loss(steps: Iterable[StepRecords], task: Task) -> PatienceReport:
    history, foresight = history_of(record for step in steps for record in step), None
    findings = findings_of(task.found, history.game.type)
    with _bounded(task) as search:
        for found in _verdicts(history, findings, task.bound) if search else ():
            write_line(Line(expected_questions(history), found))
        if search:
            foresight = foresee(history, find_lost_step(history, findings))
    return report(history, findings, foresight)


def _verdicts(history: History, findings: dict[int, solving.Finding], bound: int) -> Iterator[Found]:
    """Ask for verdicts until there is no more to ask; one that takes too much memory is open."""
    while (step := next_question(history, findings)) is not None:
        try:
            findings[step] = ask(history, step, bound or None)
        except MemoryError:
            findings[step] = solving.Finding("open", (), 0)
        yield found_of(step, findings[step], find_spans(history, findings))


def _open_stock(steps: Iterable[StepRecords], task: Task) -> BridgeReport:
    hands = []
    with _bounded(task) as search:
        for hand in hand_reports(steps) if search else ():
            hands.append(hand)
    return report_hands(hands)


def _judge(game: Game, moves: Sequence[Move], task: Task) -> SeveralReport:
    swings = [one.swing for one in task.found if isinstance(one, Judged)]
    with _bounded(task) as search:
        for swing in judge_moves(game, moves, tuple(swings)) if search else ():
            swings.append(swing)
            write_line(Line(expected_swings(moves), Judged(swing)))
    return report_swings(swings)


@contextmanager
def _bounded(task: Task) -> Iterator[bool]:
    """Work until it is done or the time is up, wherever that is; whether there is to be a search at all."""
    _set_bounds(task.settings)
    with suppress(_TimeIsUp):
        yield task.search
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)


def _set_bounds(settings: Settings) -> None:
    signal.signal(signal.SIGXCPU, _end_search)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    seconds = round(spent.ru_utime + spent.ru_stime + settings.analysis_seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (max(seconds, 1), seconds + _GRACE))
    size = settings.analysis_megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def _end_search(*_: object) -> None:
    raise _TimeIsUp


if __name__ == "__main__":
    main()
