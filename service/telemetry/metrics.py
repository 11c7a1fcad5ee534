"""Metrics for Prometheus: plain numbers that hot paths add to, by label values, and the text of `/metrics`.

Without locks, a tenth of a microsecond each: one thread adds to a series, any may read it. Every process has its own
metrics on a port of its own, which Prometheus must scrape; the label `process` tells samples of processes apart.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import accumulate

from prometheus_client import GC_COLLECTOR, PLATFORM_COLLECTOR, PROCESS_COLLECTOR, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from domain.play.deciding import Step
from domain.play.events import Finished
from service.telemetry.background import start_thread

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

    def add(self, value: float, count: int = 1) -> None:
        self.counts[bisect_left(self._bounds, value)] += count
        self.total += count * value

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
        for values, series in sorted(self.items()):
            family.add_metric([str(value) for value in values], series.buckets(), series.total)
        yield family


REQUESTS = Counts("kibitz_requests_total", "Answers by operation and status.", "operation", "status")
REQUEST_SECONDS = Distributions("kibitz_request_seconds", "Seconds until an answer begins.", "operation")

COMMANDS = Counts(
    "kibitz_commands_total",
    "Commands by what became of them; reason: the slug of the rule, or the kind of the refusal.",
    "game_type", "outcome", "reason",
)  # fmt: skip
COMMAND_SECONDS = Distributions("kibitz_command_seconds", "Seconds from a command to its answer.", "game_type")

OPENED = Counts("kibitz_games_opened_total", "Games opened.", "game_type")
FINISHED = Counts("kibitz_games_finished_total", "Games that came to an end.", "game_type")

BATCH_SIZE = Distributions("kibitz_append_batch_size", "Appends in one transaction.", bounds=SIZES)
BATCH_SECONDS = Distributions("kibitz_append_seconds", "Seconds of one transaction of the writer.")
COMMITS = Counts("kibitz_commits_total", "Transactions of the writer that committed something.")
BATCHES = Counts("kibitz_append_batches_total", "Batches of the writer by way: flight, thorough.", "way")
APPENDS = Counts("kibitz_appends_total", "Appends by outcome: stored, conflict, repeated, failed.", "outcome")

LOOKUPS = Counts("kibitz_cache_lookups_total", "Looks into a cache, hits and misses.", "cache", "outcome")
FOLDED = Counts("kibitz_events_folded_total", "Events that this process's worker has folded.", "projection")
FORWARDED = Counts(
    "kibitz_requests_passed_on_total", "Requests passed on to the process that holds the game.",
    "outcome",
)  # fmt: skip
WEBHOOK_ATTEMPTS = Counts(
    "kibitz_webhook_attempts_total", "Attempts to send an event to a webhook: taken, refused, unanswered.", "outcome"
)
ROUND_SECONDS = Distributions("kibitz_projection_round_seconds", "Seconds of a round that folded something.")
LINES_DROPPED = Counts("kibitz_log_lines_dropped_total", "Log lines lost because stderr took none.")


def count_opening(step: Step) -> None:
    """Count an opened game; it may be over with its deal."""
    OPENED[(step.game.type.key,)] += 1
    count_step(step)


def count_step(step: Step) -> None:
    """Count the game as finished if this step ended it."""
    if step.game.status == "finished" and any(isinstance(record.event, Finished) for record in step.records):
        FINISHED[(step.game.type.key,)] += 1


def count_batch_size(appends: int, seconds: float, *, committed: bool) -> None:
    """Count a transaction of the writer."""
    BATCH_SIZE[()].add(appends)
    BATCH_SECONDS[()].add(seconds)
    COMMITS[()] += committed


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
    counted = (family for tally in TALLIES for family in tally.families())
    everything = [*counted, *families, *_process_registry().collect()]
    if process:
        for sample in (sample for family in everything for sample in family.samples):
            sample.labels["process"] = process
    registry = CollectorRegistry()
    registry.register(_FamilyCollector(everything))
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
