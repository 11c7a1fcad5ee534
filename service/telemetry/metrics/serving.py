"""Metrics of a process that serves nothing else, such as a worker: `/metrics` and `/livez` on a port of their own."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client.metrics_core import Metric

from service.telemetry.background import start_thread
from service.telemetry.metrics.exposition import CONTENT_TYPE, exposition

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
