"""Request ids: taken from a well-formed `Request-Id` header or made here; in log lines, answers and problems.

A client's id is taken if it is short, of harmless characters, and does not look like a secret.
"""

import re
from collections.abc import Iterable
from contextvars import ContextVar
from random import Random

from service.telemetry import tracing
from service.telemetry.blotting import is_harmless

HEADER = b"request-id"
LONGEST = 100
_WELL_FORMED = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._:~=+/@-]{{0,{LONGEST - 1}}}")
_lots = Random().getrandbits  # seeded by the system; an id is a name, not a secret
_current: ContextVar[str] = ContextVar("request_id", default="")


def current() -> str:
    """The id of the current request; empty outside of requests."""
    return _current.get()


def begin(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Set and return the id of the request with these headers, for its task."""
    chosen = ""
    for name, value in headers:
        if name == HEADER:
            chosen = value.decode("latin-1")
            break
    if not chosen or not _WELL_FORMED.fullmatch(chosen) or not is_harmless(chosen):
        chosen = new_id()
    _current.set(chosen)
    return chosen


def new_id() -> str:
    """A new id: 128 random bits in hexadecimal."""
    return f"{_lots(128):032x}"


def fields() -> dict[str, str]:
    """A log line's fields for the current request and trace."""
    chosen = _current.get()
    return {"request_id": chosen, **tracing.fields()} if chosen else tracing.fields()
