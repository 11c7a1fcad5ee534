"""Retries while the database is away: it may start after us, restart, or be promoted to primary."""

import re
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from time import sleep
from typing import TypeVar

import structlog

from service.cli.database import direct_address
from service.event_store import schema
from service.event_store.errors import StoreUnavailable
from service.settings import Settings

R = TypeVar("R")
_PAUSES = (0.25, 0.5, 1.0)  # seconds after the first, second, ... attempt
_LONGEST = 2.0
# Permanent refusals by a server or a pooler. libpq gives no error code while connecting, so the English text decides;
# if the server's messages are in another language, the attempt is repeated for ever.
_NO_USE = re.compile(r"authentication failed|no pg_hba\.conf entry|no password supplied|no such (user|database)"
                     r"|(database|role) \S+ does not exist|permission denied for database")  # fmt: skip
_log = structlog.get_logger("patience")


def retry_while_away(attempt: Callable[[], R]) -> R:
    """Repeat the attempt until the database answers, and return its result; permanent errors are raised at once."""
    for pause in _pauses():
        try:
            return attempt()
        except StoreUnavailable as error:
            if _NO_USE.search(str(error)):
                raise
            _log.warning("the database is away", told=str(error), again_in_seconds=pause)
        sleep(pause)
    raise AssertionError("patience never ends")


def _pauses() -> Iterator[float]:
    return chain(_PAUSES, repeat(_LONGEST))


def await_database(settings: Settings) -> None:
    """Return once the database that DATABASE_URL names answers and its schema fits.

    Raises Refusal, SchemaError, SessionsPooled, or StoreUnavailable if the server refuses us permanently.
    """
    retry_while_away(lambda: schema.check(direct_address(settings)))
