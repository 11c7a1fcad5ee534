"""`/metrics` of a process that serves, at the port that is for it alone: at every other one there is no such path."""

from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

from litestar.types import ASGIApp, Receive, Send

from service.event_store.errors import StoreUnavailable
from service.metrics.exposition import CONTENT_TYPE, exposition, of_standing
from service.metrics.parts import of_parts
from service.services import Services

_PLAIN = "text/plain"


def beside(app: ASGIApp, services: Services) -> ASGIApp:
    """The application, and at `KIBITZ_METRICS_PORT` the metrics instead of it; the same application without one."""
    port = services.settings.metrics_port
    if port is None:
        return app

    def served(scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http" and scope["server"] is not None and scope["server"][1] == port:
            return _answer(services, scope, send)
        return app(scope, receive, send)

    return served


async def _answer(services: Services, scope: Any, send: Send) -> None:
    """GET and HEAD of one path; there is nothing else here."""
    there = scope["path"] == "/metrics" and scope["method"] in ("GET", "HEAD")
    status, kind, body = (200, CONTENT_TYPE, await _told(services)) if there else (404, _PLAIN, b"")
    headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body, "more_body": False})


async def _told(services: Services) -> bytes:
    found = None
    with suppress(StoreUnavailable):
        found = await services.health.standing()
    return exposition([*of_standing(found), *of_parts(services)], str(services.settings.metrics_port))
