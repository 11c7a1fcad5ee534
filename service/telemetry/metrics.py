"""Metrics for Prometheus, and the text of `/metrics`.

Every process has its own metrics on a port of its own, which Prometheus must scrape; the label `process` tells samples
of processes apart.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import REGISTRY, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from domain.play.deciding import Step
from domain.play.events import Finished
from service.telemetry.background import start_thread

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
disable_created_metrics()  # type: ignore[no-untyped-call]


def counter(name: str, text: str, *labels: str) -> Callable[..., Counter]:
    """Label values -> the counter's series; a cache saves two thirds of the library's look-up."""
    return cache(Counter(name, text, labels).labels)


def histogram(name: str, text: str, *labels: str) -> Callable[..., Histogram]:
    """Label values -> the histogram's series, in seconds."""
    return cache(Histogram(name, text, labels, buckets=SECONDS).labels)


REQUESTS = counter("kibitz_requests_total", "Answers by operation and status.", "operation", "status")
REQUEST_SECONDS = histogram("kibitz_request_seconds", "Seconds until an answer begins.", "operation")
_OUTCOMES = "Commands by what became of them; reason: the slug of the rule, or the kind of the refusal."
COMMANDS = counter("kibitz_commands_total", _OUTCOMES, "game_type", "outcome", "reason")
COMMAND_SECONDS = histogram("kibitz_command_seconds", "Seconds from a command to its answer.", "game_type")
OPENED = counter("kibitz_games_opened_total", "Games opened.", "game_type")
FINISHED = counter("kibitz_games_finished_total", "Games that came to an end.", "game_type")
BATCH_SIZE = Histogram("kibitz_append_batch_size", "Appends in one transaction.", buckets=SIZES)
BATCH_SECONDS = Histogram("kibitz_append_seconds", "Seconds of one transaction of the writer.", buckets=SECONDS)
COMMITS = Counter("kibitz_commits_total", "Transactions of the writer that committed something.")
BATCHES = counter("kibitz_append_batches_total", "Batches of the writer by way: flight, thorough.", "way")
APPENDS = counter("kibitz_appends_total", "Appends by outcome: stored, conflict, repeated, failed.", "outcome")
LOOKUPS = counter("kibitz_cache_lookups_total", "Looks into a cache, hits and misses.", "cache", "outcome")
FOLDED = counter("kibitz_events_folded_total", "Events that this process's worker has folded.", "projection")
FORWARDED = counter("kibitz_requests_passed_on_total", "Requests passed on to the game's process.", "outcome")
WEBHOOK_ATTEMPTS = counter("kibitz_webhook_attempts_total", "Sendings: taken, refused, unanswered.", "outcome")
ROUND_SECONDS = Histogram("kibitz_projection_round_seconds", "Seconds of a round that folded.", buckets=SECONDS)
JOB_STEPS = counter("kibitz_job_steps_total", "Looks for jobs, and findings of a job under way.", "kind")
LINES_DROPPED = Counter("kibitz_log_lines_dropped_total", "Log lines lost because stderr took none.")


def count_opening(step: Step) -> None:
    """Count an opened game; it may be over with its deal."""
    OPENED(step.game.type.key).inc()
    count_step(step)


def count_step(step: Step) -> None:
    """Count the game as finished if this step ended it."""
    if step.game.status == "finished" and any(isinstance(record.event, Finished) for record in step.records):
        FINISHED(step.game.type.key).inc()


def count_batch_size(appends: int, seconds: float, *, committed: bool) -> None:
    """Count a transaction of the writer."""
    BATCH_SIZE.observe(appends)
    BATCH_SECONDS.observe(seconds)
    COMMITS.inc(committed)


CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class _Families(list[Metric], Collector):
    """A collector of these families."""

    def collect(self) -> Iterable[Metric]:
        return self


def exposition(families: Iterable[Metric], process: str = "") -> bytes:
    """This process's metrics and these families in the Prometheus text format, every sample with `process` if named."""
    everything = _Families([*REGISTRY.collect(), *families])
    if process:
        for sample in (sample for family in everything for sample in family.samples):
            sample.labels["process"] = process
    return generate_latest(everything)


def gauge(name: str, says: str, value: float) -> Metric:
    """One number that goes up and down."""
    return GaugeMetricFamily(name, says, value=value)


def series(
    name: str, says: str, label: str, values: Iterable[tuple[str, float]],
    kind: type[GaugeMetricFamily | CounterMetricFamily] = GaugeMetricFamily,
) -> Metric:  # fmt: skip
    """Numbers by the values of a label; they go up and down, or only grow with the other kind."""
    family = kind(name, says, labels=[label])
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

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, body = 404, "text/plain", b""
            if self.path == "/metrics":
                status, kind, body = 200, CONTENT_TYPE, exposition(families())
            elif self.path == "/livez":
                status, kind, body = 200, "application/json", b'{"status":"alive"}'
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """No log line per request."""

    with ThreadingHTTPServer((host, port), Handler) as server:
        server.daemon_threads = True
        start_thread(server.serve_forever, "metrics")
        yield server.server_port
        server.shutdown()
