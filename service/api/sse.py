"""Server-sent events: their text, a stream's deadline, and the loop that follows news until it ends."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

import msgspec

from service.accounts import sessions
from service.event_store.errors import StoreUnavailable
from service.http.operation import Call
from service.problems import Refused

MEDIA_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-store"}
_RETRY = b"retry: 2000\n"
"""Stands in each event: alone it would be an empty message to readers who take every block for one."""
HEARTBEAT = b": heartbeat\n\n"


def event(name: str, data: Any, number: int | str | UUID | None = None) -> bytes:
    """One event; with a number or an id, it is the event's id."""
    head = b"" if number is None else f"id: {number}\n".encode()
    return head + _RETRY + b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"


def end(reason: str) -> bytes:
    """The last event, which says why there is no more."""
    return event("end", {"reason": reason})


class Deadline:
    """A stream's end: this many seconds from now, or never."""

    def __init__(self, seconds: float | None) -> None:
        self._at = None if seconds is None else time.monotonic() + seconds

    @property
    def passed(self) -> bool:
        return self._at is not None and time.monotonic() >= self._at

    def within(self, seconds: float) -> float:
        """This many seconds, or the remaining ones if they are fewer."""
        return seconds if self._at is None else max(0.0, min(seconds, self._at - time.monotonic()))


async def follow(
    call: Call[Any, Any], max_seconds: float | None, read: Callable[[], AsyncIterator[bytes]],
    wait: Callable[[float], Awaitable[bool]],
) -> AsyncIterator[bytes]:  # fmt: skip
    """The text of a stream: the events of `read`, again after each `wait` of at most this many seconds.

    `wait` returns whether there may be news; while there are none, heartbeats go out. If the database or the process
    fails, the stream breaks off without an `end`.
    """
    room, deadline = call.room, Deadline(max_seconds)
    with suppress(StoreUnavailable):
        silent = True
        while await _may_look(call):
            async for text in read():
                silent = False
                yield text
            if silent:  # the first bytes tell the client that the stream is open
                silent = False
                yield HEARTBEAT
            if deadline.passed:
                yield end("limit")
                return
            heard = await wait(room.patience(deadline.within(call.settings.heartbeat)))
            if room.closing:
                return
            if not heard:
                yield HEARTBEAT
        yield end("access")


async def _may_look(call: Call[Any, Any]) -> bool:
    """Whether the token is still valid; checked before each reading."""
    try:
        await sessions.caller(call.request)
    except Refused:
        return False
    return True
