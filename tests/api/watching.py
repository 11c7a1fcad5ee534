"""What a server tells of itself: its metrics and its lines."""

import json
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from .serving import Service

PATIENCE = 240.0


def metric(service: Service, name: str, **labels: str) -> float:
    """The value of one sample, 0 where there is none."""
    for family in text_string_to_metric_families(service.metrics()):
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                return sample.value
    return 0.0


def names(text: str) -> set[str]:
    """The names of all samples in an exposition."""
    return {sample.name for family in text_string_to_metric_families(text) for sample in family.samples}


def lines(service: Service, event: str, request: str | None = None) -> list[dict[str, Any]]:
    """The lines of this event so far, of one request if it is named."""
    text, _, _ = service.log().rpartition("\n")  # the last line may still be being written
    return [
        line
        for line in map(json.loads, text.splitlines())
        if line["event"] == event and request in (None, line.get("request_id"))
    ]


def until(true: Callable[[], object], patience: float = PATIENCE) -> float:
    """Wait for it, so many seconds at most; the seconds that it took."""
    began = monotonic()
    while not true():
        assert monotonic() - began < patience, "it does not come true"
        sleep(0.02)
    return monotonic() - began
