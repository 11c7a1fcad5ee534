"""The ends of a command: an error in one sentence, or a signal, by which every `finally` runs."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from service.event_store.errors import LOG_ERRORS
from service.http.connections.files import TooFewFiles
from service.postgres import PostgresError
from service.telemetry.tracing import TracesMissing

ENDS = (signal.SIGINT, signal.SIGTERM)


class Refusal(Exception):
    """The command cannot be done; the message is one sentence that says why and, where that helps, what to do."""


class Usage(Exception):
    """The command was called in a way that makes no sense."""


ONE_LINE_ERRORS = (Refusal, PostgresError, *LOG_ERRORS, TracesMissing, TooFewFiles)


def sentence(error: Exception) -> str:
    """The error's text on one line."""
    return " ".join(str(error).split()) or type(error).__name__


def end_by_unwinding() -> None:
    """Make SIGTERM end the command as Ctrl-C does; further signals are ignored."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        for ending in ENDS:
            signal.signal(ending, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in ENDS:
        signal.signal(number, interrupt)


@contextmanager
def ignored_signals() -> Iterator[None]:
    """Ignore the ending signals for the length of the block."""
    handlers = [signal.signal(number, signal.SIG_IGN) for number in ENDS]
    try:
        yield
    finally:
        for number, handler in zip(ENDS, handlers, strict=True):
            signal.signal(number, handler)
