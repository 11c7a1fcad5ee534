"""Keys of sealed records: those of revealed games, and the names of keys that have sealed in a database."""

import asyncio
from collections.abc import Sequence
from typing import Any

import structlog
from psycopg import Connection

from domain.contest import events as contest_events
from domain.play import events as game_events
from service.event_store.codec import AnyRecord
from service.event_store.connections import open_connection
from service.event_store.writing.rows import Companion
from service.keys.sealing import Seals

_MIGRATION = 13
_log = structlog.get_logger("sealing")
REVEALING = (game_events.Revealed, contest_events.Revealed)
_KEEP = "INSERT INTO unsealed (stream, key, value) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_NAME = "INSERT INTO sealing_keys (id) VALUES (%s) ON CONFLICT DO NOTHING"
_GIVE_UP = "INSERT INTO sealing_keys (id, given_up) VALUES (%s, true) ON CONFLICT (id) DO UPDATE SET given_up = true"
_NAMED = "SELECT id FROM sealing_keys WHERE NOT given_up"
# A database created with this migration has never been used by a program that could not unseal.
_GRACE = """
SELECT CASE WHEN here.applied_at > first.applied_at + interval '1 minute'
    THEN greatest(0, extract(epoch FROM here.applied_at - now()) + %s)::float8 ELSE 0 END
FROM schema_migrations AS here, schema_migrations AS first WHERE here.number = %s AND first.number = 1
"""
_NEEDED = """
SELECT substr(state, 3, 4), count(DISTINCT stream) FROM events
WHERE substr(state, 1, 1) = '\\xc1'::bytea AND NOT EXISTS (SELECT FROM unsealed WHERE unsealed.stream = events.stream)
GROUP BY 1
"""


def companions(records: Sequence[AnyRecord], seals: Seals) -> list[Companion]:
    """The statements to run with records that reveal a game: from then on it needs no service key."""
    revealed = [record.stream for record in records if type(record.event) in REVEALING]
    return [Companion(_KEEP, (stream, *key)) for stream in revealed for key in seals.stream_keys(stream)]


def grace(connection: Connection[Any], seconds: float, migration: int = _MIGRATION) -> float:
    """Seconds in which programs without this migration may still run: until `seconds` after it was applied.

    0 in a database that was created with it.
    """
    row = connection.execute(_GRACE, [seconds, migration]).fetchone()
    return float(row[0]) if row else 0.0


async def begin(conninfo: str, seals: Seals, rollout: float) -> None:
    """Store the name of the key that seals here, postpone sealing during a rollout, and log missing keys.

    Raises StoreUnavailable.
    """

    def store_name() -> list[bytes]:
        with open_connection(conninfo, "sealing") as connection:
            seals.postpone(grace(connection, rollout))
            connection.execute(_NAME, [seals.newest])
            return missing_keys(connection, seals)

    for key in await asyncio.to_thread(store_name):
        _log.warning("sealing key missing", key=key.hex())


def missing_keys(connection: Connection[Any], seals: Seals) -> list[bytes]:
    """The keys that have sealed here, are not available, and were not given up."""
    return sorted({bytes(row[0]) for row in connection.execute(_NAMED).fetchall()} - seals.ids)


def give_up(connection: Connection[Any], key: bytes) -> None:
    """Mark this key as given up; if it comes back, its records can be read again."""
    connection.execute(_GIVE_UP, [key])


def needed_keys(connection: Connection[Any]) -> dict[bytes, int]:
    """Key name -> number of live games and contests that need it; reads every record that is not packed."""
    return {bytes(key): int(count) for key, count in connection.execute(_NEEDED.encode()).fetchall()}
