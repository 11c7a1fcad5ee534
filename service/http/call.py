"""One call of the API: what its operation says of itself, and the request after the checks."""

from collections.abc import Awaitable, Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from functools import cached_property
from typing import Any, Generic, Literal, ParamSpec, TypeVar, cast
from uuid import UUID

import msgspec
from litestar import Request, Response

from domain.player import OneScope
from service.accounts.access import Caller
from service.accounts.players import Accounts
from service.event_store.log_positions import Writers
from service.event_store.store import EventStore
from service.http.limits import spend
from service.http.replies import JSON, NDJSON
from service.jobs.process import JobParts
from service.jobs.stored_games import EVENTS_PER_REQUEST, count_events
from service.keys.sealing import Seals
from service.live.room import Room
from service.problems import Refused, refused_header
from service.settings import Settings
from service.workers.reads import Reads, Replica

A = TypeVar("A")
B = TypeVar("B", covariant=True)
Q = TypeVar("Q", covariant=True)
P = ParamSpec("P")
R = TypeVar("R")
Method = Literal["GET", "POST", "PATCH", "DELETE"]
HEADERS_BY_NAME = "named_headers"
"""The key in a request's scope of its headers by name, the last of each."""


@dataclass(frozen=True, kw_only=True)
class HttpParts:
    """The parts that HTTP itself works with. `areas`: those of other rooms, a value for each, by its class."""

    settings: Settings
    store: EventStore
    reads: Reads
    replica: Replica | None
    writers: Writers
    accounts: Accounts
    room: Room
    seals: Seals
    areas: Mapping[type, object]

    def area(self, kind: type[A]) -> A:
        """The value of this class."""
        return self.areas[kind]  # type: ignore[return-value]


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
    Idempotency-Key. Every other write accepts it: by `operation.answer_kept` where `keeps_answer`, because the answer
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
    """One request after the checks: the decoded body and query, the caller, and the parts it works with.

    `path`: parameters of the path. `headers_by_name`: the last of each. `reads` and `store` may be those of
    the replica; `parts` has those of the primary.
    """

    def __init__(
        self, request: Request[Any, Any, Any], body: B, query: Q, caller: Caller | None, parts: HttpParts
    ) -> None:
        self.request = request
        self.body = body
        self.query = query
        self.caller = caller
        scope: Any = request.scope
        self.path: dict[str, Any] = scope["path_params"]
        self.headers_by_name: dict[bytes, bytes] = scope[HEADERS_BY_NAME]
        self.parts, self.area, self.settings = parts, parts.area, parts.settings
        self.store, self.reads, self.room, self.accounts = parts.store, parts.reads, parts.room, parts.accounts

    def on(self, reads: Reads, store: EventStore) -> "Call[B, Q]":
        """The same call with these reads and this store."""
        twin = copy(self)
        twin.reads, twin.store = reads, store
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
        value, headers = self.headers_by_name.get(name), cast(list[tuple[bytes, bytes]], self.request.scope["headers"])
        if len(headers) != len(self.headers_by_name) and [other for other, _ in headers].count(name) > 1:
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
        spend(scope, count_events(args) // EVENTS_PER_REQUEST)
        return await self.area(JobParts).heavy.ask(scope["sender"], work, *args, **kwargs)

    def id(self, name: str) -> UUID:
        """An id of the path."""
        return self.path[name]  # type: ignore[no-any-return]


Handler = Callable[[Call[Any, Any]], Awaitable[Response[Any]]]
