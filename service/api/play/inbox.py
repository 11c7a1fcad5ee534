"""The inbox: in which games of several players it is one's own turn, as a list and live."""

from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from litestar.response import Stream
from msgspec import Meta, Struct

from domain.record import Micros
from domain.view import Seat
from projections.engine.reading import Cursor
from service.accounts import sessions
from service.api import examples, sse
from service.api.paging import PageQuery, next_cursor, page_cursor
from service.event_store.errors import StoreUnavailable
from service.http.operation import Answer, Call, operation, reply
from service.live import inbox, shapes
from service.live.inbox import Wait
from service.live.listeners import Listener
from service.problems import Refused

TAG = "inbox"


class WaitingGame(Struct, frozen=True):
    """A game that waits for you: for which of your seats, since when, and the game's version."""

    game_id: UUID
    game_type: str
    seats: tuple[Seat, ...]
    since: datetime
    version: int


class Inbox(Struct, frozen=True):
    """A page of games that wait for you, newest first; `next` is the cursor of the next page."""

    games: tuple[WaitingGame, ...]
    next: str | None


class WholeInbox(Struct, frozen=True):
    """Every game that waits for you, newest first."""

    games: tuple[WaitingGame, ...]


class NoLongerWaiting(Struct, frozen=True):
    """A game that waits for you no more."""

    game_id: UUID


class StreamInboxQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """When the stream may end."""

    max_seconds: Annotated[float, Meta(ge=0, le=86_400, description="End after so many seconds.")] | None = None


@operation(
    id="list_inbox", method="GET", path="/v1/inbox", tag=TAG, access="required", query=PageQuery,
    answers={200: Answer(type=Inbox, says="A page of games that wait for you.")},
)  # fmt: skip
async def list_inbox(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the games that wait for you, newest waiting first: those of several players in which you may act now.

    It is exact: a game is in it from the step on that makes it your turn. A game in which you are the only player
    (a solo game, a hot seat) always waits for you and is not told here: `list_games` has it. Nor is one that still
    waits for players or seeds.
    """
    limit = call.query.limit
    found = await inbox.page(call.services.store, call.player, limit + 1, _page_start(call.query))
    end = _cursor(found[limit - 1]) if len(found) > limit else None
    return reply(Inbox(tuple(map(_waiting_game, found[:limit])), next_cursor(end)))


def _cursor(wait: Wait) -> Cursor:
    return Cursor(wait.since.to_bytes(8, "big", signed=True), str(wait.game))


def _page_start(query: PageQuery) -> tuple[Micros, UUID] | None:
    """The last row of the page before; raises Refused for a cursor that no page has returned."""
    if (cursor := page_cursor(query)) is None:
        return None
    with suppress(ValueError):
        behind = int.from_bytes(cursor.sort, "big", signed=True), UUID(cursor.key)
        if len(cursor.sort) == 8 and str(behind[1]) == cursor.key:
            return behind
    raise Refused("malformed", "cursor: no page has given it out.")


def _waiting_game(wait: Wait) -> WaitingGame:
    return WaitingGame(wait.game, wait.game_type, wait.seats, shapes.moment(wait.since), wait.version)


@operation(
    id="stream_inbox", method="GET", path="/v1/inbox/events", tag=TAG, access="required", query=StreamInboxQuery,
    answers={200: Answer(
        type=(WholeInbox, WaitingGame, NoLongerWaiting),
        says="First `snapshot`, then `waiting` and `done`, and at last `end`.",
        media_types=(sse.MEDIA_TYPE,), headers=sse.HEADERS, example=examples.INBOX_STREAM,
        events=("snapshot", "waiting", "done"),
    )},
)  # fmt: skip
async def stream_inbox(call: Call[None, StreamInboxQuery]) -> Response[Any]:
    """Follow your inbox by server-sent events.

    `snapshot` has every game that waits for you; then `waiting` tells each that begins to, `done` each that does no
    more. A stream that broke begins again with a snapshot, so there is nothing to resume. Lines that begin with a
    colon are heartbeats. The event `end` says why the stream ends: `limit` or `access`.
    """
    return Stream(_InboxStream(call).events(), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)


class _InboxStream:
    """One client's stream. `told`: the waiting games that the client knows of; None before the snapshot."""

    def __init__(self, call: Call[None, StreamInboxQuery]) -> None:
        self.call = call
        self.told: dict[UUID, Wait] | None = None
        self.deadline = sse.Deadline(call.query.max_seconds)

    async def events(self) -> AsyncIterator[bytes]:
        """The text of the stream. If the database or the process fails, the stream breaks off without an `end`."""
        with self.call.services.room.listeners.listen(self.call.player) as listener, suppress(StoreUnavailable):
            yield sse.RETRY
            async for text in self._news(listener):
                yield text

    async def _news(self, listener: Listener) -> AsyncIterator[bytes]:
        room, games = self.call.services.room, frozenset[UUID]()
        while await self._may_look():
            for text in self._changes(listener, games, await self._waits(games)):
                yield text
            if self.deadline.passed:
                yield sse.end("limit")
                return
            games = await listener.next_games(
                room.patience(self.deadline.within(self.call.services.settings.heartbeat))
            )
            if room.closing:
                return
            if not games:
                yield sse.HEARTBEAT
        yield sse.end("access")

    async def _waits(self, games: frozenset[UUID]) -> list[Wait]:
        """Those of these games that wait. Of none, whenever nothing was heard: all, for nobody hears of a step whose
        commit was acknowledged to nobody."""
        return await inbox.waits(self.call.services.store, self.call.player, games or None)

    def _changes(self, listener: Listener, games: frozenset[UUID], found: list[Wait]) -> Iterator[bytes]:
        waits = {wait.game: wait for wait in found}
        if self.told is None:
            self.told = waits
            listener.known = self.told
            yield sse.event("snapshot", WholeInbox(tuple(map(_waiting_game, found))))
            return
        for game in games or self.told.keys() | waits.keys():
            yield from _change(self.told.pop(game, None), waits.get(game))
        self.told |= waits

    async def _may_look(self) -> bool:
        """Whether the token is still valid: checked before anything is sent."""
        try:
            await sessions.caller(self.call.request)
        except Refused:
            return False
        return True


def _change(before: Wait | None, now: Wait | None) -> Iterator[bytes]:
    """The events for one game: `done`, `waiting`, or both if the game stopped waiting and waits again since."""
    if before is not None and (now is None or now.since != before.since):
        yield sse.event("done", NoLongerWaiting(before.game))
    if now is not None and (before is None or now.since != before.since):
        yield sse.event("waiting", _waiting_game(now))


HANDLERS = (list_inbox, stream_inbox)
