"""One operation of the API: its input, its answers, and the Litestar handler made of it."""

from collections.abc import Awaitable, Callable
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from functools import cached_property, partial
from time import monotonic
from typing import Any, Generic, Literal, ParamSpec, TypeVar, cast
from urllib.parse import parse_qsl
from uuid import UUID

import msgspec
from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Empty, Receive, Send

from domain.game_type import Illegal
from domain.player import OneScope
from service.accounts import sessions
from service.accounts.access import Caller
from service.event_store import log_positions
from service.http.bodies import body_reader, refusal_here
from service.http.bodies import reader as query_reader
from service.http.front import CALLER, DEPRECATED, NAMED
from service.http.limits import spend
from service.http.metrics_port import JSON, NEXT, Reply, next_link, reply
from service.http.metrics_port import answer as send_reply
from service.http.representation import NDJSON, present
from service.http.services import Services
from service.jobs.stored_games import WEIGHT, count_events
from service.live.idempotency import KEY, answer_kept, answer_once
from service.live.seats import delay_refusal
from service.problems import Refused, ScopeMissing, refused_header
from service.workers.reads import may_lag

B = TypeVar("B", covariant=True)
Q = TypeVar("Q", covariant=True)
P = ParamSpec("P")
R = TypeVar("R")
__all__ = ["JSON", "Answer", "Call", "NoQuery", "Operation", "Reply", "operation", "reply"]
Method = Literal["GET", "POST", "PATCH", "DELETE"]
_QUERIES = 1_000  # decoded queries kept for each operation


class NoQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No query parameter at all."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer of an operation: its type (None: no body), its media types and headers with their descriptions.

    `events`: the names of the server-sent events that a stream has before its `end`. `lines`: the types of the lines
    of a text that is JSON line by line, or of a stream's events where `type` is that of the answer as JSON.
    """

    type: Any
    says: str
    media_types: tuple[str, ...] = (JSON,)
    headers: dict[str, str] = field(default_factory=dict)
    example: Any = None
    links: dict[str, Any] = field(default_factory=dict)
    events: tuple[str, ...] = ("frame",)
    lines: Any = None


NOTICE = timedelta(days=183)
"""The least time from being deprecated to the last day: six months."""
DEPRECATION_HEADERS = {
    "Deprecation": "Since when the operation is deprecated: `@` and seconds since 1970 (RFC 9745).",
    "Sunset": "When it goes (RFC 8594).",
}


@dataclass(frozen=True, kw_only=True)
class Deprecation:
    """The day of UTC that deprecates an operation, what to use `instead` (a sentence), its last day if any.

    It sets headers of every answer (RFC 9745, RFC 8594) and the description: openapi/VERSIONS.md.
    """

    since: date
    instead: str
    until: date | None = None

    def __post_init__(self) -> None:
        if self.until is not None and self.until - self.since < NOTICE:
            raise ValueError(f"a deprecated operation stays for {NOTICE.days} days at least")

    @property
    def sentence(self) -> str:
        """The description's first sentences."""
        goes = "" if self.until is None else f" It goes after {self.until}."
        return f"Deprecated since {self.since}. {self.instead}{goes}"

    def headers(self, operation: str) -> list[tuple[bytes, bytes]]:
        """The headers of each answer of this operation."""
        headers = [
            (b"deprecation", b"@%d" % datetime.combine(self.since, time(), UTC).timestamp()),
            (b"link", f'</v1/docs#operation/{operation}>; rel="deprecation"; type="text/html"'.encode()),
        ]
        if self.until is not None:
            end = datetime.combine(self.until, time(23, 59, 59), UTC)
            headers.append((b"sunset", format_datetime(end, usegmt=True).encode()))
        return headers


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One operation as the API's description has it, with what is checked before its handler runs.

    `access`: `open` ignores tokens, `required` needs one with `scope` (None: any). `optional` accepts any valid token;
    one without `scope` gets the answer of an anonymous request.
    `may_lag`: may be answered from a replica; the answer has the log position it was read at.
    `request_headers`: header name -> description. `problems`: its own kinds; common ones are added.
    `texts`: media type -> example, for a body that is text instead of JSON. `keyless`: why a write ignores
    Idempotency-Key. Every other write accepts it: by `idempotency.answer_kept` where `keeps_answer`, because the answer
    cannot be made again, else by `answer_once` unless `request_headers` names it.
    `changes_state`: False for a POST that only reads. `form`: the fields of a body that is a form.
    `body_name`: the schema's name of a body that is a union.
    `member_of_rule`: rule -> the body's member that breaks it.
    `allowed_tags`: the members of the body's union that the path allows; called when a body has been refused.
    `deprecated`: every answer and the description say so.
    """

    id: str
    method: Method
    path: str
    tag: str
    answers: dict[int, Answer]
    body: Any = None
    body_name: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    form: type[msgspec.Struct] | None = None
    allowed_tags: "Callable[[Call[None, Any]], Awaitable[frozenset[str]]] | None" = None
    member_of_rule: dict[str, str] = field(default_factory=dict)
    query: type[msgspec.Struct] = NoQuery
    request_headers: dict[str, str] = field(default_factory=dict)
    access: Literal["open", "optional", "required"] = "open"
    scope: OneScope | None = "games:read"
    may_lag: bool = False
    keyless: str = ""
    keeps_answer: bool = False
    changes_state: bool = True
    problems: tuple[str, ...] = ()
    examples: dict[str, Any] = field(default_factory=dict)
    deprecated: Deprecation | None = None
    summary: str = ""
    description: str = ""

    @cached_property
    def varies_by(self) -> tuple[str, ...]:
        """The request's headers that an answer depends on."""
        accept = ("Accept",) if any(len(answer.media_types) > 1 for answer in self.answers.values()) else ()
        return accept if self.access == "open" else (*accept, "Authorization", "Cookie")

    @cached_property
    def of_a_game(self) -> bool:
        """Whether it is about one game, which some readers may see more of than others."""
        return "{game_id" in self.path

    @property
    def has_etag(self) -> bool:
        """Whether its answers have an ETag: GETs with a body, but no streams."""
        first = next(iter(self.answers.values()))
        streamed = first.media_types[0] in (NDJSON, "text/event-stream")
        return self.method == "GET" and first.type is not None and not streamed

    @property
    def writes(self) -> bool:
        """Whether it records something; its answers then have a log position."""
        return self.method != "GET" and self.changes_state

    @property
    def has_pages(self) -> bool:
        """Whether it lists in pages, and `Link` names the next one: no stream of lines."""
        return self.has_etag and "cursor" in self.query.__struct_fields__

    @property
    def body_optional(self) -> bool:
        """Whether the body may be left out: no field is required."""
        fields = msgspec.structs.fields(self.body) if isinstance(self.body, type) else ()
        return self.body is not None and bool(fields) and not any(member.required for member in fields)


class Call(Generic[B, Q]):
    """One request after the checks: the decoded body and query, the caller, and the services.

    `path`: parameters of the path. `named`: the headers by name, the last of each.
    """

    def __init__(
        self, request: Request[Any, Any, Any], body: B, query: Q, caller: Caller | None, services: Services
    ) -> None:
        self.request = request
        self.body = body
        self.query = query
        self.caller = caller
        scope: Any = request.scope
        self.path: dict[str, Any] = scope["path_params"]
        self.named: dict[bytes, bytes] = scope[NAMED]
        self.services = services

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
        value, headers = self.named.get(name), cast(list[tuple[bytes, bytes]], self.request.scope["headers"])
        if len(headers) != len(self.named) and [other for other, _ in headers].count(name) > 1:
            raise refused_header(name.decode().title(), "It stands twice.")
        return None if value is None else value.decode("latin-1")

    @property
    def raw_body(self) -> bytes:
        """The body's bytes; empty where the operation takes none."""
        scope: Any = self.request.scope
        return scope.get("body", b"")  # type: ignore[no-any-return]

    async def in_child_process(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run this function in a child process; raises its exceptions, or Refused."""
        scope: Any = self.request.scope
        spend(scope, count_events(args) // WEIGHT)
        return await self.services.heavy.ask(scope["sender"], work, *args, **kwargs)

    def id(self, name: str) -> UUID:
        """An id of the path."""
        return self.path[name]  # type: ignore[no-any-return]


Handler = Callable[[Call[Any, Any]], Awaitable[Response[Any]]]
Endpoint = Callable[[Request[Any, Any, Any]], Awaitable[Response[Any]]]


def operation(**parts: Any) -> Callable[[Handler], HTTPRouteHandler]:
    """Make a Litestar handler of a function of one Call; its docstring becomes summary and description."""

    def make(handler: Handler) -> HTTPRouteHandler:
        summary, _, description = (handler.__doc__ or "").strip().partition("\n")
        text = "\n".join(line.strip() for line in description.strip().splitlines())
        if (deprecated := parts.get("deprecated")) is not None:
            text = f"{deprecated.sentence}\n\n{text}"
        described = Operation(**parts, summary=summary, description=text)
        endpoint = _make_endpoint(described, handler)
        endpoint.__name__ = described.id
        options: dict[str, Any] = {"operation": described}
        if deprecated is not None:
            options[DEPRECATED] = deprecated.headers(described.id)
        route = HTTPRouteHandler(
            described.path, http_method=described.method, name=described.id, opt=options, status_code=200,
            media_type=next(iter(described.answers.values())).media_types[0], middleware=[direct_layer(endpoint)],
            request_max_body_size=None if described.texts else Empty,  # `read_text` has a limit of its own
        )  # fmt: skip
        return route(endpoint)

    return make


def _make_endpoint(described: Operation, handler: Handler) -> Endpoint:
    """The handler with authentication, decoding and the headers of its answer around it."""
    read_body, read_query, queries = body_reader(described), query_reader(described.query), dict[bytes, Any]()
    writes = described.writes
    if described.may_lag:
        handler = may_lag(handler)
    elif writes and not described.keyless and KEY not in described.request_headers:
        once = answer_kept if described.keeps_answer else answer_once
        handler = partial(once, operation=described.id, handler=handler)

    async def endpoint(request: Request[Any, Any, Any]) -> Response[Any]:
        began, services = monotonic(), cast(Services, request.app.state.services)
        scope: Any = request.scope
        named, caller = scope[NAMED], None
        if described.access != "open":
            caller = await _find_caller(request, described, services)
        if (query := queries.get(scope["query_string"])) is None:  # immutable, so equal texts share it
            query = read_query(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
            if len(queries) >= _QUERIES:
                queries.clear()
            queries[scope["query_string"]] = query
        try:
            body = await read_body(request, services.settings)
        except Refused as refusal:
            await _refuse_here(described, Call(request, None, query, caller, services), refusal, began)
            raise
        call = Call(request, body, query, caller, services)
        written = log_positions.begin_request() if writes else None
        try:
            answer = await handler(call)
        except (Refused, Illegal) as refusal:
            if isinstance(refusal, Illegal) and not refusal.pointer and refusal.rule in described.member_of_rule:
                refusal.pointer = f"/{described.member_of_rule[refusal.rule]}"
            await delay_refusal(call.primary.room, refusal, began)
            raise
        if written is not None:
            position = written.position or await call.services.store.head()
            answer.headers[log_positions.HEADER] = str(position)
            if caller is not None:
                call.services.writers.keep(caller.player, position)
        if (cursor := answer.headers.pop(NEXT, None)) is not None and described.has_pages:
            answer.headers["Link"] = next_link(scope["path"], scope["query_string"], cursor)
        if caller is not None and b"authorization" not in named:  # by cookie: no cache may serve the answer to others
            answer.headers.setdefault("Cache-Control", "no-store")
        if described.method != "GET":
            return answer
        return await present(described, scope["headers"], answer, caller is not None)

    return endpoint


async def _refuse_here(described: Operation, call: Call[None, Any], refusal: Refused, began: float) -> None:
    """Raise the refusal of a body by the path's `allowed_tags`, or NoSuchGame; return where they add nothing."""
    if described.allowed_tags is None or refusal.kind != "malformed" or not call.raw_body:
        return
    try:
        tags = await described.allowed_tags(call)
    except Refused as unknown:
        await delay_refusal(call.primary.room, unknown, began)
        raise
    if (narrower := refusal_here(call.raw_body, described.body, tags)) is not None:
        raise narrower from refusal


async def _find_caller(request: Request[Any, Any, Any], described: Operation, services: Services) -> Caller | None:
    """The caller; None for an anonymous request where the operation allows it. Raises Refused."""
    scope: Any = request.scope
    if (authorization := scope[NAMED].get(b"authorization")) is None:
        caller = await sessions.caller(request)
    else:
        caller = await services.access.caller(authorization.decode("latin-1"), scope.get(CALLER))
    if caller is None and described.access == "required":
        raise Refused("unauthenticated", "This needs a token: Authorization: Bearer kbz_...")
    if caller is None or described.scope is None or described.scope in caller.scopes:
        return caller
    if described.access == "required":
        raise ScopeMissing(described.scope)
    return None


def direct_layer(endpoint: Endpoint) -> Callable[[ASGIApp], ASGIApp]:
    """Innermost middleware that calls the endpoint directly: the framework's search for dependencies, hooks and
    rendering, which no endpoint uses, took a quarter of a command's time."""

    def with_endpoint(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Any, receive: Receive, send: Send) -> None:
            request: Request[Any, Any, Any] = Request(scope, receive, send)
            await send_reply(await endpoint(request), request)

        return serve

    return with_endpoint
