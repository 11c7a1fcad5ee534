"""One operation of the API: what it takes, what it answers, and the Litestar handler made of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar
from uuid import UUID

import msgspec
from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.types import Empty

from domain.player import Scope
from service import sessions
from service.access import Caller
from service.json_depth import check_depth
from service.json_numbers import integers
from service.problems import Refused
from service.query import reader
from service.services import Services
from service.texts import read_text

B = TypeVar("B", covariant=True)
Q = TypeVar("Q", covariant=True)
Method = Literal["GET", "POST", "PATCH", "DELETE"]
JSON = "application/json"


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
    """What the API's description says of one operation, and what its handler checks before the work begins.

    `access`: `open` looks at no token, `optional` accepts one, `required` needs one with `scope`.
    `request_headers`: header name -> description. `problems`: the kinds that are its own; common ones are added.
    `texts`: media types of a body that is read as text instead of JSON, each with an example.
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
    problems: tuple[str, ...] = ()
    examples: dict[str, Any] = field(default_factory=dict)
    summary: str = ""
    description: str = ""


class Call(Generic[B, Q]):
    """One request after the checks: the decoded body and query, the caller, and the services."""

    def __init__(self, request: Request[Any, Any, Any], body: B, query: Q, caller: Caller | None) -> None:
        self.request = request
        self.body = body
        self.query = query
        self.caller = caller
        self.services: Services = request.app.state.services

    @property
    def player(self) -> UUID:
        """The caller's player id; only in operations that need a token."""
        if self.caller is None:
            raise Refused("unauthenticated", "This needs a token.")
        return self.caller.player

    def id(self, name: str) -> UUID:
        """An id of the path."""
        return self.request.path_params[name]  # type: ignore[no-any-return]


Handler = Callable[[Call[Any, Any]], Awaitable[Response[Any]]]


def operation(**parts: Any) -> Callable[[Handler], HTTPRouteHandler]:
    """Make a Litestar handler of a function of one Call; its docstring becomes summary and description."""

    def make(handler: Handler) -> HTTPRouteHandler:
        summary, _, description = (handler.__doc__ or "").strip().partition("\n")
        described = Operation(**parts, summary=summary, description=_unindented(description))
        return _route(described, handler)

    return make


def _unindented(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())


def _route(described: Operation, handler: Handler) -> HTTPRouteHandler:
    read_body, read_query = _body_reader(described), reader(described.query)

    async def endpoint(request: Request[Any, Any, Any]) -> Response[Any]:
        caller = await _caller(request, described)
        query = read_query(request.query_params.multi_items())
        answer = await handler(Call(request, await read_body(request), query, caller))
        if caller is not None and sessions.by_cookie(request):
            answer.headers.setdefault("Cache-Control", "no-store")  # no cache may take it for everybody's
        return answer

    endpoint.__name__ = described.id
    route = HTTPRouteHandler(
        described.path, http_method=described.method, name=described.id, opt={"operation": described}, status_code=200,
        media_type=next(iter(described.answers.values())).media_types[0],
        request_max_body_size=None if described.texts else Empty,  # `read_text` has a limit of its own
    )  # fmt: skip
    return route(endpoint)


async def _caller(request: Request[Any, Any, Any], described: Operation) -> Caller | None:
    if described.access == "open":
        return None
    caller = await sessions.caller(request)
    if caller is None:
        if described.access == "optional":
            return None
        raise Refused("unauthenticated", "This needs a token: Authorization: Bearer kbz_...")
    if described.scope not in caller.scopes:
        raise Refused("scope_missing", f"The token does not carry the scope `{described.scope}`.")
    return caller


def _body_reader(described: Operation) -> Callable[[Request[Any, Any, Any]], Awaitable[Any]]:
    if described.texts:
        return lambda request: read_text(request, tuple(described.texts))
    if described.body is None:
        return _no_body
    decoder = msgspec.json.Decoder(described.body)

    async def read(request: Request[Any, Any, Any]) -> Any:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            raise Refused("unsupported_media_type", "The body must be application/json.")
        body = await request.body()
        check_depth(body, request.app.state.services.settings.max_json_depth)
        return decoded(decoder, body)

    return read


async def _no_body(request: Request[Any, Any, Any]) -> None:
    return None


def decoded(decoder: "msgspec.json.Decoder[Any]", body: bytes) -> Any:
    """The body as its type; raises Refused with where it went wrong."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError:
        return _with_integers(decoder, body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("malformed", f"Body: {error}.") from error


def _with_integers(decoder: "msgspec.json.Decoder[Any]", body: bytes) -> Any:
    """The body with numbers such as `7.0` taken for the integers that JSON Schema says they are."""
    try:
        return msgspec.convert(integers(msgspec.json.decode(body)), decoder.type)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("malformed", f"Body: {error}.") from error


def reply(content: Any, status: int = 200, **headers: str) -> Response[bytes]:
    """An answer in JSON; header names with `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(msgspec.json.encode(content), status_code=status, media_type=JSON, headers=named)
