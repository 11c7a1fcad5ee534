"""Waiting for what another thread or process does."""

from collections.abc import Callable
from time import monotonic, sleep


def until(true: Callable[[], object], seconds: float = 240) -> None:
    """Until it is; fails after so long."""
    deadline = monotonic() + seconds
    while not true():
        assert monotonic() < deadline
        sleep(0.01)
