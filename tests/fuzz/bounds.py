"""What one input may cost: seconds, and for a long run megabytes."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SECONDS = 20
"""Of the processor, for a machine may be busy: a hundred times and more what any input of these lengths should take."""
MEGABYTES = 1_500


class TooLong(AssertionError):
    """The input is still being read after so many seconds."""


@contextmanager
def bounded_time() -> Iterator[None]:
    """Raises TooLong; in the main thread of a system with signals. Who only waits is left to the test's timeout."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"Still reading after {SECONDS} s.")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def bound_memory() -> None:
    """From now on this process gets a MemoryError where it wants more than so much."""
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES * 2**20, MEGABYTES * 2**20))
