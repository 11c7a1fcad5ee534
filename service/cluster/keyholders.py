"""Which sealing keys the living processes have: each takes a shared advisory lock for every key.

The locks are on the connection that holds the process's lock: they end when the process is gone.
"""

from collections.abc import Iterable
from typing import Any

from psycopg import Connection

KEYS = 0x6B6273  # "kbs": the class of these locks; the other half is the key's name
HOLD = "SELECT pg_try_advisory_lock_shared(%s, key) FROM unnest(%s::int[]) AS key"
_HELD = """
SELECT DISTINCT objid::bigint FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
WHERE locktype = 'advisory' AND classid = %s AND objsubid = 2 AND granted AND datname = current_database()
"""


def lock_numbers(keys: Iterable[bytes]) -> list[int]:
    """The keys' names as PostgreSQL's signed integers."""
    return [int.from_bytes(key, "big", signed=True) for key in keys]


def held_keys(connection: Connection[Any]) -> frozenset[bytes]:
    """The names of the keys that at least one living process has."""
    return frozenset(int(row[0]).to_bytes(4, "big") for row in connection.execute(_HELD, [KEYS]).fetchall())
