"""One operation of the API: what it takes, what it answers, and the Litestar handler made of it."""

from collections.abc import Awaitable, Callable
from copy import copy
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Generic, Literal, ParamSpec, TypeVar
from uuid import UUID

import msgspec
from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Empty, Receive, Send

from domain.game_type import Illegal
from domain.player import Scope
from service.accounts.access import Caller
from service.event_store import log_positions
from service.http.limits import spend
from service.http.ready_response import JSON, Reply, reply
from service.http.ready_response import answer as send_reply
from service.http.request_reading import body_reader, caller_of, decoded, header, query_reader
from service.http.services import Services
from service.live.heavy.asked import WEIGHT, size_of
from service.live.unseen import delay_refusal
from service.problems import Refused
from service.workers.replica import may_lag

B = TypeVar("B", covariant=True)
Q = TypeVar("Q", covariant=True)
P = ParamSpec("P")
R = TypeVar("R")
__all__ = ["JSON", "Answer", "Call", "NoQuery", "Operation", "Reply", "decoded", "operation", "reply"]
Method = Literal["GET", "POST", "PATCH", "DELETE"]


class NoQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No query parameter at all."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer of an operation: its type (None: no body), its media types and headers with their descriptions.

    `events`: the names of the server-sent events that a stream has before its `end`.
    """

    type: Any
    says: str
    media_types: tuple[str, ...] = (JSON,)
    headers: dict[str, str] = field(default_factory=dict)
    example: Any = None
    links: dict[str, Any] = field(default_factory=dict)
    events: tuple[str, ...] = ("frame",)


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One operation as the API's description has it, with what is checked before its handler runs.

    `access`: `open` looks at no token, `optional` accepts one, `required` needs one with `scope`.
    `may_lag`: may be answered from a replica; the answer has the log position it was read at.
    `request_headers`: header name -> description. `problems`: its own kinds; common ones are added.
    `texts`: media type -> example, for a body that is text instead of JSON.
    """

    id: str
    method: Method
    path: str
    tag: str
    answers: dict[int, Answer]
    body: Any = None
    texts: dict[str, str] = field(default_factory=dict)
    query: type[msgspec.Struct] = NoQuery
    request_headers: dict[str, str] = field(default_factory=dict)
    access: Literal["open", "optional", "required"] = "open"
    scope: Scope = "read"
    may_lag: bool = False
    problems: tuple[str, ...] = ()
    examples: dict[str, Any] = field(default_factory=dict)
    summary: str = ""
    description: str = ""

    @property
    def body_optional(self) -> bool:
        """Whether the body may be left out: no field is required."""
        fields = msgspec.structs.fields(self.body) if isinstance(self.body, type) else ()
        return self.body is not None and bool(fields) and not any(one.required for one in fields)


class Call(Generic[B, Q]):
    """One request after the checks: the decoded body and query, the caller, and the services."""

    def __init__(self, request: Request[Any, Any, Any], body: B, query: Q, caller: Caller | None) -> None:
        self.request = request
        self.body = body
        self.query = query
        self.caller = caller
        self.services: Services = request.app.state.services

    @property
    def primary(self) -> Services:
        """The services on the primary, which never lag."""
        return self.request.app.state.services  # type: ignore[no-any-return]

    def on(self, services: Services) -> "Call[B, Q]":
        """The same call with these services."""
        twin = copy(self)
        twin.services = services
        return twin

    @property
    def known_caller(self) -> Caller:
        """The caller; only in operations that need a token."""
        if self.caller is None:
            raise Refused("unauthenticated", "This needs a token.")
        return self.caller

    @property
    def player(self) -> UUID:
        """The caller's player id; only in operations that need a token."""
        return self.known_caller.player

    def header(self, name: bytes) -> str | None:
        """A header of the request by its name in lower case; raises Refused where it stands twice."""
        found = [value for given, value in self.request.scope["headers"] if given == name]
        if len(found) > 1:
            raise Refused("malformed", f"{name.decode().title()}: it stands twice.")
        return found[0].decode("latin-1") if found else None

    @property
    def raw_body(self) -> bytes:
        """The body's bytes; empty where the operation takes none."""
        scope: Any = self.request.scope
        return scope.get("body", b"")  # type: ignore[no-any-return]

    async def beside(self, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        """Run this function in a process beside the event loop; raises what it raises, or Refused."""
        scope: Any = self.request.scope
        spend(scope, size_of(given) // WEIGHT)
        return await self.services.heavy.ask(scope["sender"], work, *given, **named)

    def id(self, name: str) -> UUID:
        """An id of the path."""
        return self.request.path_params[name]  # type: ignore[no-any-return]


Handler = Callable[[Call[Any, Any]], Awaitable[Response[Any]]]
Endpoint = Callable[[Request[Any, Any, Any]], Awaitable[Response[Any]]]


def operation(**parts: Any) -> Callable[[Handler], HTTPRouteHandler]:
    """Make a Litestar handler of a function of one Call; its docstring becomes summary and description."""

    def make(handler: Handler) -> HTTPRouteHandler:
        summary, _, description = (handler.__doc__ or "").strip().partition("\n")
        described = Operation(**parts, summary=summary, description=_without_indent(description))
        return _route(described, handler)

    return make


def _without_indent(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())


def _route(described: Operation, handler: Handler) -> HTTPRouteHandler:
    """The route: the framework finds it and answers errors; the work between is ours, see `direct_layer`."""
    asked = _checked_endpoint(described, handler)

    async def endpoint(request: Request[Any, Any, Any]) -> Response[Any]:
        return await asked(request)

    endpoint.__name__ = described.id
    route = HTTPRouteHandler(
        described.path, http_method=described.method, name=described.id, opt={"operation": described}, status_code=200,
        media_type=next(iter(described.answers.values())).media_types[0], middleware=[direct_layer(asked)],
        request_max_body_size=None if described.texts else Empty,  # `read_text` has a limit of its own
    )  # fmt: skip
    return route(endpoint)


def _checked_endpoint(described: Operation, handler: Handler) -> Endpoint:
    body_of, read_query = body_reader(described), query_reader(described)
    handler = may_lag(handler) if described.may_lag else handler

    async def asked(request: Request[Any, Any, Any]) -> Response[Any]:
        began = monotonic()
        authorization = header(request.scope["headers"], b"authorization")
        caller = await caller_of(request, authorization, described)
        query = read_query(request)
        call = Call(request, await body_of(request), query, caller)
        try:
            answer = await (handler(call) if described.method == "GET" else _answer_write(handler, call))
        except (Refused, Illegal) as refusal:
            await delay_refusal(call.primary.room, refusal, began)
            raise
        if caller is not None and authorization is None:  # by cookie: no cache may serve the answer to others
            answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    return asked


async def _answer_write(handler: Handler, call: Call[Any, Any]) -> Response[Any]:
    """Run a handler that may change something; the answer has the log position of the change."""
    written = log_positions.begin_request()
    answer = await handler(call)
    if position := written.position:
        answer.headers[log_positions.WRITTEN] = str(position)
        if call.caller is not None:
            call.services.writers.keep(call.caller.player, position)
    return answer


def direct_layer(asked: Endpoint) -> Callable[[ASGIApp], ASGIApp]:
    """Innermost middleware that calls the endpoint itself: we use none of the framework's dependencies, hooks and
    rendering, and looking for them took a quarter of a command's time."""

    def with_endpoint(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Any, receive: Receive, send: Send) -> None:
            request: Request[Any, Any, Any] = Request(scope, receive, send)
            await send_reply(await asked(request), request)

        return serve

    return with_endpoint
