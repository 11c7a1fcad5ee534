"""Signals that end a command by unwinding: every `finally` runs, and a second signal does not interrupt it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDS = (signal.SIGINT, signal.SIGTERM)


def end_by_unwinding() -> None:
    """Make SIGTERM end the command as Ctrl-C does; further signals are ignored."""
    for number in ENDS:
        signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    for ending in ENDS:
        signal.signal(ending, signal.SIG_IGN)
    raise KeyboardInterrupt


@contextmanager
def ignored_signals() -> Iterator[None]:
    """Ignore the ending signals for the length of the block."""
    before = [signal.signal(number, signal.SIG_IGN) for number in ENDS]
    try:
        yield
    finally:
        for number, handler in zip(ENDS, before, strict=True):
            signal.signal(number, handler)
