"""A process that searches beside the worker: its task, its lines, its end; both sides of the pipes."""

import ctypes
import os
import pickle
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import msgspec

from service.telemetry.background import start_thread

Child = subprocess.Popen[bytes]
T = TypeVar("T")
_PR_SET_PDEATHSIG = 1
_LENGTH = 8
"""Bytes of the length before the task."""
_LOOK = 0.05  # seconds between two looks at the log
_BUSY = 250.0
"""Records a second for each core: while the log grows faster a search stands still."""
_LULL = 0.25  # seconds of less, after which it goes on
_LONGEST, _TURN = 30.0, 0.25
"""Seconds: a search that stood still so long goes on for so long, whatever the log does."""


class Pace:
    """Whether a search stands still: pure, told now and then where the log's head is."""

    def __init__(self, at: float, head: int, cores: int) -> None:
        self._at, self._head, self._busy = at, head, _BUSY * cores
        self._until, self._since = at, at

    def stands_still(self, at: float, head: int) -> bool:
        """Whether it does from now on; `at` in seconds."""
        if head - self._head > self._busy * (at - self._at):
            self._since = at if at >= self._until else self._since
            self._until = at + _LULL
        self._at, self._head = at, head
        return at < self._until and (at - self._since) % (_LONGEST + _TURN) < _LONGEST


@contextmanager
def started(module: str, task: object, niceness: int) -> Iterator[Child]:
    """The process of this module with its task, in a session of its own, so that Ctrl-C is not for it; killed at the
    end. `niceness`: how far it gives way to others, from 0 to 19."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        [sys.executable, "-m", module], stdin=pipe, stdout=pipe, start_new_session=True, env=environment
    )
    try:
        text, stdin = pickle.dumps((niceness, task)), _open(child.stdin)
        with suppress(BrokenPipeError):
            stdin.write(len(text).to_bytes(_LENGTH, "big") + text)
            stdin.flush()
        yield child
    finally:
        child.kill()
        child.wait()
        for end in (child.stdin, child.stdout):
            with suppress(BrokenPipeError):
                _open(end).close()


def read_lines(child: Child, kind: type[T], head: Callable[[], int]) -> Iterator[T | None]:
    """What the process writes, until it ends; None at each silence. While the log's head moves fast it stands still."""
    stdout, rest = _open(child.stdout), b""
    pace, looked, still = Pace(monotonic(), head(), os.cpu_count() or 1), monotonic(), False
    with selectors.DefaultSelector() as selector:
        selector.register(stdout, selectors.EVENT_READ)
        while True:
            if (at := monotonic()) - looked >= _LOOK:
                before, looked, still = still, at, pace.stands_still(at, head())
                if still != before:
                    child.send_signal(signal.SIGSTOP if still else signal.SIGCONT)
            if not selector.select(_LOOK):
                yield None
            elif text := os.read(stdout.fileno(), 65_536):
                *whole, rest = (rest + text).split(b"\n")
                yield from (msgspec.json.decode(line, type=kind) for line in whole)
            else:
                return


def _open(pipe: Any) -> Any:
    """The pipe, which Popen was told to open."""
    return pipe


def take_task() -> Any:
    """In the process: its task. From now on it ends at once when its standard input is closed: the parent has died."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at the terminal is for the service, which ends this
    stdin: Any = sys.stdin.buffer
    niceness, task = pickle.loads(stdin.read(int.from_bytes(stdin.read(_LENGTH), "big")))
    lower_priority(niceness)
    with suppress(OSError):  # Linux weighs a session as a whole, and this is one of its own (sched(7), autogroup)
        Path("/proc/self/autogroup").write_text(str(niceness))
    with suppress(AttributeError, OSError):  # on a core that does nothing else Linux wakes others as on an idle one
        if niceness:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    start_thread(end_with_parent, "asked")
    with suppress(AttributeError, OSError):  # one that stands still does not see its input closed
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    return task


def lower_priority(niceness: int) -> None:
    """Set this process's niceness to that of its parent plus `niceness`; a system that refuses leaves it as it is."""
    with suppress(AttributeError, OSError):  # Windows has no niceness; a filter of system calls may forbid it
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, os.getppid()) + niceness)


def end_with_parent() -> None:
    """End this process when its standard input is closed: the parent has died."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def write_line(line: object) -> None:
    """In the process: tell the parent this, as a line of JSON."""
    text = msgspec.json.encode(line) + b"\n"
    while text:
        text = text[os.write(sys.stdout.fileno(), text) :]
