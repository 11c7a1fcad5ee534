"""The database a command works on: the one named by DATABASE_URL, or the data folder's private PostgreSQL."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg
from psycopg import conninfo

from service.cli.errors import Refusal
from service.cli.signals import ignored_signals
from service.event_store import schema
from service.event_store.connections import require_sessions
from service.postgres import PostgresUnavailable, Server, join, start, stop
from service.settings import Settings


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
