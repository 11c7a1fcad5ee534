"""Middleware: counts every answer by operation and status, and logs it without body, token or query."""

import logging
import time
from typing import Any

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.metrics import REQUESTS

_LOG = structlog.get_logger(__name__)
_LEVEL = logging.getLogger(__name__)


def count(app: ASGIApp) -> ASGIApp:
    """The same application, counted."""

    async def counted(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            return await app(scope, receive, send)
        began = time.perf_counter()

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                _noted(scope, message["status"], began)
            await send(message)

        return await app(scope, receive, sent)

    return counted


def _noted(scope: Any, status: int, began: float) -> None:
    handler = scope.get("route_handler")
    name = handler.name if handler is not None and handler.name else "unknown"
    REQUESTS[name, status] += 1
    if _LEVEL.isEnabledFor(logging.DEBUG):
        millis = round(1000 * (time.perf_counter() - began), 2)
        _LOG.debug("answered", operation=name, status=status, millis=millis)
