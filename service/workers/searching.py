"""A process that searches beside the worker: its task, its lines, its end; both sides of the pipes."""

import os
import pickle
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from service.telemetry.background import start_thread

Child = subprocess.Popen[bytes]
T = TypeVar("T")
_LENGTH = 8
"""Bytes of the length before the task."""
_SILENCE = 0.25  # seconds


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


def read_lines(child: Child, kind: type[T]) -> Iterator[T | None]:
    """What the process writes, until it ends; None at each silence."""
    stdout, rest = _open(child.stdout), b""
    with selectors.DefaultSelector() as selector:
        selector.register(stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(_SILENCE):
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
    _give_way(niceness)
    start_thread(_end_with_parent, "asked")
    return task


def _give_way(niceness: int) -> None:
    os.nice(niceness)
    with suppress(OSError):  # Linux weighs a session as a whole, and this is one of its own (sched(7), autogroup)
        Path("/proc/self/autogroup").write_text(str(niceness))
    with suppress(AttributeError, OSError):  # on a core that does nothing else Linux wakes others as on an idle one
        if niceness:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def write_line(line: object) -> None:
    """In the process: tell the parent this, as a line of JSON."""
    text = msgspec.json.encode(line) + b"\n"
    while text:
        text = text[os.write(sys.stdout.fileno(), text) :]
