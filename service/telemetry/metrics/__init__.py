"""Metrics for Prometheus: what this process counts, and how its log, caches, pools and read models stand."""

from service.telemetry.metrics.counts import REQUESTS

__all__ = ["REQUESTS"]
