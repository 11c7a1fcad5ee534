"""The text of `/metrics`: this process's metrics and further ones that callers pass; a server that has nothing else.

Every process has its own metrics on a port of its own, which Prometheus must scrape. The label `process` tells samples
of different processes apart.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import GC_COLLECTOR, PLATFORM_COLLECTOR, PROCESS_COLLECTOR, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from service.telemetry.background import start_thread
from service.telemetry.metrics.counts import TALLIES

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class _FamilyCollector:
    """A collector of given families."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterator[Metric]:
        yield from self._families


@cache
def _process_registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    for collector in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR):
        registry.register(collector)
    return registry


def exposition(families: Iterable[Metric], process: str = "") -> bytes:
    """This process's tallies and these families in the Prometheus text format, every sample with `process` if named."""
    told = [*(family for tally in TALLIES for family in tally.families()), *families, *_process_registry().collect()]
    if process:
        for sample in (sample for family in told for sample in family.samples):
            sample.labels["process"] = process
    registry = CollectorRegistry()
    registry.register(_FamilyCollector(told))
    return generate_latest(registry)


def gauge(name: str, says: str, value: float) -> Metric:
    """One number that goes up and down."""
    return GaugeMetricFamily(name, says, value=value)


def gauges(name: str, says: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    """A gauge with one value per value of a label."""
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


Families = Callable[[], Iterable[Metric]]


@contextmanager
def metrics_server(host: str, port: int | None, families: Families) -> Iterator[int | None]:
    """Serve metrics during a `with` block; the port used. `port`: 0 takes a free one, None serves nothing."""
    if port is None:
        yield None
        return
    with ThreadingHTTPServer((host, port), _handler(families)) as server:
        server.daemon_threads = True
        start_thread(server.serve_forever, "metrics")
        yield server.server_port
        server.shutdown()


def _handler(families: Families) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/metrics":
                self._answer(200, CONTENT_TYPE, exposition(families()))
            elif self.path == "/livez":
                self._answer(200, "application/json", b'{"status":"alive"}')
            else:
                self._answer(404, "text/plain", b"")

        def _answer(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """No log line per request."""

    return Handler
