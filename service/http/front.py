"""The first and last steps of every request: id, quotas, headers, streams; FastPath; `/metrics` on its own port."""

import logging
import re
from asyncio import wait_for
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address
from time import perf_counter
from typing import Any, cast
from uuid import UUID

import structlog
from litestar import Litestar, Request
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client.metrics_core import Metric

from service.accounts.access import Access
from service.event_store.errors import StoreUnavailable
from service.http import representation
from service.http.call import HEADERS_BY_NAME
from service.http.limits import MINUTE, SPENT, QuotaLeft, Quotas, QuotaSpent, too_many, with_layer
from service.http.refusals import error_response, send_problem
from service.http.replies import send_reply
from service.http.representation import HTTPS_ONLY, PRIVATE_CACHE, SHARED_CACHE
from service.problems import Problem, problem
from service.settings import Settings
from service.telemetry import request_ids
from service.telemetry.metrics import CONTENT_TYPE, REQUEST_SECONDS, REQUESTS, exposition
from service.workers.health import Health, standing_gauges

STREAMS = frozenset(
    ("stream_game", "stream_inbox", "list_account_events", "list_league_events", "get_analysis", "open_line")
)
_STREAM_SECONDS = 30


class OpenStreams:
    """Open streams by sender and by address; an address may have `players` times as many as a sender."""

    def __init__(self, most: int, most_of_one: int, players: int = 1) -> None:
        self._most, self._most_of_one, self._players = most, most_of_one, players
        self._open: Counter[bytes] = Counter()
        self._from: Counter[bytes] = Counter()

    def refusal(self, who: bytes, address: bytes) -> Problem | None:
        """The problem if this sender may open no further stream; None if they may."""
        if self._open[who] >= self._most_of_one:
            return problem("too_many_requests", f"You have {self._most_of_one} streams open already.")
        if self._from[address] >= (most := self._most_of_one * self._players):
            return problem("too_many_requests", f"From your address {most} streams are open already.")
        if self._open.total() >= self._most:
            return problem("busy", "Too many streams are open here; try again soon.")
        return None

    def begin(self, who: bytes, address: bytes) -> None:
        """Count a stream."""
        self._open[who] += 1
        self._from[address] += 1

    def end(self, who: bytes, address: bytes) -> None:
        """Count one stream less; keys without streams are dropped."""
        for counts, key in (self._open, who), (self._from, address):
            counts[key] -= 1
            if counts[key] <= 0:
                del counts[key]


def limit_streams(handlers: Iterable[HTTPRouteHandler], settings: Settings) -> list[HTTPRouteHandler]:
    """The same handlers; those of streams share one count."""
    counted = _make_stream_layer(
        OpenStreams(settings.max_streams, settings.max_streams_per_sender, settings.players_per_address)
    )
    return [with_layer(handler, counted) if handler.name in STREAMS else handler for handler in handlers]


def _make_stream_layer(streams: OpenStreams) -> Callable[[ASGIApp], ASGIApp]:
    def with_count(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            who: tuple[bytes, bytes] = scope["sender"], scope["address"]  # type: ignore[typeddict-item]
            if (refusal := streams.refusal(*who)) is not None:
                return await send_problem(send, refusal, _STREAM_SECONDS)
            streams.begin(*who)
            try:
                await app(scope, receive, send)
            finally:
                streams.end(*who)

        return serve

    return with_count


_EXPOSED = (
    "Allow, Content-Disposition, Deprecation, ETag, Link, Location, Log-Position, Preference-Applied, RateLimit, "
    "RateLimit-Policy, Request-Id, Retry-After, Sunset, WWW-Authenticate"
)
_ASKED = (
    "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Min-Log-Position, "
    "Prefer, Request-Id, Traceparent"
)
_SECONDS = b"600"
_ANY = b"*"
Header = tuple[bytes, bytes]


class Origins:
    """The allowed origins: none, some, or `*` for all, separated in the setting by blanks or commas."""

    def __init__(self, setting: str) -> None:
        self._allowed = frozenset(origin.encode() for origin in setting.replace(",", " ").split())
        self._any = _ANY in self._allowed
        self.some = bool(self._allowed)
        self.varies = self.some and not self._any

    def allows(self, origin: bytes | None) -> bool:
        """Whether scripts of this origin may read answers."""
        return origin is not None and (self._any or origin in self._allowed)

    def headers(self, origin: bytes | None) -> list[Header]:
        """The CORS headers for this origin; `Vary` tells caches that another origin's would differ."""
        headers: list[Header] = [(b"vary", b"Origin")] if self.varies else []
        if origin is not None and self.allows(origin):
            headers += [
                (b"access-control-allow-origin", _ANY if self._any else origin),
                (b"access-control-expose-headers", _EXPOSED.encode()),
            ]
        return headers

    def preflight(self, origin: bytes | None, answer: Iterable[Header]) -> list[Header]:
        """Headers of a preflight's answer in addition to `Allow`: the methods and headers allowed to this origin."""
        allow = next((value for name, value in answer if name == b"allow"), None)
        if allow is None or not self.allows(origin):
            return []
        return [
            (b"access-control-allow-methods", allow), (b"access-control-allow-headers", _ASKED.encode()),
            (b"access-control-max-age", _SECONDS),
        ]  # fmt: skip


PROBES = frozenset(("/livez", "/readyz"))
CALLER = "cached_caller"
"""The key in a request's scope of its token's cached caller, if any."""
BEGUN = "begun"
"""The key in a request's scope that is there once its answer has begun."""
DEPRECATED = "deprecated_headers"
"""The key among a handler's options of the headers that all answers of a deprecated operation have."""
_END: Message = {"type": "http.response.body", "body": b"", "more_body": False}
Headers = list[tuple[bytes, bytes]]
LimitHeaders = tuple[tuple[bytes, bytes], bytes]
"""The header `RateLimit-Policy`, and the form of `RateLimit`."""
_LOG, _LEVEL = structlog.get_logger("requests"), logging.getLogger("requests")


class Front:
    """The application behind request ids, counts and the general quota, with the headers of every answer.

    Probes take nothing of the quota. Answers that take `slow_ms` milliseconds or more are logged as warnings. Sets in
    the scope who sends the request (`sender`) and from where (`address`).
    """

    def __init__(
        self, app: ASGIApp, quotas: Quotas, access: Access, origins: Origins | None = None, slow_ms: float = 1_000.0
    ) -> None:
        self._app, self._quotas, self._access = app, quotas, access
        self._slow = slow_ms / 1_000
        self._origins = origins if origins is not None and origins.some else None
        self._always = representation.SAME_ORIGIN if self._origins is None else representation.CROSS_ORIGIN
        self._general = (b"ratelimit-policy", quotas.policy), quotas.form
        self._combined: dict[bytes, LimitHeaders] = {}

    def __call__(self, scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve a request, or refuse it."""
        if scope["type"] != "http":
            return self._app(scope, receive, send)
        began = perf_counter()
        scope[HEADERS_BY_NAME] = headers = dict(scope["headers"])
        request_id = request_ids.begin(scope["headers"])
        scope["address"] = scope["sender"] = where = network(scope["client"][0]) if scope["client"] else b""
        has_credentials = b"authorization" in headers or b"cookie" in headers
        # Only a known caller has a quota of its own: made-up credentials must not escape the address's.
        if has_credentials and (caller := self._access.cached_caller(headers)) is not None:
            scope[CALLER], scope["sender"] = caller, caller.player.bytes
        left = None if scope["path"] in PROBES else self._quotas.take(scope["sender"], where)

        def send_answer(message: Any) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                scope[BEGUN] = True
                message["headers"] = answer_headers = [*message["headers"], *self._always]
                self._complete_head(scope, headers, left, answer_headers)
                answer_headers.append((request_ids.HEADER, request_id.encode()))
                handler = scope.get("route_handler")
                name = (handler.name if handler is not None else None) or "unknown"
                count_answer(name, message["status"], perf_counter() - began, self._slow)
            return send(message)

        if left is not None and left[0] < 0:
            return send_problem(send_answer, too_many(left).problem)
        if (complaint := _find_head_error(scope, headers)) is not None:
            return send_problem(send_answer, problem("malformed", complaint))
        return self._app(scope, receive, _drop_body(scope, send_answer) if scope["method"] == "HEAD" else send_answer)

    def _complete_head(
        self, scope: Any, request_headers: dict[bytes, bytes], left: QuotaLeft | None, headers: Headers
    ) -> None:
        """Add limits, deprecation, Cache-Control where the operation set none, CORS, and Strict-Transport-Security."""
        if left is not None:
            self._add_limits(scope.get(SPENT), left, headers)
        if (handler := scope.get("route_handler")) is not None and DEPRECATED in handler.opt:
            headers += handler.opt[DEPRECATED]
        for name, _ in headers:
            if name == b"cache-control":
                break
        else:
            has_credentials = b"authorization" in request_headers or b"cookie" in request_headers
            headers.append(PRIVATE_CACHE if has_credentials else SHARED_CACHE)
        if scope["scheme"] == "https":
            headers.append(HTTPS_ONLY)
        if self._origins is not None:
            origin = request_headers.get(b"origin")
            if scope["method"] == "OPTIONS":
                headers += self._origins.preflight(origin, headers)
            headers += self._origins.headers(origin)

    def _add_limits(self, spent: QuotaSpent | None, left: QuotaLeft, headers: Headers) -> None:
        """Add the headers of the general quota and of the operation's, and `Retry-After` if one is used up."""
        requests, seconds = left
        if spent is None:
            policy, form = self._general
            headers += policy, (b"ratelimit", form % (max(requests, 0), seconds))
            beyond = requests < 0
        else:
            policy, form = self._combined.get(spent.quotas.policy) or self._join_limits(spent.quotas)
            headers += policy, (b"ratelimit", form % (max(requests, 0), seconds, max(spent.left[0], 0), spent.left[1]))
            beyond, seconds = spent.refused, spent.left[1]
        if beyond:
            headers.append((b"retry-after", b"%d" % seconds))

    def _join_limits(self, other: Quotas) -> LimitHeaders:
        """The headers for the general quota and this one together."""
        (name, policy), form = self._general
        made = self._combined[other.policy] = (name, policy + b", " + other.policy), form + b", " + other.form
        return made


def count_answer(name: str, status: int, seconds: float, slow: float, count: int = 1) -> None:
    """Count and time so many answers of an operation; log them, without path, query or body, after `slow` seconds."""
    REQUESTS(name, status).inc(count)
    for _ in range(count):
        REQUEST_SECONDS(name).observe(seconds)
    if seconds >= slow:
        _LOG.warning("slow", operation=name, status=status, millis=round(1000 * seconds, 2))
    elif _LEVEL.isEnabledFor(logging.DEBUG):
        _LOG.debug("answered", operation=name, status=status, millis=round(1000 * seconds, 2))


def _find_head_error(scope: Any, headers: dict[bytes, bytes]) -> str | None:
    """A sentence for a missing or second Host (RFC 9112, 3.2), or two callers: proxy, quotas and operation might each
    read another one."""
    if len(headers) != len(scope["headers"]):
        names = [name for name, _ in scope["headers"]]
        for name in (b"host", b"authorization"):
            if names.count(name) > 1:
                return f"{name.decode().title()}: it stands twice."
    if b"host" not in headers and scope["http_version"] == "1.1":
        return "Host: it is missing, and HTTP/1.1 needs it."
    return None


def _drop_body(scope: Any, send_answer: Send) -> Send:
    """Show the application a GET and the server a HEAD; a stream ends after its headers."""
    scope["method"] = "GET"
    begun = False

    async def send_head(message: Any) -> None:
        nonlocal begun
        if not begun:
            begun, scope["method"] = True, "HEAD"
            message.pop("body", None)
            await send_answer(message)
            await send_answer(_END)

    return send_head


def install_front(app: Litestar, settings: Settings, access: Access) -> None:
    """Put this layer before the application and its router, for unknown paths too."""
    app.state["requests"] = quotas = Quotas(
        "requests", settings.rate_limit_per_minute, MINUTE, settings.players_per_address
    )
    origins = Origins(settings.allowed_origins)
    app.asgi_handler = Front(app.asgi_handler, quotas, access, origins, settings.slow_request_ms)


@lru_cache(4096)
def network(host: str) -> bytes:
    """The network that counts as one sender: an IPv4 address, or the /64 of an IPv6 address, which is one household's.

    Behind a proxy uvicorn has the client's address from X-Forwarded-For, if the proxy is one of FORWARDED_ALLOW_IPS.
    """
    try:
        address = IPv6Address(host.partition("%")[0])
    except ValueError:
        return host.encode()
    return str(address.ipv4_mapped).encode() if address.ipv4_mapped else address.packed[:8]


OPERATIONS = {"post_command": "/commands", "get_game": ""}
"""Operation id -> its path after `/v1/games/{id}`."""
_GAME = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(/commands)?")


class FastPath:
    """The application with a fast path for OPERATIONS."""

    def __init__(self, app: ASGIApp, handlers: Iterable[HTTPRouteHandler]) -> None:
        self._app = app
        self._routes: dict[tuple[str, str], tuple[HTTPRouteHandler, ASGIApp]] = {
            (str(method), OPERATIONS[name]): (handler, _apply_middleware(handler))
            for handler in handlers
            if (name := str(handler.name)) in OPERATIONS
            for method in handler.http_methods
        }

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Serve on the fast path if the request fits, else by the application.

        An error is answered as the framework does; once the answer has begun it is raised: the connection breaks off.
        """
        match = _GAME.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if match is None or (route := self._routes.get((scope["method"], match[2] or ""))) is None:
            await self._app(scope, receive, send)
            return
        scope["route_handler"], endpoint = route
        scope["path_params"] = {"game_id": UUID(match[1])}
        try:
            await endpoint(scope, receive, send)
        except Exception as error:
            if BEGUN in scope:
                raise
            request: Request[Any, Any, Any] = Request(scope, receive, send)
            await send_reply(error_response(request, error), request)


def _apply_middleware(handler: HTTPRouteHandler) -> ASGIApp:
    app: Any = None
    for layer in reversed(handler.middleware or ()):
        app = cast(Any, layer)(app)
    return cast(ASGIApp, app)


def with_metrics(app: ASGIApp, port: int | None, health: Health, metrics: Callable[[], Iterable[Metric]]) -> ASGIApp:
    """The application with the service's state and these metrics at `KIBITZ_METRICS_PORT`, if a port is set."""
    if port is None:
        return app

    def serve(scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http" and scope["server"] is not None and scope["server"][1] == port:
            return _send_metrics(port, health, metrics, scope, send)
        return app(scope, receive, send)

    return serve


async def _send_metrics(
    port: int, health: Health, metrics: Callable[[], Iterable[Metric]], scope: Any, send: Send
) -> None:
    """Answer GET and HEAD of `/metrics`; 404 for all else."""
    status, kind, body = 404, "text/plain", b""
    if scope["path"] == "/metrics" and scope["method"] in ("GET", "HEAD"):
        standing = None
        with suppress(StoreUnavailable, TimeoutError):  # else Prometheus counts us as down
            standing = await wait_for(health.standing(), 2.0)
        status, kind, body = 200, CONTENT_TYPE, exposition([*standing_gauges(standing), *metrics()], str(port))
    headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body, "more_body": False})
