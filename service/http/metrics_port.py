"""`/metrics` of an API process on a port of its own, and the answer of `/readyz`."""

from collections.abc import Awaitable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
from litestar import Request, Response
from litestar.types import ASGIApp, Receive, Scope, Send
from prometheus_client.metrics_core import Metric

from service.event_store.errors import StoreUnavailable
from service.http.services import Services
from service.telemetry.metrics import CONTENT_TYPE, exposition, gauge, gauges, totals
from service.workers.health import standing_gauges

_PLAIN = "text/plain"
_WAITED = (
    ("kibitz_pool_requests_total", "Connections asked of a pool.", "requests_num", 1.0),
    ("kibitz_pool_waits_total", "Those that had to wait for one.", "requests_queued", 1.0),
    ("kibitz_pool_wait_seconds_total", "Seconds waited for a connection.", "requests_wait_ms", 0.001),
    ("kibitz_pool_errors_total", "Those that got none in time.", "requests_errors", 1.0),
)


def with_metrics(app: ASGIApp, services: Services) -> ASGIApp:
    """The application with metrics at `KIBITZ_METRICS_PORT`; unchanged where no port is set."""
    port = services.settings.metrics_port
    if port is None:
        return app

    def serve(scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http" and scope["server"] is not None and scope["server"][1] == port:
            return _answer(services, scope, send)
        return app(scope, receive, send)

    return serve


async def _answer(services: Services, scope: Any, send: Send) -> None:
    """Answer GET and HEAD of `/metrics`; 404 for all else."""
    status, kind, body = 404, _PLAIN, b""
    if scope["path"] == "/metrics" and scope["method"] in ("GET", "HEAD"):
        standing = None
        with suppress(StoreUnavailable):
            standing = await services.health.standing()
        metrics = [*standing_gauges(standing), *part_metrics(services)]
        status, kind, body = 200, CONTENT_TYPE, exposition(metrics, str(services.settings.metrics_port))
    headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body, "more_body": False})


def part_metrics(services: Services) -> Iterator[Metric]:
    """Metrics of the room, its listeners, the writer's queue and the pools."""
    room = services.room
    yield gauge("kibitz_cached_games", "Live games in memory.", len(room.games))
    yield gauge("kibitz_open_streams", "Open event streams of games and inboxes.", room.watched)
    yield gauge("kibitz_open_inboxes", "Open streams of inboxes.", len(room.listeners))
    yield gauge(
        "kibitz_slots_held", "Slots whose games are this process's own.", len(services.process_group.leases.held)
    )
    cut = len(services.process_group.leases.unreachable)
    yield gauge("kibitz_processes_unreachable", "Processes that live and cannot be reached from this one.", cut)
    yield gauge("kibitz_append_queue", "Appends that wait for the batch in hand.", services.store.queued)
    pools = {"store": services.store.pool_stats(), "reads": services.reads.pool_stats()}
    for name, says, key, unit in _WAITED:
        yield totals(name, says, "pool", ((pool, stats.get(key, 0) * unit) for pool, stats in pools.items()))
    yield gauges(
        "kibitz_pool_connections", "Connections of a pool.", "pool",
        ((pool, stats.get("pool_size", 0)) for pool, stats in pools.items()),
    )  # fmt: skip


JSON = "application/json"
NEXT = "next-page"
"""Among an answer's headers until it is sent: the cursor of the next page; the operation makes `Link` from it."""


class Reply(Response[bytes]):
    """A response of ready bytes, with the attributes that middleware and framework read."""

    def __init__(self, content: bytes, status: int, media_type: str, headers: dict[str, str]) -> None:
        self.content = content
        self.status_code = status
        self.media_type = media_type
        self.headers = headers
        self.cookies = []
        self.background = None
        self.encoding = "utf-8"
        self.response_type_encoders = {}


def reply(content: Any, status: int = 200, **headers: str) -> Reply:
    """A JSON response; header names have `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(msgspec.json.encode(content), status, JSON, next_page(content) | named)


def next_page(content: Any) -> dict[str, str]:
    """NEXT for a page of a list after which there is another one."""
    following = getattr(content, "next", None)
    return {} if following is None else {NEXT: str(following)}


def next_link(path: str, query_string: bytes, cursor: str) -> str:
    """The value of `Link` (RFC 8288) for the same request with this cursor."""
    pairs = [pair for pair in parse_qsl(query_string.decode(), keep_blank_values=True) if pair[0] != "cursor"]
    return f'<{path}?{urlencode([*pairs, ("cursor", cursor)])}>; rel="next"'


async def answer(response: Response[Any], request: Request[Any, Any, Any]) -> None:
    """Send this response; a Reply goes out without the framework."""
    if type(response) is Reply and not response.cookies:
        media_type: bytes = response.media_type.encode()  # type: ignore[union-attr]
        head = [(b"content-type", media_type), (b"content-length", b"%d" % len(response.content))]
        if response.status_code == 304:  # its headers about content would describe the 200
            head.clear()
        for name, value in response.headers.items():
            head.append((name.lower().encode("latin-1"), value.encode("latin-1")))
        start: Any = {"type": "http.response.start", "status": response.status_code, "headers": head}
        await request.send(start | {"body": response.content})  # in one message: service.http.connections.answers
        return
    asgi = response.to_asgi_response(app=None, request=request, status_code=200)
    scope: Scope = request.scope
    receive: Receive = request.receive
    await asgi(scope, receive, request.send)
