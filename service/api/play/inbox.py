"""The inbox: in which games of several players it is one's own turn, as a list and live."""

from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from litestar.response import Stream
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.view import Seat
from service.api import examples, sse
from service.api.paging import PageQuery, next_cursor, timed_cursor, timed_page_start
from service.http.operation import Answer, Call, operation, reply
from service.live import inbox, shapes
from service.live.inbox import Wait
from service.live.watchers import Listener
from service.outbox.owned_events import POSITION_TEXT

TAG = "inbox"


class WaitingGame(Struct, frozen=True, omit_defaults=True):
    """A game that waits for you: for which of your seats, since when, and the game's version.

    `log_position`, in a stream alone: name it in `Min-Log-Position` to read what came of it.
    """

    game_id: UUID
    game_type: str
    seats: tuple[Seat, ...]
    since: shapes.Time
    version: int
    log_position: int | None = None


class Inbox(Struct, frozen=True):
    """A page of games that wait for you, newest first; `next` is the cursor of the next page."""

    games: tuple[WaitingGame, ...]
    next: str | None


class WholeInbox(Struct, frozen=True):
    """Every game that waits for you, newest first."""

    games: tuple[WaitingGame, ...]
    log_position: Annotated[int, Meta(description=POSITION_TEXT)]


class NoLongerWaiting(Struct, frozen=True):
    """A game that waits for you no more."""

    game_id: UUID
    log_position: Annotated[int, Meta(description=POSITION_TEXT)]


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
    found = await inbox.page(call.services.store, call.player, limit + 1, timed_page_start(call.query))
    end = timed_cursor(found[limit - 1].since, found[limit - 1].game) if len(found) > limit else None
    return reply(Inbox(tuple(map(_waiting_game, found[:limit])), next_cursor(end)))


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
    """One client's stream. `told`: the waiting games that the client knows of; None before the snapshot.

    `games`: those with news. Of none, whenever nothing was heard, all are read: nobody hears of a step whose commit was
    acknowledged to nobody.
    """

    def __init__(self, call: Call[None, StreamInboxQuery]) -> None:
        self.call = call
        self.told: dict[UUID, Wait] | None = None
        self.games = frozenset[UUID]()

    async def events(self) -> AsyncIterator[bytes]:
        """The text of the stream."""
        with self.call.services.room.listeners.listen(self.call.player) as listener:

            async def wait(seconds: float) -> bool:
                self.games = await listener.next_games(seconds)
                return bool(self.games)

            async for text in sse.follow(self.call, self.call.query.max_seconds, lambda: self._news(listener), wait):
                yield text

    async def _news(self, listener: Listener) -> AsyncIterator[bytes]:
        store = self.call.services.store
        found = await inbox.waits(store, self.call.player, self.games or None)
        for text in self._changes(listener, found, await store.head()):
            yield text

    def _changes(self, listener: Listener, found: list[Wait], position: int) -> Iterator[bytes]:
        waits = {wait.game: wait for wait in found}
        if self.told is None:
            self.told = waits
            listener.known = self.told
            yield sse.event("snapshot", WholeInbox(tuple(map(_waiting_game, found)), position))
            return
        for game in self.games or self.told.keys() | waits.keys():
            yield from _change(self.told.pop(game, None), waits.get(game), position)
        self.told |= waits


def _change(before: Wait | None, now: Wait | None, position: int) -> Iterator[bytes]:
    """The events for one game: `done`, `waiting`, or both if the game stopped waiting and waits again since."""
    if before is not None and (now is None or now.since != before.since):
        yield sse.event("done", NoLongerWaiting(before.game, position))
    if now is not None and (before is None or now.since != before.since):
        yield sse.event("waiting", replace(_waiting_game(now), log_position=position))


HANDLERS = (list_inbox, stream_inbox)
