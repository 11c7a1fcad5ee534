"""The process of one analysis: `python -m service.analysis`, started by the analyst.

It reads its task from standard input and writes a line of JSON for each verdict, and one for the answer. It has a bound
of memory and of processor time: beyond it a verdict is open, and the answer tells what was found so far.
"""

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from service.analysis.kinds import TimeIsUp, conclude, search
from service.analysis.queue import Line, Task
from service.live.heavy import stored
from service.settings import Settings
from service.workers.searching import take_task, write_line

_GRACE = 30
"""Seconds of processor time in which the answer is written once the bound is reached; then the system ends it."""


def main() -> None:
    """Answer the task, and end."""
    task: Task = take_task()
    stored.prepare(task.conninfo, task.settings)
    records = [record for step in stored.replay_of(task.ref).steps for record in step]
    found, complete = [*task.found], False
    with _bounded(task) as wanted:
        for note, expected in search(records, task.found, task.bound or None) if wanted else ():
            found.append(note)
            write_line(Line(expected, note))
        complete = wanted
    write_line(Line(report=conclude(records, found, complete=complete)))
    os._exit(0)


@contextmanager
def _bounded(task: Task) -> Iterator[bool]:
    """Work until it is done or the time is up, wherever that is; whether there is to be a search at all."""
    _set_bounds(task.settings)
    with suppress(TimeIsUp):
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
    raise TimeIsUp


if __name__ == "__main__":
    main()
