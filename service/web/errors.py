"""Error pages: a failed request for a page is answered with a page that says the same as a problem document."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlsplit

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException

from domain.game_type import Illegal
from service.event_store.errors import NotLeased, StaleVersion, StoreUnavailable
from service.http import refusals
from service.problems import KINDS, Problem, Refused, problem
from service.web.rendering import redirect, render_page

_LOG = structlog.get_logger("pages")
AnyRequest = Request[Any, Any, Any]


def error_page(told: Problem) -> Response[Any]:
    """The page of this problem; it does not know who visits."""
    return render_page("error.html", told.status, problem=told, you=None, unknown_visitor=True)


def _page_of(request: AnyRequest, error: Exception) -> Response[Any]:
    match error:
        case Refused(kind="unauthenticated"):
            return redirect(_sign_in_address(request))
        case Refused():
            return error_page(error.problem)
        case Illegal():
            return error_page(refusals.problem_of_rule(error))
        case StoreUnavailable():
            return error_page(problem("unavailable", "The store cannot be reached; try again soon."))
        case StaleVersion():
            return error_page(problem("stale_version", "Somebody was faster; look again and repeat."))
        case HTTPException():
            kind = refusals.KIND_OF_STATUS.get(error.status_code, "malformed" if error.status_code < 500 else "broken")
            return error_page(problem(kind, KINDS[kind].when))
        case _:
            _LOG.error("page failed", method=request.method, path=request.url.path, exc_info=error)
            return error_page(problem("broken", "A fault of the service; it has been logged."))


def _sign_in_address(request: AnyRequest) -> str:
    """Where one signs in, to go on at the page that was asked for, or whose form was sent."""
    asked = request.url.path if request.method == "GET" else urlsplit(request.headers.get("referer", "")).path
    with suppress(HTTPException):  # a refused form is a page without an address of its own
        request.app.asgi_router.handle_routing(asked, "GET")
        return f"/sign-in?back={quote(asked)}"
    return "/sign-in"


PAGES: dict[Any, Callable[..., Response[Any]]] = {
    **dict.fromkeys((Refused, Illegal, StoreUnavailable, StaleVersion, HTTPException, Exception), _page_of),
    NotLeased: refusals.HANDLERS[NotLeased],
}


def unrouted_page(request: AnyRequest, error: HTTPException) -> Response[Any]:
    """The answer to an error outside all routes: a page if the client accepts HTML outside `/v1/`, else a problem."""
    reads_pages = "text/html" in request.headers.get("accept", "")
    if reads_pages and not request.url.path.startswith("/v1/"):
        return _page_of(request, error)
    return refusals.HANDLERS[HTTPException](request, error)
