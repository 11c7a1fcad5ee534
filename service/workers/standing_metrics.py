"""The log and the read models as metrics."""

from collections.abc import Iterator

from prometheus_client.metrics_core import Metric

from service.telemetry.metrics.exposition import gauge, gauges
from service.workers.health import Standing


def standing_gauges(standing: Standing | None) -> Iterator[Metric]:
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
