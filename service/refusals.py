"""Every exception that ends a request, as the problem document it becomes."""

from collections.abc import Callable
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException

from domain.game_type import Illegal
from service.event_store.errors import StaleVersion, StoreUnavailable
from service.problems import KINDS, Problem, Refused, problem

MEDIA_TYPE = "application/problem+json"
_LOG = structlog.get_logger()
KIND_OF_STATUS = {kind.status: name for name, kind in KINDS.items() if name not in ("cross_site", "not_your_seat")}


def respond(told: Problem, **headers: str) -> Response[bytes]:
    """The response of a problem document."""
    return Response(
        msgspec.json.encode(told), status_code=told.status, media_type=MEDIA_TYPE,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )  # fmt: skip


def _refused(request: Request[Any, Any, Any], error: Refused) -> Response[bytes]:
    return respond(error.problem, **_HEADERS.get(error.kind, {}))


def _illegal(request: Request[Any, Any, Any], error: Illegal) -> Response[bytes]:
    return respond(problem("illegal", error.message, rule=error.rule))


def _unavailable(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    return respond(problem("unavailable", "The store cannot be reached; try again soon."), Retry_After="2")


def _stale(request: Request[Any, Any, Any], error: StaleVersion) -> Response[bytes]:
    return respond(problem("stale_version", "Somebody was faster; look again and repeat."))


def _framework(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """What Litestar itself refuses: unknown paths, methods, bodies too large."""
    kind = KIND_OF_STATUS.get(error.status_code, "malformed" if error.status_code < 500 else "broken")
    detail = error.detail if kind not in ("no_such_thing", "broken") else KINDS[kind].when
    return respond(problem(kind, detail or KINDS[kind].when), **(error.headers or {}))


def _broken(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """A fault of ours: logged with its traceback (hidden cards have redacted reprs), told without detail."""
    _LOG.error("request failed", method=request.method, path=request.url.path, exc_info=error)
    return respond(problem("broken", "A fault of the service; it has been logged."))


_HEADERS = {
    "busy": {"Retry_After": "5"},
    "unauthenticated": {"WWW_Authenticate": 'Bearer realm="kibitz"'},
    "scope_missing": {"WWW_Authenticate": 'Bearer realm="kibitz", error="insufficient_scope"'},
}

HANDLERS: dict[Any, Callable[..., Response[Any]]] = {
    Refused: _refused,
    Illegal: _illegal,
    StoreUnavailable: _unavailable,
    StaleVersion: _stale,
    HTTPException: _framework,
    Exception: _broken,
}
