"""What the writer's thread counts of each batch."""

from collections.abc import Iterable

from service.event_store.errors import DuplicateCompanion, StaleVersion
from service.telemetry.metrics.counts import APPENDS, BATCH_SECONDS, BATCH_SIZE, COMMITS


def counted(outcomes: Iterable[int | Exception], seconds: float) -> None:
    """One batch: what became of each of its appends, and how long it took."""
    names = [_name(outcome) for outcome in outcomes]
    for name in names:
        APPENDS[(name,)] += 1
    BATCH_SIZE[()].add(len(names))
    BATCH_SECONDS[()].add(seconds)
    COMMITS[()] += "stored" in names


def _name(outcome: int | Exception) -> str:
    if isinstance(outcome, int):
        return "stored"
    if isinstance(outcome, StaleVersion):
        return "conflict"
    return "repeated" if isinstance(outcome, DuplicateCompanion) else "failed"
