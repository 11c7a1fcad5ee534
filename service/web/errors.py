"""Error pages: a failed request for a page is answered with a page that says the same as a problem document."""

from collections.abc import Callable
from typing import Any

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException

from domain.game_type import Illegal
from service.event_store.errors import NotLeased, StaleVersion, StoreUnavailable
from service.http import refusals
from service.problems import KINDS, Problem, Refused, problem
from service.web.rendering import render_template
from service.web.security import HEADERS, HTML

_LOG = structlog.get_logger("pages")
AnyRequest = Request[Any, Any, Any]


def error_page(told: Problem) -> Response[Any]:
    """The page of this problem; it does not know who visits."""
    text = render_template("error.html", problem=told, you=None, unknown_visitor=True)
    return Response(text, status_code=told.status, media_type=HTML, headers=HEADERS)


def _refused_page(request: AnyRequest, error: Refused) -> Response[Any]:
    if error.kind == "unauthenticated":
        return Response(None, status_code=303, headers={**HEADERS, "Location": "/sign-in"})
    return error_page(error.problem)


def _illegal_page(request: AnyRequest, error: Illegal) -> Response[Any]:
    return error_page(problem("illegal", error.message, rule=error.rule))


def _unavailable_page(request: AnyRequest, error: Exception) -> Response[Any]:
    return error_page(problem("unavailable", "The store cannot be reached; try again soon."))


def _stale_page(request: AnyRequest, error: StaleVersion) -> Response[Any]:
    return error_page(problem("stale_version", "Somebody was faster; look again and repeat."))


def _framework_page(request: AnyRequest, error: HTTPException) -> Response[Any]:
    kind = refusals.KIND_OF_STATUS.get(error.status_code, "malformed" if error.status_code < 500 else "broken")
    return error_page(problem(kind, KINDS[kind].when))


def _fault_page(request: AnyRequest, error: Exception) -> Response[Any]:
    _LOG.error("page failed", method=request.method, path=request.url.path, exc_info=error)
    return error_page(problem("broken", "A fault of the service; it has been logged."))


PAGES: dict[Any, Callable[..., Response[Any]]] = {
    Refused: _refused_page,
    Illegal: _illegal_page,
    StoreUnavailable: _unavailable_page,
    NotLeased: refusals.HANDLERS[NotLeased],
    StaleVersion: _stale_page,
    HTTPException: _framework_page,
    Exception: _fault_page,
}


def unrouted_page(request: AnyRequest, error: HTTPException) -> Response[Any]:
    """The answer to an error outside all routes: a page if the client accepts HTML outside `/v1/`, else a problem."""
    reads_pages = "text/html" in request.headers.get("accept", "")
    if reads_pages and not request.url.path.startswith("/v1/"):
        return _framework_page(request, error)
    return refusals.HANDLERS[HTTPException](request, error)
