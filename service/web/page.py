"""One page: who visits, what is rendered, and the Litestar handler made of it."""

from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qsl
from uuid import UUID

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler

from domain.game_type import Illegal
from service.accounts import sessions
from service.accounts.access import Caller
from service.event_store import log_positions
from service.http.bodies import media_type_of
from service.http.operation import Call
from service.live.unseen import delay_refusal
from service.problems import Refused
from service.web import errors
from service.web.people import People
from service.web.rendering import render_template
from service.web.security import HEADERS, HTML
from service.workers.replica import newest_own_position, primary_services

AnyRequest = Request[Any, Any, Any]
FORM = "application/x-www-form-urlencoded"
Q = TypeVar("Q")


class Visit(Call[None, None]):
    """One request for a page; `caller` is None for whoever is not signed in."""

    def __init__(self, request: AnyRequest, caller: Caller | None) -> None:
        super().__init__(request, None, None, caller)
        self.people: People = request.app.state.people
        self.services = primary_services(self.services, newest_own_position(self))[0]

    @property
    def cursor(self) -> str | None:
        """Where a page of a list goes on."""
        return self.request.query_params.get("cursor")

    def asking(self, query: Q, **ids: UUID) -> "Asked[Q]":
        """An API call by this visitor, with this query; `ids` replace ids of the path."""
        return Asked(self, query, ids)

    def may_play(self) -> UUID:
        """The visitor's player id; raises Refused if they are not signed in or their token lacks `play`."""
        if self.caller is not None and "play" not in self.caller.scopes:
            raise Refused("scope_missing", "You are signed in with a token that may not play.")
        return self.player

    async def show(self, template: str, status_code: int = 200, **values: Any) -> Response[Any]:
        """This template as an answer; it knows who visits."""
        if "you" not in values:
            values["you"] = None if self.caller is None else await self.people.one(self.caller.player)
        return Response(render_template(template, **values), status_code=status_code, media_type=HTML, headers=HEADERS)

    async def form(self) -> dict[str, str]:
        """The fields of a posted form, the last of each name; raises Refused."""
        if media_type_of(self.request.scope["headers"]) != FORM:
            raise Refused("unsupported_media_type", "The body must be a form.")
        try:
            body = (await self.request.body()).decode()
            return dict(parse_qsl(body, keep_blank_values=True, strict_parsing=bool(body), max_num_fields=200))
        except ValueError as error:
            raise Refused("malformed", "The form cannot be read.") from error


class Asked(Call[None, Q]):
    """A call that a page makes to functions of the API; `ids` replace ids of the path."""

    def __init__(self, visit: Visit, query: Q, ids: Mapping[str, UUID]) -> None:
        super().__init__(visit.request, None, query, visit.caller)
        self.services, self._ids = visit.services, ids

    def id(self, name: str) -> UUID:
        """An id that the page names, or one of the path."""
        return self._ids[name] if name in self._ids else super().id(name)


Handler = Callable[[Visit], Awaitable[Response[Any]]]


def page(path: str, method: Literal["GET", "POST"] = "GET") -> Callable[[Handler], HTTPRouteHandler]:
    """Make a Litestar handler of a function of one Visit. A POST must come from our own pages, signed in or not."""

    def make(handler: Handler) -> HTTPRouteHandler:
        async def endpoint(request: AnyRequest) -> Response[Any]:
            began = monotonic()
            sessions.check_own_site(request)
            visit, stale = await _visit(request)
            written = log_positions.begin_request()
            try:
                answer = await handler(visit)
            except (Refused, Illegal) as refusal:
                await delay_refusal(visit.services.room, refusal, began)
                raise
            if written.position and visit.caller is not None:
                visit.services.writers.keep(visit.caller.player, written.position)
            if stale:
                answer.set_cookie(sessions.no_cookie(request))
            return answer

        name = f"page {method} {path}"
        endpoint.__name__ = handler.__name__
        route = HTTPRouteHandler(
            path, http_method=method, name=name, status_code=200, media_type=HTML, exception_handlers=errors.PAGES
        )
        return route(endpoint)

    return make


async def _visit(request: AnyRequest) -> tuple[Visit, bool]:
    """The visit, and whether its session cookie has expired: the visitor is then not signed in."""
    try:
        return Visit(request, await sessions.caller(request)), False
    except Refused as error:
        if error.kind != "unauthenticated":
            raise
        return Visit(request, None), sessions.uses_cookie(request)


def redirect(where: str) -> Response[Any]:
    """A redirect after a posted form (303)."""
    return Response(None, status_code=303, headers={**HEADERS, "Location": where})
