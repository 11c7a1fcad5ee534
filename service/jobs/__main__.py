"""The child process of jobs, `python -m service.jobs NAME`: it runs the jobs it reads, one after the other.

The module `service.jobs.process` describes its frames. It ends at once when its standard input is closed: the parent
has died.
"""

import copyreg
import ctypes
import os
import pickle
import signal
import sys
import traceback
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from domain.game_type import Forbidden, Illegal, Missing
from service.jobs.process import LENGTH, Start, take_output, to_frame, write
from service.keys.sealing import SealingKeyMissing
from service.telemetry.background import start_thread

_PR_SET_PDEATHSIG = 1

for kind in (Illegal, Forbidden, Missing):
    copyreg.pickle(kind, lambda error: (type(error), (error.rule, error.message, error.pointer)))
copyreg.pickle(SealingKeyMissing, lambda error: (SealingKeyMissing, (error.stream, error.key)))


def main() -> None:
    """Run jobs until the parent kills this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at the terminal is for the service, which ends this
    take_output()
    start: Start = pickle.loads(_read_frame())
    _lower_priority(start)
    jobs = SimpleQueue[bytes]()
    start_thread(partial(_read_jobs, jobs), "jobs")
    if start.setup is not None:
        work, args, kwargs = start.setup
        work(*args, **kwargs)
    while True:
        job = jobs.get()
        signal.setitimer(signal.ITIMER_PROF, start.seconds)  # its signal ends the process
        answer = _run_job(job, start)
        signal.setitimer(signal.ITIMER_PROF, 0)
        write(answer)


def _lower_priority(start: Start) -> None:
    """Give way as far as `start` says; a system that refuses leaves the priority as it is."""
    with suppress(OSError):  # a filter of system calls may forbid it
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, os.getppid()) + start.niceness)
    if not start.is_search:
        return
    with suppress(OSError):  # Linux weighs a session as a whole, and this is one of its own (sched(7), autogroup)
        Path("/proc/self/autogroup").write_text(str(start.niceness))
    with suppress(AttributeError, OSError):  # on a core that does nothing else Linux wakes others as on an idle one
        if start.niceness:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with suppress(AttributeError, OSError):  # a paused process does not see its input closed
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _read_jobs(jobs: "SimpleQueue[bytes]") -> None:
    while job := _read_frame():
        jobs.put(job)
    os._exit(1)


def _read_frame() -> bytes:
    stdin: Any = sys.stdin.buffer
    head: bytes = stdin.read(LENGTH)
    text: bytes = stdin.read(int.from_bytes(head, "big")) if len(head) == LENGTH else b""
    return text


def _run_job(job: bytes, start: Start) -> bytes:
    try:
        work, args, kwargs = pickle.loads(job)
        return to_frame(("done", work(*args, **kwargs)))
    except Exception as error:
        if start.is_search:
            raise  # the traceback goes to stderr; the parent sees the end of this process
        return to_frame(("raised", _portable_error(error)))


def _portable_error(error: Exception) -> Exception:
    """The error, if it can be pickled; else a RuntimeError with its traceback."""
    error.__cause__ = error.__context__ = None
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001
        return RuntimeError("".join(traceback.format_exception(error)))
    return error


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)
