"""What `/metrics` answers: the tallies of this process, how it stands, and what the database says of the read models.

A process tells its own, at a port of its own: that is what Prometheus must ask. Every sample says by `process` whose it
is, so that two can never be taken for one.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from prometheus_client import GC_COLLECTOR, PLATFORM_COLLECTOR, PROCESS_COLLECTOR, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from service.health import Standing
from service.metrics import counts
from service.metrics.tallies import TALLIES

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
assert counts.REQUESTS in TALLIES


class _Told:
    """A collector of what is at hand."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterator[Metric]:
        yield from self._families


@cache
def _process() -> CollectorRegistry:
    registry = CollectorRegistry()
    for collector in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR):
        registry.register(collector)
    return registry


def exposition(families: Iterable[Metric], process: str = "") -> bytes:
    """This process's tallies and these families in the Prometheus text format, every sample with `process` if named."""
    told = [*(family for tally in TALLIES for family in tally.families()), *families, *_process().collect()]
    if process:
        for sample in (sample for family in told for sample in family.samples):
            sample.labels["process"] = process
    registry = CollectorRegistry()
    registry.register(_Told(told))
    return generate_latest(registry)


def gauge(name: str, says: str, value: float) -> Metric:
    """One number that goes up and down."""
    return GaugeMetricFamily(name, says, value=value)


def gauges(name: str, says: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    """The same by the values of a label."""
    family = GaugeMetricFamily(name, says, labels=[label])
    for key, value in values:
        family.add_metric([key], value)
    return family


def totals(name: str, says: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    """Numbers that only grow, by the values of a label."""
    family = CounterMetricFamily(name, says, labels=[label])
    for key, value in values:
        family.add_metric([key], value)
    return family


def of_standing(standing: Standing | None) -> Iterator[Metric]:
    """The log and the read models; None while the store is gone."""
    yield gauge("kibitz_store_up", "Whether the store answers.", standing is not None)
    if standing is None:
        return
    each, worker = standing.projections, standing.worker
    yield gauge("kibitz_log_position", "Position of the newest event.", standing.log_position)
    yield gauge("kibitz_read_position", "Position that every read model has reached.", standing.read_position)
    yield gauges(
        "kibitz_projection_lag_events", "Events behind the log.", "projection", ((p.name, p.lag_events) for p in each)
    )
    yield gauges(
        "kibitz_projection_lag_seconds", "Age of the oldest event not yet folded.", "projection",
        ((p.name, p.lag_seconds) for p in each if p.lag_seconds is not None),
    )  # fmt: skip
    yield gauges(
        "kibitz_projection_failing", "Whether its fold has failed.", "projection",
        ((p.name, p.failing is not None) for p in each),
    )  # fmt: skip
    yield gauge("kibitz_worker_active", "Whether a worker keeps the read models.", worker.status == "active")
    yield gauge("kibitz_workers_standing_by", "Workers that wait to take over.", worker.standing_by)
    missed = len(standing.missing_keys)
    yield gauge("kibitz_sealing_keys_missing", "Sealing keys that live games may be under and nobody here has.", missed)
    missing = 0.0 if worker.status == "active" else worker.seconds
    yield gauge("kibitz_worker_missing_seconds", "Seconds without any sign of a worker.", missing)
