"""The feed of games that are over: one line each, in the order in which they entered, to be gone on from any line."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

from litestar import Response
from litestar.response import Stream
from msgspec import Meta, Struct

from domain.game_type import Ending
from domain.record import Micros
from service.api import examples
from service.api.paging import GameTypeKey
from service.api.replays.feed_lines import FeedEnd, FeedLine, end, feed_line
from service.api.sse import Deadline
from service.event_store.errors import StoreUnavailable
from service.http.negotiation import NDJSON, choose_media_type
from service.http.operation import Answer, Call, operation
from service.live import shapes
from service.problems import Refused, patterns
from service.records.feed import Entry, Filter, entries, record_text

Cursor = Annotated[
    str,
    Meta(pattern=patterns.LINE, description="Where to go on: the `cursor` of the last line that you have."),
]
Time = Annotated[datetime, Meta(tz=True)]
_CHUNK = 32_768
_LATER = 0.5  # seconds


class FeedQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which games, from where, and how much of each."""

    after: Cursor = "0"
    limit: Annotated[int, Meta(ge=1, le=1_000_000, description="At most so many lines.")] | None = None
    include: Annotated[Literal["record"], Meta(description="Each line with the whole open record as text.")] | None = (
        None
    )
    game_type: GameTypeKey | None = None
    rated: Annotated[bool, Meta(description="Only rated games, or only the others.")] | None = None
    ending: Annotated[Ending, Meta(description="Only games that ended so.")] | None = None
    player: Annotated[UUID, Meta(description="Only games of this player.")] | None = None
    since: Annotated[Time, Meta(description="Only games that were over at this time or later.")] | None = None
    until: Annotated[Time, Meta(description="Only games that were over before this time.")] | None = None
    wait: Annotated[float, Meta(ge=0, le=60, description="Where no game is left, wait so many seconds for one.")] = 0


@operation(
    id="feed_games", may_lag=True, method="GET", path="/v1/feed", tag="replay", access="optional", query=FeedQuery,
    problems=("not_acceptable",),
    answers={200: Answer(
        type=(FeedLine, FeedEnd), says="Lines of type FeedLine, and at last one of type FeedEnd.",
        media_types=(NDJSON,), example=examples.FEED,
    )},
)  # fmt: skip
async def feed_games(call: Call[None, FeedQuery]) -> Response[Any]:
    """Export games that are over, one a line, in the order in which they were over.

    `after` goes on behind a line: nothing is left out and nothing comes twice, also while games are being finished.
    A line says the same whenever it is asked for. A game enters when it is over and its deal is revealed; declared
    void later, it gets a line of its own. Only public games are there. A text without its last line, `end`, has broken
    off: go on behind the last whole line.
    """
    choose_media_type(call, NDJSON)
    call = call.on(call.primary) if call.query.wait else call  # notifications of new games come from the primary only
    head = await call.services.store.head(int(call.query.after))
    if int(call.query.after) > head:
        raise Refused("malformed", "after: no line has given it out.")
    return Stream(_Export(call).chunks(head), media_type=NDJSON)


class _Export:
    """One client's export."""

    def __init__(self, call: Call[None, FeedQuery]) -> None:
        self.services, self.query = call.services, call.query
        self.filter = _filter(call.query)
        self.after = int(call.query.after)
        self.count = 0

    async def chunks(self, head: int) -> AsyncIterator[bytes]:
        """The lines, in chunks of about 32 KB. If database or process fail, it ends without its last line."""
        with suppress(StoreUnavailable):
            chunk = bytearray()
            async for line in self._awaited_lines() if self.query.wait else self._lines(head):
                chunk += line
                if len(chunk) >= _CHUNK:
                    yield bytes(chunk)
                    chunk.clear()
            if chunk:
                yield bytes(chunk)

    async def _awaited_lines(self) -> AsyncIterator[bytes]:
        """The head is read after registering as a listener, so that no game that ends in between is missed."""
        with self.services.room.listeners.open_feed():
            news = self.services.room.listeners.next_end()
            async for line in self._lines(await self.services.store.head(), news):
                yield line

    async def _lines(self, head: int, news: asyncio.Event | None = None) -> AsyncIterator[bytes]:
        deadline, news = Deadline(self.query.wait), news or self.services.room.listeners.next_end()
        while True:
            async for line in self._written_lines(head):
                if self.services.room.closing:
                    return
                yield line
            if self.count or deadline.passed:
                break
            await _wait_for_end(news, self.services.room.patience(deadline.within(60)))
            if self.services.room.closing:
                return
            news = self.services.room.listeners.next_end()
            head = await self.services.store.head()
        yield end(self.count, self.after)

    async def _written_lines(self, head: int) -> AsyncIterator[bytes]:
        """The lines up to this position; the next call continues from there."""
        async for entry in entries(self.services.store, self.after, head):
            if self.filter.wants(entry):
                self.after, self.count = entry.position, self.count + 1
                yield feed_line(entry, await self._record(entry))
                if self.count == self.query.limit:
                    return
        self.after = head

    async def _record(self, entry: Entry) -> str | None:
        """The record of a line; retried while the heavy workers are busy."""
        while self.query.include is not None:
            try:
                return await record_text(self.services.heavy, entry)
            except Refused:
                await asyncio.sleep(_LATER)
        return None


async def _wait_for_end(news: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(news.wait(), seconds)


def _filter(query: FeedQuery) -> Filter:
    return Filter(
        query.game_type, query.rated, query.ending, query.player, _micros(query.since), _micros(query.until)
    )  # fmt: skip


def _micros(time: datetime | None) -> Micros | None:
    return None if time is None else (time - shapes.moment(0)) // timedelta(microseconds=1)


HANDLERS = (feed_games,)
