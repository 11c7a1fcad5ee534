"""The roster: the processes of one database, by their rows and their advisory locks, and the leases they hold."""

import asyncio
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

from psycopg import AsyncConnection, Connection

from service.event_store.connections import Rows, conninfo_with_defaults, is_alive, unavailability
from service.event_store.errors import StoreUnavailable

_NETWORK = Path("/proc/self/ns/net")
MACHINE = f"{socket.gethostname()} ({_NETWORK.stat().st_ino})" if _NETWORK.exists() else socket.gethostname()
"""Where this process runs: processes of one machine reach each other by the loopback."""
Keys = Callable[[], frozenset[bytes]]
KEYS = 0x6B6273  # "kbs": the class of the advisory locks for sealing keys; the other half is the key's name
_LOCK_KEYS = "SELECT pg_try_advisory_lock_shared(%s, key) FROM unnest(%s::int[]) AS key"
_HELD = """
SELECT objid::bigint FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
WHERE locktype = 'advisory' AND classid = %s AND objsubid = 2 AND granted AND datname = current_database()
"""
LOCKS = 0x6B627A  # "kbz": the class of the advisory locks for processes, one for each by its number
SILENT = 5.0
"""Seconds without a sign of life after which a connected process counts as frozen, that is gone."""
HELD = 3.0
"""Seconds that an idle transaction may hold the log's row; after that its process counts as frozen."""
_PATIENCE = 5.0  # seconds until the database counts as gone
# A statement that waits for a lock does not notice that its client has gone.
_SETTINGS = "SET lock_timeout = '3s'"
_BEGIN = "UPDATE log SET epoch = epoch + 1 RETURNING epoch"
_LOCK = "SELECT pg_try_advisory_lock(%s, %s)"
_ENTER = """
INSERT INTO processes (number, address, secret, machine) VALUES (%s, %s, %s, %s)
ON CONFLICT (number) DO UPDATE SET seen_at = clock_timestamp()
"""
_STATE = f"""
WITH locked (objid) AS MATERIALIZED ({_HELD})
SELECT number, address, secret, coalesce(machine, ''), number IN (SELECT objid FROM locked) AS locked,
    seen_at > clock_timestamp() - make_interval(secs => %s) AS seen,
    (SELECT head FROM log), ARRAY(SELECT process FROM leases ORDER BY slot),
    ARRAY(SELECT xmin::text::bigint FROM leases ORDER BY slot)
FROM processes
"""
# Every commit locks the log's row: a concurrent append is before this change, or sees the new epoch.
_MOVE = """
WITH raised AS (UPDATE log SET epoch = epoch + 1 RETURNING epoch)
UPDATE leases SET process = moved.heir
FROM raised, unnest(%s::smallint[], %s::bigint[], %s::bigint[]) AS moved (slot, owner, heir)
WHERE leases.slot = moved.slot AND leases.process = moved.owner
RETURNING leases.slot, leases.process, leases.xmin::text::bigint
"""
# xmax of the log's row is the transaction that has changed it without commit. Only a server that waits for its client
# is ended, not one that waits for a lock or a disk; no time-out of PostgreSQL 15 and 16 ends it between two statements.
_END_FROZEN = """
SELECT pg_terminate_backend(holder.pid) FROM log
JOIN pg_locks AS held ON held.locktype = 'transactionid' AND held.granted AND held.transactionid = log.xmax
JOIN pg_stat_activity AS holder ON holder.pid = held.pid
WHERE holder.wait_event_type = 'Client' AND holder.usename = current_user
    AND holder.xact_start < clock_timestamp() - make_interval(secs => %s)
"""
_LIVING = f"SELECT number, address, secret, coalesce(machine, '') FROM processes WHERE number IN ({_HELD}) ORDER BY 1"
_GONE = "DELETE FROM processes WHERE number = ANY(%s)"


class Peer(NamedTuple):
    """A process: its address, and the secret that proves to it that a request was forwarded by a peer."""

    number: int
    address: str
    secret: str
    machine: str = ""
    """Where it runs; empty for an older program."""


def held_keys(connection: Connection[Any]) -> frozenset[bytes]:
    """The names of the keys that at least one living process has."""
    return frozenset(int(row[0]).to_bytes(4, "big") for row in connection.execute(_HELD, [KEYS]).fetchall())


def is_loopback(address: str) -> bool:
    """Whether the address leads every machine to itself: `127.0.0.1:8001`, `[::1]:8001`."""
    host = address.rpartition(":")[0].strip("[]")
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def living_processes(connection: Connection[Any]) -> list[Peer]:
    """The processes that live."""
    return [Peer(*row) for row in connection.execute(_LIVING.encode(), [LOCKS]).fetchall()]


class Move(NamedTuple):
    """A slot to move to its heir, if its owner still has it."""

    slot: int
    owner: int
    heir: int


class Lease(NamedTuple):
    """A slot's owner, and the transaction that set it: it differs after the slot went away and came back."""

    owner: int
    since: int


class State(NamedTuple):
    """The roster at one time: the log's head, the lease of each slot, living processes by number, gone ones."""

    head: int
    leases: tuple[Lease, ...]
    living: dict[int, Peer]
    gone: tuple[int, ...]


class Roster:
    """One process's place in the roster: a connection of its own, whose advisory locks end with the process.

    `keys` returns the names of the process's sealing keys.
    """

    def __init__(self, conninfo: str, address: str, keys: Keys = frozenset) -> None:
        self._conninfo = conninfo_with_defaults(conninfo, "process")
        self._address, self._keys = address, keys
        self._locked_keys: frozenset[bytes] = frozenset()
        self._connection: AsyncConnection[Any] | None = None
        self._lock = asyncio.Lock()
        self.number = 0
        self.secret = secrets.token_urlsafe(32)

    async def end_frozen(self) -> int:
        """End transactions of frozen processes that hold the log's row; how many. Raises StoreUnavailable."""
        return len(await self._execute(_END_FROZEN, (HELD,)))

    async def enter(self) -> None:
        """Give a sign of life; raises StoreUnavailable."""
        if not self.number:
            await self._execute("SELECT", ())
        await self._execute(_ENTER, (self.number, self._address, self.secret, MACHINE))
        if fresh := self._keys() - self._locked_keys:
            await self._execute(_LOCK_KEYS, (KEYS, [int.from_bytes(key, "big", signed=True) for key in fresh]))
            self._locked_keys |= fresh

    async def read(self) -> State:
        """Read who lives and who owns which slot; raises StoreUnavailable."""
        rows = await self._execute(_STATE, (LOCKS, SILENT))
        if self.number not in [row[0] for row in rows]:  # we were taken for gone
            await self.enter()
            return await self.read()
        living = {row[0]: Peer(*row[:4]) for row in rows if (row[4] and row[5]) or row[0] == self.number}
        gone = tuple(row[0] for row in rows if not row[4] and row[0] != self.number)
        return State(rows[0][6], tuple(map(Lease, *rows[0][7:])), living, gone)

    async def move(self, moves: Sequence[Move]) -> dict[int, Lease]:
        """Move these slots; slot -> new lease of those that moved. Raises StoreUnavailable."""
        rows = await self._execute(_MOVE, tuple(list(column) for column in zip(*moves, strict=True)))
        return {row[0]: Lease(*row[1:]) for row in rows}

    async def strike(self, numbers: Sequence[int]) -> None:
        """Delete these processes; raises StoreUnavailable."""
        await self._execute(_GONE, (list(numbers),))

    async def close(self) -> None:
        """Close the connection, which ends the lock."""
        if self._connection is not None:
            await self._connection.close()

    async def _execute(self, sql: str, values: Sequence[Any]) -> Rows:
        async with self._lock:
            try:
                async with asyncio.timeout(_PATIENCE):
                    with unavailability():
                        cursor = await (await self._current_connection()).execute(sql.encode(), values)
                        return await cursor.fetchall() if cursor.description else []
            except TimeoutError as error:
                await self.close()
                raise StoreUnavailable("The database does not answer.") from error

    async def _current_connection(self) -> AsyncConnection[Any]:
        """The connection that holds the lock, reconnected after a loss. The first one takes the process's number."""
        if self._connection is None or not is_alive(self._connection):
            await self.close()
            self._locked_keys, self._connection = frozenset(), None
            connection = await AsyncConnection.connect(self._conninfo, autocommit=True)
            try:
                await connection.execute(_SETTINGS)
                if not self.number:
                    await connection.execute(_END_FROZEN, (HELD,))  # else no process could start
                    self.number = (await (await connection.execute(_BEGIN)).fetchall())[0][0]
                locked = await (await connection.execute(_LOCK, (LOCKS, self.number))).fetchone()
                if not (locked and locked[0]):
                    raise StoreUnavailable("The lock of this process is not free yet.")
            except BaseException:
                await connection.close()
                raise
            self._connection = connection
        return self._connection
