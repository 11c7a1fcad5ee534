"""Bounds on open event streams: in all, per player and per address; each process counts for itself."""

from collections import Counter
from collections.abc import Callable, Iterable

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from service.http.limits import with_layer
from service.http.refusals import send_problem
from service.problems import Problem, problem
from service.settings import Settings

STREAMS = frozenset(
    ("stream_game", "stream_inbox", "list_account_events", "list_league_events", "get_analysis", "open_line")
)
_SECONDS = 30


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
    counted = _stream_layer(
        OpenStreams(settings.max_streams, settings.max_streams_per_sender, settings.players_per_address)
    )
    return [with_layer(handler, counted) if handler.name in STREAMS else handler for handler in handlers]


def _stream_layer(streams: OpenStreams) -> Callable[[ASGIApp], ASGIApp]:
    def with_count(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            who: tuple[bytes, bytes] = scope["sender"], scope["address"]  # type: ignore[typeddict-item]
            if (refusal := streams.refusal(*who)) is not None:
                return await send_problem(send, refusal, _SECONDS)
            streams.begin(*who)
            try:
                await app(scope, receive, send)
            finally:
                streams.end(*who)

        return serve

    return with_count
