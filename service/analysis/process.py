"""The worker's side of the process of one analysis: its task, what it writes, its start and its end."""

import os
import pickle
import selectors
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from service.analysis.kinds import Report
from service.analysis.queue import Note
from service.live.heavy import GameRef
from service.settings import Settings

LENGTH = 8
"""Bytes of the length before the task."""
_COMMAND = "service.analysis"
_SILENCE = 0.5  # seconds


class Task(NamedTuple):
    """What the process is told. Without `search` it answers with what was found before."""

    conninfo: str
    settings: Settings
    ref: GameRef
    bound: int
    found: Sequence[Note]
    search: bool


class Line(Struct, frozen=True, omit_defaults=True):
    """What it writes: what was found with about how much there will be, or the answer."""

    expected: int = 0
    found: Note | None = None
    report: Report | None = None


Child = subprocess.Popen[bytes]


@contextmanager
def started(task: Task) -> Iterator[Child]:
    """The process with its task, in a session of its own, so that Ctrl-C is not for it; killed at the end."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        [sys.executable, "-m", _COMMAND], stdin=pipe, stdout=pipe, start_new_session=True, env=environment
    )
    try:
        text, stdin = pickle.dumps(task), _open(child.stdin)
        with suppress(BrokenPipeError):
            stdin.write(len(text).to_bytes(LENGTH, "big") + text)
            stdin.flush()
        yield child
    finally:
        child.kill()
        child.wait()
        for end in (child.stdin, child.stdout):
            with suppress(BrokenPipeError):
                _open(end).close()


def read_lines(child: Child) -> Iterator[Line | None]:
    """What the process writes, until it ends; None at each silence."""
    stdout, rest = _open(child.stdout), b""
    with selectors.DefaultSelector() as selector:
        selector.register(stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(_SILENCE):
                yield None
            elif text := os.read(stdout.fileno(), 65_536):
                *whole, rest = (rest + text).split(b"\n")
                yield from (msgspec.json.decode(line, type=Line) for line in whole)
            else:
                return


def _open(pipe: Any) -> Any:
    """The pipe, which Popen was told to open."""
    return pipe
