"""The process of one analysis: `python -m service.analysis`, started by `service.analysis.process`.

It reads its task from standard input and writes a line of JSON for each verdict, and one for the answer. It has a bound
of memory and of processor time: beyond it a verdict is open, and the answer tells what was found so far. When standard
input is closed the parent has died, and it ends at once.
"""

import os
import pickle
import resource
import signal
import sys
from contextlib import suppress
from typing import Any

import msgspec

from service import solving
from service.analysis.history import History, history_of
from service.analysis.process import LENGTH, Line, Task
from service.analysis.questions import ask, expected_questions, next_question
from service.analysis.queue import findings_of, found_of
from service.analysis.report import report
from service.live.heavy import stored
from service.settings import Settings
from service.telemetry.background import start_thread

_GRACE = 30
"""Seconds of processor time in which the answer is written once the bound is reached; then the system ends it."""


class _TimeIsUp(Exception):
    """The bound of processor time is reached."""


def main() -> None:
    """Answer the task, and end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at the terminal is for the service, which ends this
    os.nice(10)
    stdin: Any = sys.stdin.buffer
    task: Task = pickle.loads(stdin.read(int.from_bytes(stdin.read(LENGTH), "big")))
    start_thread(_end_with_parent, "asked")
    stored.prepare(task.conninfo, task.settings)
    history = history_of(record for step in stored.replay_of(task.ref).steps for record in step)
    findings = findings_of(task.found, history.game.type)
    if task.search:
        _search(history, findings, task)
    _write(Line(report=report(history, findings)))
    os._exit(0)


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def _search(history: History, findings: dict[int, solving.Finding], task: Task) -> None:
    """Ask for verdicts until there is no more to ask, or the time is up; one that takes too much memory is open."""
    _set_bounds(task.settings)
    with suppress(_TimeIsUp):
        while (step := next_question(history, findings)) is not None:
            try:
                findings[step] = ask(history, step, task.bound)
            except MemoryError:
                findings[step] = solving.Finding("open", (), 0)
            _write(Line(expected_questions(history), found_of(step, findings[step])))
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


def _write(line: Line) -> None:
    text = msgspec.json.encode(line) + b"\n"
    while text:
        text = text[os.write(sys.stdout.fileno(), text) :]


if __name__ == "__main__":
    main()
