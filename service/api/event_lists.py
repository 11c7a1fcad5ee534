"""Events of one owner, an account or a league: as a list, newest first, and live as one resumable stream."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from litestar import Response
from litestar.response import Stream
from msgspec import Meta, Struct

from projections.engine.reading import Cursor
from service import problems
from service.api import sse
from service.api.paging import PageQuery, id_page_start, next_cursor, refused_cursor
from service.http.operation import JSON, Call, reply
from service.http.representation import choose_media_type
from service.outbox.events import POSITION_TEXT, OwnedEvents
from service.problems import refused_header, refused_parameter

E = TypeVar("E")
LAST_EVENT_ID = {"Last-Event-ID": "The id of the last event received: the stream goes on after it."}
_AT_ONCE = 100
_ID = re.compile(problems.EVENT_ID)


class StreamStart(Struct, frozen=True):
    """Where a stream begins: after this event, the newest there was; all zeros where there was none."""

    after: UUID
    log_position: Annotated[int, Meta(description=POSITION_TEXT)]


class EventsQuery(PageQuery, frozen=True, forbid_unknown_fields=True):
    """Which page of the list; of the stream, from where, and when it may end."""

    after: (
        Annotated[UUID, Meta(description="A stream goes on after this event; Last-Event-ID goes before it.")] | None
    ) = None
    max_seconds: Annotated[float, Meta(ge=0, le=86_400, description="A stream ends after so many seconds.")] | None = (
        None
    )


EventsCall = Call[None, EventsQuery]


@dataclass(frozen=True, kw_only=True)
class EventSource(Generic[E]):
    """The events of one owner, and how to show them: `show` gives each an `id`; `name` is that of the stream's events.

    `lists` makes the answer of a page and the cursor of the next one; `unknown` is the refusal of an unknown id.
    """

    events: OwnedEvents[E]
    owner: UUID
    name: str
    unknown: str
    show: Callable[[Sequence[E]], Awaitable[tuple[Any, ...]]]
    lists: Callable[[tuple[Any, ...], str | None], Struct]


async def answer_events(call: EventsCall, source: EventSource[Any]) -> Response[Any]:
    """A page of the list or, where the request accepts it, the stream; raises Refused."""
    if choose_media_type(call, JSON, sse.MEDIA_TYPE) == sse.MEDIA_TYPE:
        stream = _EventStream(call, source, await _stream_start(call, source))
        return Stream(stream.events(), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)
    if (resumed := call.header(b"last-event-id")) is not None and not _ID.fullmatch(resumed):
        raise refused_header("Last-Event-ID", "The id of an event, for the stream; a list has cursors.")
    limit, before = call.query.limit, await _page_start(call, source)
    events = await source.events.page(call.store, source.owner, limit + 1, before)
    shapes = await source.show(events[:limit])
    end = Cursor(b"", str(shapes[-1].id)) if len(events) > limit else None
    return reply(source.lists(shapes, next_cursor(end)))


async def _page_start(call: EventsCall, source: EventSource[Any]) -> int | None:
    """Before which number the page begins; raises Refused for a cursor that no page has returned."""
    if (event := id_page_start(call.query)) is None:
        return None
    if (number := await source.events.number_of(call.store, source.owner, event)) is None:
        raise refused_cursor()
    return number


async def _stream_start(call: EventsCall, source: EventSource[Any]) -> int | None:
    """After which number the stream begins, None for a fresh one; raises Refused for an unknown event."""
    if (resumed := call.header(b"last-event-id")) is not None:
        refusal, event_id = refused_header("Last-Event-ID", source.unknown), resumed
    elif call.query.after is not None:
        refusal, event_id = refused_parameter("after", source.unknown), str(call.query.after)
    else:
        return None
    number = None
    with suppress(ValueError):
        number = await source.events.number_of(call.store, source.owner, UUID(event_id))
    if number is None:
        raise refusal
    return number


class _EventStream:
    """One client's stream. `after`: the number of the last event that the client knows; None before the start."""

    def __init__(self, call: EventsCall, source: EventSource[Any], after: int | None) -> None:
        self.call, self.source, self.after, self.more = call, source, after, False

    async def events(self) -> AsyncIterator[bytes]:
        """The text of the stream."""
        caller = () if self.call.caller is None else (self.call.caller.player,)
        with self.call.room.owners.wait(*{self.source.owner, *caller}) as news:
            wait = lambda seconds: self._wait(news, seconds)  # noqa: E731
            async for text in sse.follow(self.call, self.call.query.max_seconds, lambda: self._news(news), wait):
                yield text

    async def _news(self, news: asyncio.Event) -> AsyncIterator[bytes]:
        store, events, owner = self.call.store, self.source.events, self.source.owner
        if self.after is None:
            newest = await events.newest(store, owner)
            self.after = await events.number_of(store, owner, newest) or 0
            yield sse.event("start", StreamStart(newest, await store.head()), newest)
        news.clear()
        rows = await events.after(store, owner, self.after, _AT_ONCE)
        shapes = await self.source.show([event for _, event in rows])
        for (self.after, _), event in zip(rows, shapes, strict=True):
            yield sse.event(self.source.name, event, event.id)
        self.more = len(rows) == _AT_ONCE

    async def _wait(self, news: asyncio.Event, seconds: float) -> bool:
        """Whether there may be news; at once if not everything has been read."""
        if not self.more:
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), seconds)
        return self.more or news.is_set()
