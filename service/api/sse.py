"""Server-sent events: their text, and how long a stream lasts."""

import time
from typing import Any

import msgspec

MEDIA_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-store"}
RETRY = b"retry: 2000\n\n"
HEARTBEAT = b": heartbeat\n\n"


def event(name: str, data: Any, number: int | None = None) -> bytes:
    """One event; with a number, it is the event's id."""
    head = b"" if number is None else b"id: %d\n" % number
    return head + b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"


def end(reason: str) -> bytes:
    """The last event, which says why there is no more."""
    return event("end", {"reason": reason})


class Deadline:
    """When a stream shall end: so many seconds from now, or never."""

    def __init__(self, seconds: float | None) -> None:
        self._at = None if seconds is None else time.monotonic() + seconds

    @property
    def passed(self) -> bool:
        return self._at is not None and time.monotonic() >= self._at

    def within(self, seconds: float) -> float:
        """So many seconds, or those that are left."""
        return seconds if self._at is None else max(0.0, min(seconds, self._at - time.monotonic()))
