"""Whether the database can be written, judged by the last appends and by a probe: a process that is not ready gets no
requests, so its appends alone would never show that writing works again.
"""

from collections.abc import Awaitable, Callable
from math import inf
from time import monotonic

import psycopg
import structlog

from service.event_store.errors import StoreUnavailable

PROBE = "TRUNCATE write_probe; INSERT INTO write_probe SELECT repeat('x', 7000) FROM generate_series(1, 8)"
"""One transaction that needs 64 kB of new pages, and frees the old ones."""
_WELL, _ILL = 5.0, 1.0  # least seconds between two probes, after success and after failure
_FRESH = 5.0  # seconds that a refused append counts
# SQLSTATE classes of a server that is there and cannot write: read-only, no resources, limits, system errors, internal.
_REFUSED = ("25", "53", "54", "58", "XX")
_log = structlog.get_logger("store")


class Writability:
    """`probe` writes, and raises StoreUnavailable where that failed."""

    def __init__(self, probe: Callable[[], Awaitable[None]]) -> None:
        self._probe = probe
        self._probed_at = self._refused_at = -inf
        self._found: str | None = None
        self._refused: str | None = None

    def note(self, error: Exception | None) -> None:
        """Note an append's error; None: it was stored."""
        if error is None:
            self._refused = None
        elif (refused := complaint(error)) is not None:
            if self._refused is None:
                _log.error("nothing can be written", error=str(error))
            self._refused, self._refused_at = refused, monotonic()

    async def complaint(self) -> str | None:
        """Why nothing can be written, one sentence; None where it can. Raises StoreUnavailable."""
        at = monotonic()
        if self._refused is not None and at - self._refused_at < _FRESH:
            return self._refused
        if at - self._probed_at > (_WELL if self._found is None and self._refused is None else _ILL):
            self._probed_at = at
            try:
                await self._probe()
                self._found = None
            except StoreUnavailable as error:
                if (refused := complaint(error)) is None:
                    raise
                self._found = refused
            self._refused = None
        return self._found


def complaint(error: Exception) -> str | None:
    """The sentence for an error of a reachable server that refuses to write; None for any other error."""
    cause = error.__cause__
    state = cause.sqlstate if isinstance(error, StoreUnavailable) and isinstance(cause, psycopg.Error) else None
    if state is None or not state.startswith(_REFUSED):
        return None
    match state:
        case "53100":
            return "The database's disk is full: nothing can be written."
        case "25006":
            return "The database is read-only: nothing can be written."
        case _:
            return "The database refuses what is written; its log says why."
