"""Writes log lines to stderr, at once, or gathered for a moment and written together by a thread.

A slow stderr then blocks that thread only. Gathered lines are written at the process's end; a killed process loses the
lines of its last moment.
"""

import atexit
import os
import stat
import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import TextIO

from service.telemetry.background import start_thread
from service.telemetry.metrics.counts import LINES_DROPPED

LONGEST = 100_000
"""Most lines that wait while stderr is blocked; more are dropped and counted."""


_WHOLE = 4096
"""Bytes that a pipe takes atomically (PIPE_BUF of Linux): several processes may share one stderr."""
_WHOLE_IN_A_FILE = 1 << 20
"""A file takes any number; each further write costs two more switches between threads."""


class Sink:
    """A text stream for lines, thread-safe. `gathering`: seconds that lines are gathered, 0 for none."""

    def __init__(self, stream: TextIO, gathering: float = 0.0) -> None:
        self._stream, self._gathering = stream, gathering
        self._most = _WHOLE_IN_A_FILE if _is_file(stream) else _WHOLE
        self._lines: deque[str] = deque()
        self._some = threading.Event()
        self._writing = threading.Lock()
        self._thread: threading.Thread | None = None
        if gathering:
            atexit.register(self.drain)

    def write(self, text: str) -> None:
        """Write or gather whole lines. Without gathering this waits for the stream."""
        if not self._gathering:
            self._stream.write(text)
        elif len(self._lines) >= LONGEST:
            LINES_DROPPED[()] += 1
        else:
            self._lines.append(text)
            if not self._some.is_set():
                self._wake()

    def flush(self) -> None:
        """Called by handlers after each line; does nothing while lines are gathered."""
        if not self._gathering:
            self._stream.flush()

    def drain(self) -> None:
        """Write what has been gathered."""
        with self._writing:
            for text in _joined_lines([self._lines.popleft() for _ in range(len(self._lines))], self._most):
                try:
                    self._stream.write(text)
                    self._stream.flush()
                except (OSError, ValueError):  # nobody reads it any more
                    LINES_DROPPED[()] += text.count("\n")

    def _wake(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            try:
                self._thread = start_thread(self._run, "log-writer")
            except RuntimeError:  # no thread left: the lines wait, and the next line tries again
                return
        self._some.set()

    def _run(self) -> None:
        while self._some.wait():
            time.sleep(self._gathering)
            self._some.clear()
            self.drain()


def _is_file(stream: TextIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def _joined_lines(lines: list[str], most: int) -> Iterator[str]:
    """The lines joined to pieces of at most `most` characters; never splits a line."""
    piece, size = list[str](), 0
    for line in lines:
        if piece and size + len(line) > most:
            yield "".join(piece)
            piece, size = [], 0
        piece.append(line)
        size += len(line)
    if piece:
        yield "".join(piece)
