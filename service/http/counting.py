"""The layer around the front: gives every request an id, counts and times every answer, and logs slow ones.

No log line has a body, a token or a query. Runs for every request, so it makes no coroutine of its own.
"""

import logging
import time
from collections.abc import Awaitable
from typing import Any

import structlog
from litestar.types import ASGIApp, Receive, Send

from service.telemetry import request_ids
from service.telemetry.metrics.counts import REQUEST_SECONDS, REQUESTS

_LOG = structlog.get_logger("requests")
_LEVEL = logging.getLogger("requests")


def count(app: ASGIApp, slow_ms: float = 1_000.0) -> ASGIApp:
    """The same application, counted. Answers that take `slow_ms` milliseconds or more are logged as warnings."""
    slow = slow_ms / 1_000

    def serve(scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        began = time.perf_counter()
        told = (request_ids.HEADER, request_ids.begin(scope["headers"]).encode())

        def send_counted(message: Any) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], told]
                _count_answer(scope, message["status"], time.perf_counter() - began, slow)
            return send(message)

        return app(scope, receive, send_counted)

    return serve


def _count_answer(scope: Any, status: int, seconds: float, slow: float) -> None:
    handler = scope.get("route_handler")
    name = (handler.name if handler is not None else None) or "unknown"
    REQUESTS[name, status] += 1
    REQUEST_SECONDS[(name,)].add(seconds)
    if seconds >= slow:
        _LOG.warning("slow", operation=name, status=status, millis=round(1000 * seconds, 2))
    elif _LEVEL.isEnabledFor(logging.DEBUG):
        _LOG.debug("answered", operation=name, status=status, millis=round(1000 * seconds, 2))
