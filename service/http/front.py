"""The layer in front of the application, for every request, also of unknown paths, and every answer.

It charges the general quota, adds the headers that every answer has, and answers HEAD with the headers of GET. It runs
for every command, so it makes no needless object and no coroutine of its own.

Scripts of allowed origins may read our answers (the Fetch standard's CORS), with a bearer token or without.
`Access-Control-Allow-Credentials` is never sent: with a session's cookie no other origin reads anything.
"""

from collections.abc import Awaitable, Iterable
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Any

from litestar import Litestar
from litestar.types import ASGIApp, Message, Receive, Send

from service.accounts import sessions
from service.accounts.access import Access
from service.http import security_headers
from service.http.limits import MINUTE, SPENT, QuotaLeft, Quotas, QuotaSpent, too_many
from service.http.open_streams import refuse
from service.http.security_headers import ANYBODYS, BY_HTTPS, PRIVATE
from service.problems import problem
from service.settings import Settings

_EXPOSED = (
    "Allow, Content-Disposition, ETag, Link, Location, Log-Position, RateLimit, RateLimit-Policy, Request-Id, "
    "Retry-After, WWW-Authenticate"
)
_ASKED = (
    "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Min-Log-Position, "
    "Request-Id, Traceparent"
)
_SECONDS = b"600"
_ANY = b"*"
Header = tuple[bytes, bytes]


class Origins:
    """The allowed origins: none, some, or `*` for all, separated in the setting by blanks or commas."""

    def __init__(self, setting: str) -> None:
        self._allowed = frozenset(origin.encode() for origin in setting.replace(",", " ").split())
        self._any = _ANY in self._allowed
        self.varies = bool(self._allowed) and not self._any

    def __bool__(self) -> bool:
        return bool(self._allowed)

    def headers(self, origin: bytes | None) -> list[Header]:
        """The CORS headers for this origin; `Vary` tells caches that another origin's would differ."""
        told: list[Header] = [(b"vary", b"Origin")] if self.varies else []
        if origin is not None and (self._any or origin in self._allowed):
            told += [
                (b"access-control-allow-origin", _ANY if self._any else origin),
                (b"access-control-expose-headers", _EXPOSED.encode()),
            ]
        return told

    def preflight(self, origin: bytes | None, answer: Iterable[Header]) -> list[Header]:
        """Headers of a preflight's answer beside `Allow`: the methods and headers allowed to this origin."""
        allow = next((value for name, value in answer if name == b"allow"), None)
        if allow is None or origin is None or not (self._any or origin in self._allowed):
            return []
        return [
            (b"access-control-allow-methods", allow), (b"access-control-allow-headers", _ASKED.encode()),
            (b"access-control-max-age", _SECONDS),
        ]  # fmt: skip


PROBES = frozenset(("/livez", "/readyz"))
_END: Message = {"type": "http.response.body", "body": b"", "more_body": False}
Headers = list[tuple[bytes, bytes]]
LimitHeaders = tuple[tuple[bytes, bytes], bytes]
"""The header `RateLimit-Policy`, and the form of `RateLimit`."""


class Front:
    """The application behind the general quota, with the headers of every answer. Probes are not counted.

    Sets in the scope who sends the request (`sender`) and from where (`address`).
    """

    def __init__(self, app: ASGIApp, quotas: Quotas, access: Access, origins: Origins | None = None) -> None:
        self._app, self._quotas, self._access = app, quotas, access
        self._origins = origins or Origins("")
        self._always = security_headers.SHARED if self._origins else security_headers.EVERYWHERE
        self._alone = (b"ratelimit-policy", quotas.policy), quotas.form
        self._beside: dict[bytes, LimitHeaders] = {}

    def __call__(self, scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve a request, or refuse it."""
        if scope["type"] != "http":
            return self._app(scope, receive, send)
        headers = dict(scope["headers"])
        scope["address"] = scope["sender"] = where = address(scope["client"])
        if b"authorization" in headers or b"cookie" in headers:  # made-up ones must not escape the address's quota
            scope["sender"] = sessions.cached_player(self._access, headers) or where
        left = None if scope["path"] in PROBES else self._quotas.take(scope["sender"], where)
        tell = self._send_with_headers(scope, headers, left, send)
        if left is not None and left[0] < 0:
            return refuse(tell, too_many(left).problem)
        if (complaint := _host_error(scope, headers)) is not None:
            return refuse(tell, problem("malformed", complaint))
        return self._app(scope, receive, _without_body(scope, tell) if scope["method"] == "HEAD" else tell)

    def _send_with_headers(self, scope: Any, headers: dict[bytes, bytes], left: QuotaLeft | None, send: Send) -> Send:
        """A `send` that adds the headers of every answer."""

        def tell(message: Any) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                message["headers"] = told = [*message["headers"], *self._always]
                if left is not None:
                    self._add_limits(scope.get(SPENT), left, told)
                _add_caching(scope, headers, told)
                if self._origins:
                    self._add_origins(scope, headers.get(b"origin"), told)
            return send(message)

        return tell

    def _add_limits(self, spent: QuotaSpent | None, left: QuotaLeft, told: Headers) -> None:
        """Add the headers of the general quota and of the operation's, and `Retry-After` if one is used up."""
        requests, seconds = left
        if spent is None:
            policy, form = self._alone
            told += policy, (b"ratelimit", form % (max(requests, 0), seconds))
            beyond = requests < 0
        else:
            policy, form = self._beside.get(spent.quotas.policy) or self._joint_limits(spent.quotas)
            told += policy, (b"ratelimit", form % (max(requests, 0), seconds, max(spent.left[0], 0), spent.left[1]))
            beyond, seconds = spent.refused, spent.left[1]
        if beyond:
            told.append((b"retry-after", b"%d" % seconds))

    def _joint_limits(self, other: Quotas) -> LimitHeaders:
        """The headers for the general quota and this one together."""
        (name, policy), form = self._alone
        made = self._beside[other.policy] = (name, policy + b", " + other.policy), form + b", " + other.form
        return made

    def _add_origins(self, scope: Any, origin: bytes | None, told: Headers) -> None:
        if scope["method"] == "OPTIONS":
            told += self._origins.preflight(origin, told)
        told += self._origins.headers(origin)


def _host_error(scope: Any, headers: dict[bytes, bytes]) -> str | None:
    """A sentence for a missing or second Host (RFC 9112, 3.2): proxy and server might each use another one."""
    if len(headers) != len(scope["headers"]) and sum(name == b"host" for name, _ in scope["headers"]) > 1:
        return "Host: it stands twice."
    if b"host" not in headers and scope["http_version"] == "1.1":
        return "Host: it is missing, and HTTP/1.1 needs it."
    return None


def _add_caching(scope: Any, asked: dict[bytes, bytes], told: Headers) -> None:
    """Add Cache-Control where the operation set none, and Strict-Transport-Security on https."""
    for name, _ in told:
        if name == b"cache-control":
            break
    else:
        told.append(PRIVATE if b"authorization" in asked or b"cookie" in asked else ANYBODYS)
    if scope["scheme"] == "https":
        told.append(BY_HTTPS)


def _without_body(scope: Any, tell: Send) -> Send:
    """Show the application a GET and the server a HEAD; a stream ends after its headers."""
    scope["method"] = "GET"
    begun = False

    async def send_head(message: Any) -> None:
        nonlocal begun
        if not begun:
            begun, scope["method"] = True, "HEAD"
            message.pop("body", None)
            await tell(message)
            await tell(_END)

    return send_head


def install_front(app: Litestar, settings: Settings, access: Access) -> None:
    """Put this layer before the application and its router."""
    app.state["requests"] = quotas = Quotas(
        "requests", settings.rate_limit_per_minute, MINUTE, settings.players_per_address
    )
    app.asgi_handler = Front(app.asgi_handler, quotas, access, Origins(settings.allowed_origins))


def address(client: tuple[str, int] | None) -> bytes:
    """The client's address. Behind a proxy uvicorn has it from X-Forwarded-For, if the proxy is one of those named in
    FORWARDED_ALLOW_IPS."""
    return network(client[0]) if client else b""


@lru_cache(4096)
def network(host: str) -> bytes:
    """What counts as one sender: an IPv4 address, or the /64 of an IPv6 address, which is one household's."""
    try:
        found = IPv6Address(host.partition("%")[0])
    except ValueError:
        return host.encode()
    return str(found.ipv4_mapped).encode() if found.ipv4_mapped else found.packed[:8]
