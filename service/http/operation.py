"""The handler made of an operation: its checks, its answer to a repeated Idempotency-Key, its reads that may lag.

Only operations with `Operation.may_lag` read from the replica: from it, or from the primary while it is gone or too far
behind.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from hashlib import sha256
from importlib import import_module
from pkgutil import walk_packages
from time import monotonic
from typing import Any, cast
from urllib.parse import parse_qsl
from uuid import UUID

import msgspec
from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Empty, Receive, Send

from domain.game_type import Illegal
from service.accounts import sessions
from service.accounts.access import Caller
from service.accounts.players import Accounts
from service.event_store import keyed_writes, log_positions
from service.event_store.connections import NOT_THERE
from service.event_store.errors import DuplicateCompanion
from service.event_store.writing.rows import Companion
from service.http.bodies import body_reader, disallowed_tag_refusal, query_reader
from service.http.call import HEADERS_BY_NAME, Answer, Call, Handler, HttpParts, NoQuery, Operation
from service.http.front import CALLER, DEPRECATED
from service.http.replies import JSON, NEXT, Reply, next_link, reply, send_reply
from service.http.representation import NO_STORE, present
from service.live import idempotency
from service.live.idempotency import NOWHERE, Key
from service.live.seats import delay_refusal
from service.problems import IDEMPOTENCY_KEY, Refused, ScopeMissing, refused_header
from service.telemetry.background import start_task
from service.workers.reads import MIN_POSITION, RecentReads, ReplicaStore

__all__ = ["JSON", "Answer", "Call", "NoQuery", "Operation", "Reply", "operation", "reply"]
_QUERIES = 1_000  # decoded queries kept for each operation
_READABLE = re.compile(IDEMPOTENCY_KEY)
_MISSING = "no_such_thing"
_DIGITS = 18  # of a position, at most
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


def find_handlers(folders: Iterable[str], package: str) -> list[HTTPRouteHandler]:
    """The handlers that the modules of this package name, ordered by the last part of the module's name."""
    names = sorted((part.name for part in walk_packages(folders, f"{package}.")), key=lambda name: name.split(".")[-1])
    values = [value for name in names for value in vars(import_module(name)).values()]
    named = [each for value in values for each in (value if isinstance(value, tuple) else (value,))]
    return [value for value in named if isinstance(value, HTTPRouteHandler)]


def _make_endpoint(described: Operation, handler: Handler) -> Endpoint:
    """The handler with authentication, decoding and the headers of its answer around it."""
    read_body, read_query, queries = body_reader(described), query_reader(described.query), dict[bytes, Any]()
    writes = described.writes
    if described.may_lag:
        handler = may_lag(handler)
    elif writes and not described.keyless and idempotency.KEY not in described.request_headers:
        once = answer_kept if described.keeps_answer else answer_once
        handler = partial(once, operation=described.id, handler=handler)

    async def endpoint(request: Request[Any, Any, Any]) -> Response[Any]:
        began, parts = monotonic(), cast(HttpParts, request.app.state.parts)
        scope: Any = request.scope
        named, caller = scope[HEADERS_BY_NAME], None
        if described.access != "open":
            caller = await _find_caller(request, described, parts.accounts)
        if (query := queries.get(scope["query_string"])) is None:  # immutable, so equal texts share it
            query = read_query(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
            if len(queries) >= _QUERIES:
                queries.clear()
            queries[scope["query_string"]] = query
        try:
            body = await read_body(request, parts.settings)
        except Refused as refusal:
            await _refuse_disallowed_tag(described, Call(request, None, query, caller, parts), refusal, began)
            raise
        call = Call(request, body, query, caller, parts)
        written = log_positions.begin_request() if writes else None
        try:
            answer = await handler(call)
        except (Refused, Illegal) as refusal:
            if isinstance(refusal, Illegal) and not refusal.pointer and refusal.rule in described.member_of_rule:
                refusal.pointer = f"/{described.member_of_rule[refusal.rule]}"
            await delay_refusal(call.room.query_missing_game, refusal, began)
            raise
        if written is not None:
            position = written.position or await call.store.head()
            answer.headers[log_positions.HEADER] = str(position)
            if caller is not None:
                parts.writers.keep(caller.player, position)
        if (cursor := answer.headers.pop(NEXT, None)) is not None and described.has_pages:
            answer.headers["Link"] = next_link(scope["path"], scope["query_string"], cursor)
        if caller is not None and b"authorization" not in named:  # by cookie: no cache may serve the answer to others
            answer.headers.setdefault("Cache-Control", "no-store")
        if described.method != "GET":
            return answer
        return await present(described, scope["headers"], answer, caller is not None)

    return endpoint


async def _refuse_disallowed_tag(described: Operation, call: Call[None, Any], refusal: Refused, began: float) -> None:
    """Raise the refusal of a body by the path's `allowed_tags`, or NoSuchGame; return where they add nothing."""
    if described.allowed_tags is None or refusal.kind != "malformed" or not call.raw_body:
        return
    try:
        tags = await described.allowed_tags(call)
    except Refused as unknown:
        await delay_refusal(call.room.query_missing_game, unknown, began)
        raise
    if (narrower := disallowed_tag_refusal(call.raw_body, described.body, tags)) is not None:
        raise narrower from refusal


async def _find_caller(request: Request[Any, Any, Any], described: Operation, accounts: Accounts) -> Caller | None:
    """The caller; None for an anonymous request where the operation allows it. Raises Refused."""
    scope: Any = request.scope
    if (authorization := scope[HEADERS_BY_NAME].get(b"authorization")) is None:
        caller = await sessions.caller(request)
    else:
        caller = await accounts.access.caller(authorization.decode("latin-1"), scope.get(CALLER))
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


async def read_key(call: Call[Any, Any], operation: str, target: UUID) -> Key | None:
    """The request's Idempotency-Key, if it has one; raises Refused for one that cannot be read."""
    header = call.header(b"idempotency-key")
    if header is None:
        return None
    text = header.strip(" \t")
    if len(text) > 200 or not _READABLE.fullmatch(text):
        raise refused_header("Idempotency-Key", "Expected 1 to 200 printable ASCII characters, no blank at an end.")
    content = call.request.scope["query_string"] + b"\n" + call.raw_body
    return idempotency.bound_key(call.player, operation, target, text, content, call.parts.seals)


async def answer_once(call: Call[Any, Any], operation: str, handler: Handler) -> Response[Any]:
    """The handler's answer; of a repeat it only makes the first answer again, see `keyed_writes`.

    Of two at once with one key, one records something; the other is answered as a repeat.
    """
    if (key := await read_key(call, f"{operation} {call.request.scope['path']}", NOWHERE)) is None:
        return await handler(call)

    def row(stream: UUID, first: int, last: int, answer: bytes | None) -> Companion:
        return idempotency.use_companion(key, stream, first, last, None, answer)

    store = call.store
    if (first_use := await idempotency.find(store, key)) is None:
        try:
            with keyed_writes.keyed_write(row, None) as keyed:
                answer = await handler(call)
            if not keyed.stored:
                await store.append([], [row(key.player, 0, 0, None)])
            return answer
        except (Illegal, Refused, DuplicateCompanion):
            if (first_use := await idempotency.find(store, key)) is None:
                raise
    with keyed_writes.keyed_write(row, first_use):
        return await handler(call)


async def answer_kept(call: Call[Any, Any], operation: str, handler: Handler) -> Response[Any]:
    """The handler's answer; a repeat gets the first one, stored sealed: it has a secret, or cannot be made again.

    The key is stored first, and the work goes on though its client leaves. Raises Refused:
    key_in_use for a repeat while the first is under way, after one that broke off, and of an answer that is not kept: a
    secret that cannot be sealed. An answer with a secret is for the token that asked first.
    """
    if (key := await read_key(call, f"{operation} {call.request.scope['path']}", NOWHERE)) is None:
        return await handler(call)
    store, seals = call.store, call.parts.seals
    place = key.player.bytes + sha256(f"{key.operation} {key.text}".encode()).digest()
    try:
        await store.append([], [idempotency.use_companion(key, key.player, 0, 0, None, None)])
    except DuplicateCompanion:
        first_use = await idempotency.find(store, key)
        if first_use is None or first_use.answer is None:
            reason = "A request with this key is under way, or its answer is not kept: see what it did."
            raise Refused("key_in_use", reason) from None
        first_answer = msgspec.json.decode(seals.unseal_if_sealed(place, bytes(first_use.answer)), type=_KeptAnswer)
        if first_answer.headers.get("Cache-Control") == NO_STORE and first_answer.token != call.known_caller.token:
            reason = "Another token of yours used this key first, and its answer has a secret."
            raise Refused("key_in_use", reason) from None
        status, headers = first_answer.status, first_answer.headers
        return Response(first_answer.body, status_code=status, headers=headers, media_type="application/json")
    answered: asyncio.Future[Response[Any]] = asyncio.get_running_loop().create_future()
    answered.add_done_callback(lambda done: done.exception())

    async def answer_first() -> None:
        try:
            try:
                answer = await handler(call)
            except (Illegal, Refused):
                await store.append([], [idempotency.forget_companion(key)])
                raise
            if seals.sealing or answer.headers.get("Cache-Control") != NO_STORE:
                token, content = call.known_caller.token, answer.content or b""
                first = msgspec.json.encode(
                    _KeptAnswer(answer.status_code or 200, dict(answer.headers), content, token)
                )
                await store.append([], [idempotency.answer_companion(key, seals.seal_if_sealing(place, first))])
        except Exception as error:  # noqa: BLE001  the waiting request gets it
            answered.set_exception(error)
        else:
            answered.set_result(answer)

    start_task(answer_first, "answer kept")
    return await asyncio.shield(answered)


class _KeptAnswer(msgspec.Struct, frozen=True, array_like=True):
    """An answer as it was given first, to this token."""

    status: int
    headers: dict[str, str]
    body: bytes
    token: UUID


def may_lag(handler: Handler) -> Handler:
    """The handler on the replica; on the primary if there is none, it does not answer or it lags too far.

    Where something is missing it runs once more if the read models had not reached the log's head.
    """

    async def handle(call: Call[Any, Any]) -> Any:
        parts, at_least = call.parts, _least_position(call)
        if (replica := parts.replica) is not None and replica.usable:
            reads = RecentReads((replica.reads, parts.reads), at_least)
            try:
                return await handler(call.on(reads, ReplicaStore(parts.store, replica)))
            except NOT_THERE:
                replica.mark_down()
            except Refused as refused:
                if refused.kind not in ("unavailable", _MISSING):
                    raise
        return await _on_primary(handler, call, at_least)

    return handle


async def _on_primary(handler: Handler, call: Call[Any, Any], at_least: int) -> Any:
    parts, reads = call.parts, RecentReads((call.parts.reads,), at_least)
    try:
        return await handler(call.on(reads, parts.store))
    except Refused as refused:
        if refused.kind != _MISSING or reads.seen is None:
            raise
        head = await parts.store.head()
        if reads.seen >= head:
            raise
    reads = RecentReads((parts.reads,), head)
    try:
        return await handler(call.on(reads, parts.store))
    except Refused as refused:
        if refused.kind == _MISSING and reads.seen is not None and reads.seen < head:
            late = f"It may not be there yet: this is as of log position {reads.seen}, and the log is at {head}."
            detail = f"{refused.problem.detail} {late} Ask again with {MIN_POSITION}: {head}."
            raise Refused(_MISSING, detail) from refused
        raise


def _least_position(call: Call[Any, Any]) -> int:
    """The position that the request names, or, without a replica, that of the caller's newest change."""
    if (text := call.header(MIN_POSITION.lower().encode())) is None:
        return newest_own_position(call)
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise refused_header(MIN_POSITION, "Expected a log position, the Log-Position of an answer.")
    return int(text)


def newest_own_position(call: Call[Any, Any]) -> int:
    """The caller's newest log position of the last seconds; 0 if there is a replica."""
    parts = call.parts
    return 0 if call.caller is None or parts.replica else parts.writers.newest(call.caller.player)
