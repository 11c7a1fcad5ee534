"""The database a command works on: the one named by DATABASE_URL, or the data folder's private PostgreSQL.

The named one may be away for a time: it may start after us, restart, or be promoted to primary.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from time import sleep
from typing import Any, TypeVar

import psycopg
import structlog
from psycopg import Connection, conninfo

from service.cli.ending import Refusal, ignored_signals
from service.event_store import schema
from service.event_store.connections import open_connection, require_sessions
from service.event_store.errors import StoreUnavailable
from service.postgres import PostgresUnavailable, Server, join, start, stop
from service.settings import Settings

R = TypeVar("R")
_PAUSES = (0.25, 0.5, 1.0)  # seconds after the first, second, ... attempt
_LONGEST = 2.0
# Permanent refusals by a server or a pooler. libpq gives no error code while connecting, so the English text decides;
# if the server's messages are in another language, the attempt is repeated for ever.
_NO_USE = re.compile(r"authentication failed|no pg_hba\.conf entry|no password supplied|no such (user|database)"
                     r"|(database|role) \S+ does not exist|permission denied for database")  # fmt: skip
_log = structlog.get_logger("patience")


@contextmanager
def database(settings: Settings, *, may_start: bool = True) -> Iterator[str]:
    """The connection string of a database whose schema fits, for as long as the block.

    A running private PostgreSQL is joined. If none runs but the folder has data, one is started for the block
    if `may_start`. Raises Refusal, PostgresError or EventStoreError.
    """
    if settings.database_url is not None:
        url = direct_address(settings)
        schema.check(url)
        yield url
        return
    with private_postgres(settings, may_start=may_start) as server:
        schema.check(server.dsn)
        yield server.dsn


@contextmanager
def connect_database(settings: Settings, purpose: str) -> Iterator[Connection[Any]]:
    """A connection to that database; PostgreSQL's list of connections shows the purpose."""
    with database(settings) as url, open_connection(url, purpose) as connection:
        yield connection


@contextmanager
def private_postgres(settings: Settings, *, may_start: bool, may_create: bool = False) -> Iterator[Server]:
    """The data folder's PostgreSQL, joined or started for the time of the block."""
    server = _running_server(settings)
    if server is not None:
        yield server
        return
    if not may_create and not (settings.data_folder.expanduser() / "cluster").exists():
        raise Refusal(f"There is no data in the folder {settings.data_folder}: `kibitz serve` makes some.")
    if not may_start:
        raise Refusal(f"No PostgreSQL runs on the data folder {settings.data_folder}: start it with `kibitz serve`.")
    with started_server(settings) as server:
        yield server


@contextmanager
def started_server(settings: Settings) -> Iterator[Server]:
    """Start the private PostgreSQL; it is stopped cleanly however the block ends."""
    server = start(settings.data_folder)
    try:
        yield server
    finally:
        with ignored_signals():
            stop(server)


def _running_server(settings: Settings) -> Server | None:
    with suppress(PostgresUnavailable):
        return join(settings.data_folder)
    return None


def direct_address(settings: Settings) -> str:
    """The database's address without a pooler, for connections that need sessions; only if DATABASE_URL is set.

    Raises SessionsPooled if only a pooler's address is known, StoreUnavailable, or Refusal.
    """
    if settings.session_url is not None:
        return checked_address(settings.session_url, "KIBITZ_SESSION_URL")
    url = checked_address(settings.database_url or "")
    require_sessions(url)
    return url


def checked_address(url: str, name: str = "DATABASE_URL") -> str:
    """The connection string, if it is one; raises Refusal without repeating it, for it may hold a password."""
    try:
        conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        sentence = f"{name} is no connection string of PostgreSQL, such as postgresql://user@host:5432/name."
        raise Refusal(sentence) from None
    return url


def place(settings: Settings) -> str:
    """Where the data are, without a password."""
    if settings.database_url is None:
        return f"data folder {settings.data_folder.expanduser().resolve()}"
    parts = conninfo.conninfo_to_dict(settings.database_url)
    return f"database {parts.get('dbname', '')} at {parts.get('host', 'the local socket')}"


def retry_while_away(attempt: Callable[[], R]) -> R:
    """Repeat the attempt until the database answers, and return its result; permanent errors are raised at once."""
    for pause in chain(_PAUSES, repeat(_LONGEST)):
        try:
            return attempt()
        except StoreUnavailable as error:
            if _NO_USE.search(str(error)):
                raise
            _log.warning("the database is away", told=str(error), again_in_seconds=pause)
        sleep(pause)
    raise AssertionError("patience never ends")


def await_database(settings: Settings) -> None:
    """Return once the database that DATABASE_URL names answers and its schema fits.

    Raises Refusal, SchemaError, SessionsPooled, or StoreUnavailable if the server refuses us permanently.
    """
    retry_while_away(lambda: schema.check(direct_address(settings)))
