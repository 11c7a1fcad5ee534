"""Numbers as the document shows them: medians with their spread, four digits, ratios of neighbours in time."""

import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median
from time import perf_counter, process_time
from typing import Any, TypeVar

T = TypeVar("T")
REPEATS = 5
_BEGAN = perf_counter()


def say(text: str) -> None:
    """Progress, on stderr."""
    print(f"{perf_counter() - _BEGAN:6.1f} s  {text}", file=sys.stderr, flush=True)


def short(number: float) -> float:
    """The number with four significant digits."""
    return float(f"{number:.4g}")


def spread(numbers: Sequence[float]) -> dict[str, Any]:
    """Median, least and greatest of the repeats, and how many there were."""
    return {
        "median": short(median(numbers)),
        "min": short(min(numbers)),
        "max": short(max(numbers)),
        "repeats": len(numbers),
    }


def ratio(ours: Sequence[float], baseline: Sequence[float]) -> dict[str, Any]:
    """Ours to the baseline's, repeat by repeat: both ran in the same seconds."""
    return spread([one / other for one, other in zip(ours, baseline, strict=True)])


def against(name: str, ours: Sequence[float], baseline: Sequence[float]) -> dict[str, Any]:
    """The baseline of this name, and our ratio to it."""
    return {f"{name}_per_second": spread(baseline), f"ratio_to_{name}": ratio(ours, baseline)}


def per_second(rates: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """Each rate by its name."""
    return {f"{name}_per_second": spread(numbers) for name, numbers in rates.items()}


def timed(work: Callable[[], object]) -> float:
    """Seconds that the work takes; the garbage of before is collected first."""
    gc.collect()
    began = perf_counter()
    work()
    return perf_counter() - began


def rate(work: Callable[[], object], count: float, least: float = 0.05) -> float:
    """How many of what the work does `count` of it does in a second of this process's processor time.

    For work that waits for nobody: other programs on the machine take the clock's time, but little of that.
    """
    gc.collect()
    rounds, began = 0, process_time()
    while process_time() - began < least:
        work()
        rounds += 1
    return rounds * count / (process_time() - began)


def in_turns(works: Mapping[str, Callable[[], T]], repeats: int = REPEATS) -> dict[str, list[T]]:
    """What each work gives, in turns, so that all of them meet the same neighbours on the machine."""
    found: dict[str, list[T]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            found[name].append(work())
    return found


def interleaved(works: Mapping[str, Callable[[], object]], count: float) -> dict[str, list[float]]:
    """How many of what each work does `count` of it does in a second of processor time, in turns."""
    return in_turns({name: partial(rate, work, count) for name, work in works.items()})


def percentile(numbers: Sequence[float], share: float) -> float:
    """The number that this share of them does not exceed; 0 without numbers."""
    ordered = sorted(numbers)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0
