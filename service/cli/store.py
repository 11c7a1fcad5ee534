"""What commands work with: the database that DATABASE_URL names, or the data folder's private PostgreSQL; games; keys.

The named database may be away for a time: it may start after us, restart, or be promoted to primary.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from pathlib import Path
from time import sleep
from typing import Any
from uuid import UUID

import httpx
import psycopg
import structlog
from psycopg import Connection, conninfo

from domain.play.aggregate import AnyRecord
from domain.play.events import Opened
from service.cli.ending import Refusal, ignored_signals
from service.cluster.roster import held_keys
from service.event_store import schema
from service.event_store.codec import Codec, standard_codec
from service.event_store.connections import open_connection, require_sessions
from service.event_store.errors import StoreUnavailable
from service.event_store.imported import Vouch, no_verifier, read_imported
from service.event_store.reading import read_stream
from service.event_store.unsealing import missing_keys
from service.keys.key_files import KeysUnusable
from service.keys.sealing import Seals
from service.keys.signing import JwkSet, KeySets, NoKeySet, Ring, public_set, read_key_set, signing_keys, trusted_keys
from service.postgres import PostgresUnavailable, Server, join, start, stop
from service.settings import Settings

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
    with any_database(settings, may_start=may_start) as url:
        schema.check(url)
        yield url


@contextmanager
def connect_database(settings: Settings, purpose: str) -> Iterator[Connection[Any]]:
    """A connection to that database; PostgreSQL's list of connections shows the purpose."""
    with database(settings) as url, open_connection(url, purpose) as connection:
        yield connection


@contextmanager
def any_database(settings: Settings, *, may_start: bool = True, may_create: bool = False) -> Iterator[str]:
    """That database with any schema; the private PostgreSQL is joined or started for the time of the block."""
    if settings.database_url is not None:
        yield direct_address(settings)
        return
    running: Server | None = None
    with suppress(PostgresUnavailable):
        running = join(settings.data_folder)
    if running is not None:
        yield running.dsn
        return
    if not may_create and not (settings.data_folder.expanduser() / "cluster").exists():
        raise Refusal(f"There is no data in the folder {settings.data_folder}: `kibitz serve` makes some.")
    if not may_start:
        raise Refusal(f"No PostgreSQL runs on the data folder {settings.data_folder}: start it with `kibitz serve`.")
    with started_server(settings) as server:
        yield server.dsn


@contextmanager
def started_server(settings: Settings) -> Iterator[Server]:
    """Start the private PostgreSQL; it is stopped cleanly however the block ends."""
    server = start(settings.data_folder)
    try:
        yield server
    finally:
        with ignored_signals():
            stop(server)


def direct_address(settings: Settings) -> str:
    """The database's address without a pooler, for connections that need sessions; only if DATABASE_URL is set.

    Raises SessionsPooled if only a pooler's address is set, StoreUnavailable, or Refusal.
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


def data_place(settings: Settings) -> str:
    """Where the data are, without a password."""
    if settings.database_url is None:
        return f"data folder {settings.data_folder.expanduser().resolve()}"
    parts = conninfo.conninfo_to_dict(settings.database_url)
    return f"database {parts.get('dbname', '')} at {parts.get('host', 'the local socket')}"


def retry_while_away(attempt: Callable[[], None]) -> None:
    """Repeat the attempt until the database answers; permanent errors are raised at once."""
    for pause in chain(_PAUSES, repeat(_LONGEST)):
        try:
            attempt()
            return
        except StoreUnavailable as error:
            if _NO_USE.search(str(error)):
                raise
            _log.warning("the database is away", told=str(error), again_in_seconds=pause)
        sleep(pause)


def await_database(settings: Settings) -> None:
    """Return once the database that DATABASE_URL names answers and its schema fits.

    Raises Refusal, SchemaError, SessionsPooled, or StoreUnavailable if the server refuses us permanently.
    """
    retry_while_away(lambda: schema.check(direct_address(settings)))


def game_records(
    connection: Connection[Any], game: UUID, codec: Codec | None = None, vouch: Vouch = no_verifier
) -> list[AnyRecord]:
    """The records of one game, also an imported one; empty where the id is no game's. Raises UnreadableRecord."""
    records = read_stream(connection, game, codec=codec) or read_imported(connection, game, vouch)
    return records if records and isinstance(records[0].event, Opened) else []


def existing_game(connection: Connection[Any], game: UUID, codec: Codec, vouch: Vouch = no_verifier) -> list[AnyRecord]:
    """The records of this game; raises Refusal where there is none, UnreadableRecord."""
    if not (records := game_records(connection, game, codec, vouch)):
        raise Refusal(f"There is no game {game}.")
    return records


def codec(settings: Settings) -> Codec:
    """A codec that opens records sealed under the folder's keys; raises Refusal if the folder is unusable."""
    try:
        return standard_codec().sealing(Seals(settings.sealing_folder).read())
    except KeysUnusable as error:
        raise Refusal(str(error)) from error


def require_keys_of_others(settings: Settings, conninfo: str) -> None:
    """Raises Refusal if a key that another living process has is missing here: this process could own unreadable games.

    A key that no process has is lost, and does not prevent serving the rest. Raises StoreUnavailable.
    """
    seals = codec(settings).seals
    with open_connection(conninfo, "sealing") as connection:
        lacking = held_keys(connection).intersection(missing_keys(connection, seals))
    if lacking:
        raise Refusal(
            f"The sealing key {', '.join(sorted(key.hex() for key in lacking))} is not in {settings.sealing_folder}, "
            "and other processes have it: copy its file here, or name their folder in KIBITZ_SEALING_KEYS."
        )


def load_key_set(source: str) -> JwkSet:
    """The set in this file, or at this address: a service's own, or its `/v1/keys`; raises Refusal."""
    try:
        if not source.startswith(("http://", "https://")):
            return read_key_set(Path(source).read_bytes())
        url = httpx.URL(source)
        url = url.copy_with(path="/v1/keys") if url.path == "/" else url
        return read_key_set(httpx.get(url, timeout=30, follow_redirects=True).raise_for_status().content)
    except (NoKeySet, OSError, httpx.HTTPError, httpx.InvalidURL) as error:
        raise Refusal(f"No keys could be had from {source}: {error}") from error


def own_key_set(settings: Settings) -> JwkSet | None:
    """The public keys of the folder of signing keys; None if there is no folder or it cannot be read."""
    with suppress(KeysUnusable):
        folder = settings.keys_folder.expanduser()
        return public_set(signing_keys(folder)) if folder.exists() else None
    return None


def own_ring(settings: Settings) -> Ring | None:
    """The folder of signing keys, open; None if there is none or it has no private key that can be read."""
    with suppress(KeysUnusable):
        if (keys := own_key_set(settings)) is not None and keys.keys:
            ring = Ring(settings.keys_folder)
            ring.open()
            return ring
    return None


def vouch(settings: Settings) -> Vouch:
    """A function that names the signer of a record, by the service's own and its trusted keys; raises Refusal."""
    try:
        own, trusted = own_key_set(settings) or JwkSet(()), trusted_keys(settings.trusted_keys)
    except KeysUnusable as error:
        raise Refusal(str(error)) from error
    return KeySets(own, trusted).voucher
