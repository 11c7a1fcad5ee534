"""Signals that end a command: by every `finally` on the way, and never in the middle of one."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDS = (signal.SIGINT, signal.SIGTERM)


def end_by_unwinding() -> None:
    """From now on SIGTERM, too, ends the command as Ctrl-C does, and the first one is enough."""
    for number in ENDS:
        signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    for ending in ENDS:
        signal.signal(ending, signal.SIG_IGN)
    raise KeyboardInterrupt


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals that would end the command do not reach the block."""
    before = [signal.signal(number, signal.SIG_IGN) for number in ENDS]
    try:
        yield
    finally:
        for number, handler in zip(ENDS, before, strict=True):
            signal.signal(number, handler)
