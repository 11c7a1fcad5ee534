"""Live: a game's frames and a player's inbox as server-sent events."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from litestar.response import Stream
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.play.aggregate import AnyRecord, Game, Status, fold
from domain.play.frames import frame_after
from domain.view import ALL_SEEING, Seat, Viewer
from service.accounts import sessions
from service.api import examples, headers, sse
from service.api.paging import PageQuery, next_cursor, timed_cursor, timed_page_start
from service.api.viewing import ViewQuery, viewer_of
from service.event_store.errors import StoreUnavailable
from service.http.limits import spend
from service.http.operation import Answer, Call, operation, reply
from service.live import inbox, seats, shapes
from service.live.inbox import Wait
from service.live.replay import AT_ONCE, DelayedFrames, LiveParts, shown_game
from service.live.watchers import Listener
from service.outbox.events import POSITION_TEXT
from service.problems import Refused, refused_parameter
from service.records.feed import GameRuling, GameRulings

TAG = "live"
_STEPS = 100
"""So many steps of a game count as one more heavy request when a stream begins."""


class StreamQuery(ViewQuery, frozen=True, forbid_unknown_fields=True):
    """Through whose eyes, from where, and when the stream may end before the game does."""

    after: Annotated[
        int, Meta(ge=0, le=2**31 - 1, description="Go on after this version; Last-Event-ID goes before it.")
    ] = 0
    max_frames: Annotated[int, Meta(ge=1, le=100_000, description="End after so many frames.")] | None = None
    max_seconds: Annotated[float, Meta(ge=0, le=86_400, description="End after so many seconds.")] | None = None


@operation(
    id="stream_game", method="GET", path="/v1/games/{game_id:uuid}/events", tag=TAG, access="optional",
    query=StreamQuery, request_headers=headers.LAST_EVENT_ID, problems=("not_your_seat", "illegal"),
    answers={200: Answer(
        type=(shapes.Frame, shapes.GameRuled),
        says="Events `frame` (id: version, data: as in the replay), `ruling` where one voids the game, at last `end`.",
        media_types=(sse.MEDIA_TYPE,), headers=sse.HEADERS, example=examples.STREAM, events=("frame", "ruling"),
    ), 204: Answer(type=None, says="The game is over, and you have its last version: do not ask again.")},
)  # fmt: skip
async def stream_game(call: Call[None, StreamQuery]) -> Response[Any]:
    """Follow a game by server-sent events.

    Every frame's event id is the version: a stream that broke resumes with Last-Event-ID. Lines that begin with a
    colon are heartbeats. The event `end` says why the stream ends: `finished`, `limit` or `access`. To go on after a
    version that the game does not have yet is refused; after the last one of a game that is over, the answer is 204,
    upon which a browser's EventSource does not connect again. Where a ruling voids a game that is over, `ruling` says
    so before the `end`; a stream that resumes after it gets only rulings that change this. A game with a
    `spectator_delay` comes to spectators that many steps later, and the rest of it when it is over.
    """
    game = await call.room.game(call.id("game_id"))
    viewer = viewer_of(call, game)
    spend(call.request.scope, game.step // _STEPS)
    following = _GameStream(call, viewer, headers.last_event_id(call) or (call.query.after, 0))
    is_at_end = await _has_last_version(call, game, viewer, following.after)
    if is_at_end and await _new_ruling(call, following.ruled) is None:
        return Response(None, status_code=204)
    return Stream(following.events(game), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)


async def _has_last_version(call: Call[Any, Any], game: Game, viewer: Viewer, after: int) -> bool:
    """Whether the game is over and this viewer has its last version.

    Raises Refused for a version that this viewer cannot have seen, also for one that a spectator's delay withholds: an
    answer would reveal the current version. The log is read before, as another process may have recorded the version.
    """
    replays = call.area(LiveParts).replays
    if after == 0:
        return False
    visible = await shown_game(replays, game, viewer)
    if after <= visible.version:
        return after == visible.version and game.version == after and game.status in seats.OVER
    stored = fold(await call.store.records(game.id))
    if after > (await shown_game(replays, stored, viewer)).version:
        raise refused_parameter("after", "The game has no such version yet.")
    return after == stored.version and stored.status in seats.OVER


async def _new_ruling(call: Call[Any, Any], ruled: int) -> GameRuling | None:
    """The newest ruling on the game, if it voids it or changes the ruling that the client has.

    `ruled`: the log position of the ruling that the client has, 0 for none.
    """
    store, rulings, game_id = call.store, call.area(GameRulings), call.id("game_id")
    await rulings.read(store, await store.head())
    newest = rulings.newest(game_id)
    if newest is None or newest.position <= ruled:
        return None
    return newest if ruled or rulings.void(game_id, newest.position, newest.number) is not None else None


class _GameStream:
    """One client's stream. `after`, `ruled`: the version, and the ruling's position, that the client knows of."""

    def __init__(self, call: Call[None, StreamQuery], viewer: Viewer, start: tuple[int, int]) -> None:
        self.call = call
        self.viewer = viewer
        self.after, self.ruled = start
        self.sent = 0
        self.withheld = False
        self.held_back = DelayedFrames(viewer)
        self.deadline = sse.Deadline(call.query.max_seconds)

    async def events(self, game: Game) -> AsyncIterator[bytes]:
        """The text of the stream. If database or process fail, it breaks off without an `end` and can be resumed."""
        player = None if self.call.caller is None else self.call.caller.player
        async with self.call.room.watchers.watch(game.id, player) as queue:
            async for text in self._frame_events(game, queue):
                yield text

    async def _frame_events(self, game: Game, queue: "asyncio.Queue[tuple[AnyRecord, ...]]") -> AsyncIterator[bytes]:
        with suppress(StoreUnavailable):
            records = await self._stored_records(0)
            current: Game | None = None
            while await self._may_look():
                before = self.sent
                for number, (_, step) in enumerate(groupby(records, key=attrgetter("step")), 1):
                    if number % AT_ONCE == 0:
                        await self.call.area(LiveParts).replays.turn()
                    newest, current = frame_after(current, tuple(step), self.viewer)
                    for frame in self.held_back.released_frames(newest, current):
                        if self._may_send(frame.version):
                            yield sse.event("frame", shapes.frame(frame, self.position), frame.version)
                if (reason := self._end_reason(current)) is not None:
                    if reason == "finished" and current is not None and current.status == "finished":
                        async for text in self._ruling_event(current):
                            yield text
                    yield sse.end(reason)
                    return
                if records and self.sent == before:  # also while frames are held back, to keep the connection open
                    yield sse.HEARTBEAT
                heard = await self._next_records(queue)
                if self.call.room.closing:
                    return
                if heard is None:
                    yield sse.HEARTBEAT
                records = await self._records_since(0 if current is None else current.version, heard or ())
            yield sse.end("access")

    async def _ruling_event(self, game: Game) -> AsyncIterator[bytes]:
        """A ruling on the game since it was over, if the client does not have it."""
        if (ruling := await _new_ruling(self.call, self.ruled)) is not None:
            void = self.call.area(GameRulings).void(game.id, ruling.position, ruling.number)
            status: Status = "finished" if void is None else "voided"
            data = shapes.GameRuled(game.id, status, (void or ruling).shape, self.position)
            yield sse.event("ruling", data, f"{game.version}.{ruling.position}")

    def _may_send(self, version: int) -> bool:
        """Whether the frame of this version is sent; counts it, or marks the stream as cut off by `max_frames`."""
        if version <= self.after:
            return False
        self.withheld = self.withheld or self._is_full()
        self.sent += not self.withheld
        return not self.withheld

    def _is_full(self) -> bool:
        limit = self.call.query.max_frames
        return limit is not None and self.sent >= limit

    def _end_reason(self, game: Game | None) -> str | None:
        if not self.withheld and game is not None and game.status in ("finished", "voided"):
            return "finished"
        return "limit" if self.deadline.passed or self._is_full() else None

    async def _next_records(self, queue: "asyncio.Queue[tuple[AnyRecord, ...]]") -> tuple[AnyRecord, ...] | None:
        """The next step's records, empty for a step recorded by another process; None if the wait times out."""
        wait = self.deadline.within(self.call.settings.heartbeat)
        try:
            return await asyncio.wait_for(queue.get(), self.call.room.patience(wait))
        except TimeoutError:
            return None

    async def _records_since(self, version: int, heard: tuple[AnyRecord, ...]) -> tuple[AnyRecord, ...]:
        """The records after this version: from `heard`, or from the store if a record between is missing there.

        A step is not announced if the database connection failed between its commit and the acknowledgement.
        """
        fresh = tuple(record for record in heard if record.version > version)
        if fresh and fresh[0].version == version + 1:
            return fresh
        if not fresh and (await self.call.room.game(self.call.id("game_id"))).version <= version:
            return ()
        return await self._stored_records(version)

    async def _stored_records(self, version: int) -> tuple[AnyRecord, ...]:
        """The store's records after this version; the room then has them too."""
        game_id = self.call.id("game_id")
        records = tuple(await self.call.store.records(game_id, version))
        if records:
            await self.call.room.reach(game_id, records[-1].version)
            await self.call.store.head()
        return records

    @property
    def position(self) -> int:
        """A log position that includes everything that was sent."""
        return self.call.store.newest_position

    async def _may_look(self) -> bool:
        """Whether the token is still valid and the seat still held: checked before anything is sent."""
        try:
            await sessions.caller(self.call.request)
            if self.viewer != ALL_SEEING:
                game = await self.call.room.game(self.call.id("game_id"))
                seats.viewer(game, self.call.caller, self.viewer, spectator=self.viewer is None)
        except Refused:
            return False
        return True


INBOX = "inbox"


class WaitingGame(Struct, frozen=True, omit_defaults=True):
    """A game that waits for you: for which of your seats, since when, and the game's version.

    `log_position`, in streams only: name it in `Min-Log-Position` to read its effects.
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
    id="list_inbox", method="GET", path="/v1/inbox", tag=INBOX, access="required", query=PageQuery,
    answers={200: Answer(type=Inbox, says="A page of games that wait for you.")},
)  # fmt: skip
async def list_inbox(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the games of several players in which you may act now, newest waiting first.

    It is exact: a game is in it from the step on that makes it your turn. A game in which you are the only player
    (a solo game, a hot seat) always waits for you and is not listed here: `list_games` has it. Nor is one that still
    waits for players or seeds.
    """
    limit = call.query.limit
    waits = await inbox.page(call.store, call.player, limit + 1, timed_page_start(call.query))
    end = timed_cursor(waits[limit - 1].since, waits[limit - 1].game) if len(waits) > limit else None
    return reply(Inbox(tuple(map(_waiting_game, waits[:limit])), next_cursor(end)))


def _waiting_game(wait: Wait) -> WaitingGame:
    return WaitingGame(wait.game, wait.game_type, wait.seats, shapes.moment(wait.since), wait.version)


@operation(
    id="stream_inbox", method="GET", path="/v1/inbox/events", tag=INBOX, access="required", query=StreamInboxQuery,
    answers={200: Answer(
        type=(WholeInbox, WaitingGame, NoLongerWaiting),
        says="First `snapshot`, then `waiting` and `done`, and at last `end`.",
        media_types=(sse.MEDIA_TYPE,), headers=sse.HEADERS, example=examples.INBOX_STREAM,
        events=("snapshot", "waiting", "done"),
    )},
)  # fmt: skip
async def stream_inbox(call: Call[None, StreamInboxQuery]) -> Response[Any]:
    """Follow your inbox by server-sent events.

    `snapshot` has every game that waits for you; then `waiting` has each that begins to wait, `done` each that ends.
    A stream that broke begins again with a snapshot, so there is nothing to resume. Lines that begin with a
    colon are heartbeats. The event `end` says why the stream ends: `limit` or `access`.
    """
    return Stream(_InboxStream(call).events(), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)


class _InboxStream:
    """One client's stream. `sent`: the waiting games that the client knows of; None before the snapshot.

    `games`: games with news. When it is empty all are read, for a step whose commit was not acknowledged has no news.
    """

    def __init__(self, call: Call[None, StreamInboxQuery]) -> None:
        self.call = call
        self.sent: dict[UUID, Wait] | None = None
        self.games = frozenset[UUID]()

    async def events(self) -> AsyncIterator[bytes]:
        """The text of the stream."""
        with self.call.room.listeners.listen(self.call.player) as listener:

            async def wait(seconds: float) -> bool:
                self.games = await listener.next_games(seconds)
                return bool(self.games)

            async for text in sse.follow(self.call, self.call.query.max_seconds, lambda: self._news(listener), wait):
                yield text

    async def _news(self, listener: Listener) -> AsyncIterator[bytes]:
        store = self.call.store
        waits = await inbox.waits(store, self.call.player, self.games or None)
        position, by_game = await store.head(), {wait.game: wait for wait in waits}
        if self.sent is None:
            self.sent = listener.listed = by_game
            yield sse.event("snapshot", WholeInbox(tuple(map(_waiting_game, waits)), position))
            return
        for game in self.games or self.sent.keys() | by_game.keys():
            for text in _change(self.sent.pop(game, None), by_game.get(game), position):
                yield text
        self.sent |= by_game


def _change(before: Wait | None, now: Wait | None, position: int) -> Iterator[bytes]:
    """The events for one game: `done`, `waiting`, or both if the game stopped waiting and waits again since."""
    if before is not None and (now is None or now.since != before.since):
        yield sse.event("done", NoLongerWaiting(before.game, position))
    if now is not None and (before is None or now.since != before.since):
        yield sse.event("waiting", replace(_waiting_game(now), log_position=position))
