"""Lines of a fixed shape for what happens often: encoded at once, some 2 instead of 45 microseconds each.

They pass none of the processors that look for secrets. Their fields may therefore hold only ids, numbers, words of our
own (an operation, a rule's slug) and a request id, which was looked at when it came.
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
import structlog

_encode = msgspec.json.Encoder().encode


class Lean:
    """The lines of one logger at level info; in text, or before logs are configured, they go the usual way."""

    _write: Callable[[str], object] | None = None

    def __init__(self, logger: str) -> None:
        self._name = logger
        self._usual = structlog.get_logger(logger)
        self._level = logging.getLogger(logger)

    def info(self, event: str, fields: dict[str, Any]) -> None:
        """One line of this event with these fields."""
        if not self._level.isEnabledFor(logging.INFO):
            return
        if Lean._write is None:
            self._usual.info(event, **fields)
            return
        line = {"event": event, "level": "info", "logger": self._name, "timestamp": datetime.now(UTC), **fields}
        Lean._write(_encode(line).decode() + "\n")


def lean_through(write: Callable[[str], object] | None) -> None:
    """From now on lean lines are written so, as JSON; None: they go the usual way."""
    Lean._write = None if write is None else staticmethod(write)
