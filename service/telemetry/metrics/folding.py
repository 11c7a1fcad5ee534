"""What a worker counts of each round over the log."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from projections.engine.following import Follower
from service.telemetry import tracing
from service.telemetry.metrics.counts import FOLDED, ROUND_SECONDS


@contextmanager
def folded(follower: Follower) -> Iterator[None]:
    """A round for the length of the block: how far each projection came, in what time. Idle ones do not count."""
    stood, began, since = follower.positions, time.time_ns(), time.perf_counter()
    yield
    moved = {name: after - stood.get(name, after) for name, after in follower.positions.items()}
    if any(moved.values()):
        ROUND_SECONDS[()].add(time.perf_counter() - since)
        tracing.passed("projection batch", began, events=max(moved.values()), position=follower.head)
    for name, events in moved.items():
        FOLDED[(name,)] += max(0, events)
