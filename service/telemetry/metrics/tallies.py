"""Tallies: counters and histograms by label values, shown to Prometheus.

Plain numbers without locks, a tenth of a microsecond each: one thread adds to a series, any may read it.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
Labels = tuple[str | int, ...]
TALLIES: list["Counts | Distributions"] = []
"""Every tally of this process."""


class Counts(Counter[Labels]):
    """A counter: `counts["klondike", "accepted"] += 1`. `name` ends with `_total`."""

    def __init__(self, name: str, says: str, *labels: str) -> None:
        super().__init__()
        self.name, self.says, self.labels = name, says, labels
        TALLIES.append(self)

    def families(self) -> Iterator[Metric]:
        family = CounterMetricFamily(self.name, self.says, labels=self.labels)
        for values, count in sorted(self.items()) or ([((), 0)] if not self.labels else []):
            family.add_metric([str(value) for value in values], count)
        yield family


class Distribution:
    """How many values fell under each bound, and their sum."""

    __slots__ = ("_bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        self.counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    def buckets(self) -> list[tuple[str, float]]:
        """Bound -> how many values up to it, as Prometheus wants them."""
        bounds = [*(str(float(bound)) for bound in self._bounds), "+Inf"]
        return list(zip(bounds, map(float, accumulate(self.counts)), strict=True))


class Distributions(dict[Labels, Distribution]):
    """A histogram: `timings["play",].add(0.002)`; a series begins with its first value."""

    def __init__(self, name: str, says: str, *labels: str, bounds: Sequence[float] = SECONDS) -> None:
        super().__init__()
        self.name, self.says, self.labels, self.bounds = name, says, labels, bounds
        TALLIES.append(self)
        if not labels:
            self[()]

    def __missing__(self, values: Labels) -> Distribution:
        return self.setdefault(values, Distribution(self.bounds))

    def families(self) -> Iterator[Metric]:
        family = HistogramMetricFamily(self.name, self.says, labels=self.labels)
        for values, found in sorted(self.items()):
            family.add_metric([str(value) for value in values], found.buckets(), found.total)
        yield family
