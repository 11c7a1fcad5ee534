"""Limits: so many requests a minute for each token, or each address without one, told in every answer.

Headers as in the IETF draft "RateLimit header fields for HTTP": `RateLimit-Policy` names the quota and its window,
`RateLimit` what is left of it and the seconds until it is whole again.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service import sessions
from service.access import Access, Caller
from service.problems import problem
from service.refusals import MEDIA_TYPE

_WINDOW = 60.0  # seconds
_KEPT = 10_000
_SHOWN = (b"authorization", b"cookie")


class Left(NamedTuple):
    """What is left of a quota: requests (negative: refused), and seconds until it is whole again."""

    requests: int
    seconds: int


class Quotas:
    """Counts requests by who sends them, in windows of a minute that begin with the first."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._used: dict[bytes, tuple[float, int]] = {}

    def take(self, who: bytes) -> Left:
        """One more request of this sender."""
        at = self._clock()
        began, used = self._used.get(who, (at, 0))
        if at - began >= _WINDOW:
            began, used = at, 0
        if who not in self._used and len(self._used) >= _KEPT:
            self._forget(at)
        self._used[who] = (began, used + 1)
        return Left(self.per_minute - used - 1, int(began + _WINDOW - at) + 1)

    def _forget(self, at: float) -> None:
        """Senders whose window is over; all of them if there are none."""
        self._used = {who: kept for who, kept in self._used.items() if at - kept[0] < _WINDOW}
        if len(self._used) >= _KEPT:
            self._used.clear()


def limited(quotas: Quotas) -> Callable[[ASGIApp], ASGIApp]:
    """Middleware that keeps these quotas; the probes of an operator are not counted."""
    policy = (b"ratelimit-policy", b'"requests";q=%d;w=60' % quotas.per_minute)

    def limit(app: ASGIApp) -> ASGIApp:
        async def within(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP or scope["path"] in ("/livez", "/readyz", "/metrics"):
                return await app(scope, receive, send)
            left = quotas.take(_sender(scope))
            told = [policy, (b"ratelimit", b'"requests";r=%d;t=%d' % (max(left.requests, 0), left.seconds))]
            if left.requests < 0:
                return await _refuse(send, told, left.seconds)

            async def telling(message: Message) -> None:
                if message["type"] == "http.response.start":
                    message["headers"] = [*message["headers"], *told]
                await send(message)

            return await app(scope, receive, telling)

        return within

    return limit


def _sender(scope: Any) -> bytes:
    """The token, once it has proved good, of a session too; until then the address: made-up ones must not escape."""
    if any(name in _SHOWN for name, _ in scope["headers"]) and (caller := _known(scope)) is not None:
        return caller.token.bytes
    return (scope["client"][0] if scope["client"] else "").encode()


def _known(scope: Any) -> Caller | None:
    access: Access = scope["litestar_app"].state.services.access
    return sessions.remembered(ASGIConnection(scope), access)


async def _refuse(send: Send, told: list[tuple[bytes, bytes]], seconds: int) -> None:
    body = msgspec.json.encode(problem("too_many_requests", f"The limit is reached; come back in {seconds} s."))
    headers = [
        (b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body)),
        (b"retry-after", b"%d" % seconds), *told,
    ]  # fmt: skip
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
