"""How many event streams may be open at once: in all, and of one token or address. Every process counts its own."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from service.limits import behind
from service.problems import Problem, problem
from service.refusals import MEDIA_TYPE, encoded
from service.settings import Settings

STREAMS = frozenset(("stream_game", "stream_inbox"))
_SECONDS = 30


class OpenStreams:
    """The streams that are open, by sender."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._open: Counter[bytes] = Counter()

    def refusal(self, who: bytes) -> Problem | None:
        """Why there is no room for one more of this sender; None if there is."""
        if self._open[who] >= self._most_of_one:
            return problem("too_many_requests", f"You have {self._most_of_one} streams open already.")
        if self._open.total() >= self._most:
            return problem("busy", "Too many streams are open here; try again soon.")
        return None

    def begin(self, who: bytes) -> None:
        """One more."""
        self._open[who] += 1

    def end(self, who: bytes) -> None:
        """One less; who has none is forgotten."""
        self._open[who] -= 1
        if self._open[who] <= 0:
            del self._open[who]


def bound(handlers: Iterable[HTTPRouteHandler], settings: Settings) -> list[HTTPRouteHandler]:
    """The same handlers; those that stream share one count."""
    counted = _counted(OpenStreams(settings.max_streams, settings.max_streams_per_sender))
    return [behind(handler, counted) if handler.name in STREAMS else handler for handler in handlers]


def _counted(streams: OpenStreams) -> Callable[[ASGIApp], ASGIApp]:
    def counting(app: ASGIApp) -> ASGIApp:
        async def within(scope: Scope, receive: Receive, send: Send) -> None:
            who: bytes = scope["sender"]  # type: ignore[typeddict-item]
            if (refusal := streams.refusal(who)) is not None:
                return await refuse(send, refusal, _SECONDS)
            streams.begin(who)
            try:
                await app(scope, receive, send)
            finally:
                streams.end(who)

        return within

    return counting


async def refuse(send: Send, told: Problem, seconds: int | None = None) -> None:
    """Answer with this problem, and when to come back."""
    body = encoded(told)
    headers: Any = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body))]
    if seconds is not None:
        headers.append((b"retry-after", b"%d" % seconds))
    await send({"type": "http.response.start", "status": told.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
