"""Names of players: in answers, cached for looks at games, found by how they begin, sealed in the store."""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from os import urandom
from time import monotonic
from typing import Any
from unicodedata import normalize
from uuid import UUID

from cachetools import LRUCache
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Struct

from service.event_store import unsealing
from service.event_store.connections import open_connection
from service.event_store.errors import StoreUnavailable
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.telemetry.background import start_task
from service.workers import maintenance

Names = Mapping[UUID, str | None]
_CACHED = 10_000


class Person(Struct, frozen=True):
    """A player and their name; None where they are erased."""

    id: UUID
    name: str | None


def person(player: UUID, names: Names) -> Person:
    return Person(player, names.get(player))


def person_if_any(player: UUID | None, names: Names) -> Person | None:
    """The player, or None where there is none, as at an empty seat."""
    return None if player is None else Person(player, names.get(player))


def people(players: Iterable[UUID], names: Names) -> tuple[Person, ...]:
    return tuple(person(player, names) for player in players)


class NameCache:
    """Names of recent players; a process forgets those that were renamed or erased, here or elsewhere."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._cached: LRUCache[UUID, str | None] = LRUCache(_CACHED)
        self._changes = 0

    async def of(self, players: Iterable[UUID | None]) -> Names:
        """The names of these players, in their order; None for an erased player."""
        names: dict[UUID, str | None] = {}
        missing: list[UUID] = []
        for player in players:
            if player is not None and player not in names:
                names[player] = name = self._cached.get(player, "")
                if name == "":
                    missing.append(player)
        if missing:
            names.update(await self._read(missing))
        return names

    async def _read(self, players: list[UUID]) -> dict[UUID, str | None]:
        """Names from the database; cached unless one changes meanwhile."""
        before = self._changes
        names = names_of(await self._store.query(NAMES, (players,)))
        read = {player: names.get(player) for player in players}
        if before == self._changes:
            self._cached.update(read)
        return read

    def forget(self, player: UUID) -> None:
        """The player was renamed or erased, or may have been."""
        self._changes += 1
        self._cached.pop(player, None)

    def forget_all(self) -> None:
        """Changes by other processes may have been missed."""
        self._changes += 1
        self._cached.clear()


NAMES = """
SELECT player, name, sealed_name, key FROM persons LEFT JOIN player_keys USING (player) WHERE player = ANY(%s)
"""
KEY = "SELECT key FROM player_keys WHERE player = %s"
_MIGRATION = 14
_BATCH = 500
_RETRY = 5.0  # seconds
_PLAIN = "SELECT player, name FROM persons WHERE name IS NOT NULL ORDER BY player LIMIT %s FOR UPDATE SKIP LOCKED"
_LABELS = "SELECT player, label, token FROM tokens WHERE label <> '' ORDER BY token LIMIT %s FOR UPDATE SKIP LOCKED"
_SEAL = "UPDATE persons SET sealed_name = %s, name = NULL WHERE player = %s"
_SEAL_LABEL = "UPDATE tokens SET sealed_label = %s, label = '' WHERE token = %s"
_MAKE = "INSERT INTO player_keys (player, key) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_FORGET = "DELETE FROM player_keys WHERE NOT EXISTS (SELECT FROM persons WHERE persons.player = player_keys.player)"
_KEYS = "SELECT player, key FROM player_keys WHERE player = ANY(%s)"
NAME, LABEL = b"name", b"label"


def new_key() -> bytes:
    """A key for one player."""
    return secrets.token_bytes(32)


def seal_text(key: bytes, player: UUID, field: bytes, text: str) -> bytes:
    """The sealed text: nonce, then ciphertext."""
    nonce = urandom(12)
    return nonce + AESGCM(key).encrypt(nonce, text.encode(), field + player.bytes)


def read_sealed(key: bytes | None, player: UUID, field: bytes, sealed: bytes | None) -> str | None:
    """The text; None if there is none, the key is deleted, or the sealed text was changed or moved."""
    if key is None or sealed is None:
        return None
    try:
        return AESGCM(key).decrypt(sealed[:12], sealed[12:], field + player.bytes).decode()
    except (InvalidTag, ValueError):
        return None


def names_of(rows: Iterable[Sequence[Any]]) -> dict[UUID, str]:
    """Names by player, from the rows of NAMES; a player without a name is erased."""
    names = ((row[0], row[1] or read_sealed(row[3], row[0], NAME, row[2])) for row in rows)
    return {player: name for player, name in names if name is not None}


def label_of(player: UUID, plain: str, sealed: bytes | None, key: bytes | None) -> str:
    """A token's label."""
    return plain or read_sealed(key, player, LABEL, sealed) or ""


def key_statement(player: UUID, key: bytes | None = None) -> Companion:
    """The statement that stores this key, or a new one, if the player has none."""
    return Companion(_MAKE, (player, key or new_key()))


def erasure_statements(player: UUID) -> list[Companion]:
    """The statements that delete a person's data, the key first, and schedule the rewriting of the tables' files."""
    tables = (
        "player_keys", "persons", "tokens", "passkeys", "recovery_codes", "challenges", "idempotency_keys",
        "authorization_codes", "apps", "device_codes", "device_guesses", "comments", "puzzle_attempts", "puzzles",
        "puzzle_runs", "player_wishes",
    )  # fmt: skip
    deleted = [Companion(f"DELETE FROM {table} WHERE player = %s", (player,)) for table in tables]
    unnamed = Companion("UPDATE analyses SET player = NULL WHERE player = %s", (player,))
    return [*deleted, unnamed, Companion(maintenance.RECORD, ())]


class ClearTextSealing:
    """A task that seals the clear columns once no process of the previous release can run any more, and then ends.

    It calls `report` with the seconds for which such processes may still run.
    """

    def __init__(self, conninfo: str, rollout: float, report: Callable[[float], None]) -> None:
        self._conninfo, self._rollout, self._report = conninfo, rollout, report
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Learn how long to wait; raises StoreUnavailable."""
        wait = await asyncio.to_thread(_read_grace, self._conninfo, self._rollout)
        self._report(wait)
        self._task = start_task(partial(self._run, monotonic() + wait), "emptying")

    async def stop(self) -> None:
        """Cancel the task; a batch that is under way is finished."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, begins: float) -> None:
        await asyncio.sleep(max(0.0, begins - monotonic()))
        while True:
            with suppress(StoreUnavailable):
                while await asyncio.to_thread(seal_plain, self._conninfo):
                    pass
                await asyncio.to_thread(_forget_the_erased, self._conninfo)
                return
            await asyncio.sleep(_RETRY)


def _read_grace(conninfo: str, rollout: float) -> float:
    with open_connection(conninfo, "names") as connection:
        return unsealing.grace(connection, rollout, _MIGRATION)


def seal_plain(conninfo: str) -> int:
    """Seal a batch of names and labels that are in the clear; returns how many. Raises StoreUnavailable."""
    with open_connection(conninfo, "names") as connection, connection.transaction():
        names = connection.execute(_PLAIN.encode(), [_BATCH]).fetchall()
        labels = connection.execute(_LABELS.encode(), [_BATCH]).fetchall()
        players = list(dict.fromkeys(row[0] for row in (*names, *labels)))
        connection.cursor().executemany(_MAKE, [(player, new_key()) for player in players])
        keys = {player: bytes(key) for player, key in connection.execute(_KEYS, [players]).fetchall()}
        for player, name in names:
            connection.execute(_SEAL, [seal_text(keys[player], player, NAME, name), player])
        for player, label, token in labels:
            connection.execute(_SEAL_LABEL, [seal_text(keys[player], player, LABEL, label), token])
        if names or labels:
            connection.execute(maintenance.RECORD)
    return len(names) + len(labels)


def _forget_the_erased(conninfo: str) -> None:
    """Delete the keys of players whom the previous release erased, which had no keys."""
    with open_connection(conninfo, "names") as connection:
        connection.execute(_FORGET)


_LEAST = 2
"""Characters of the shortest beginning that finds a name, but for a name that is shorter."""
_ADD = """
INSERT INTO name_beginnings (beginning, player, length) SELECT beginning, persons.player, %s
FROM persons, unnest(%s::bytea[]) AS beginning
WHERE persons.player = %s AND (%s OR EXISTS (SELECT FROM name_beginnings AS old WHERE old.player = persons.player))
FOR KEY SHARE OF persons ON CONFLICT (beginning, player) DO UPDATE SET length = excluded.length
"""
_KEEP_ONLY = "DELETE FROM name_beginnings WHERE player = %s AND NOT beginning = ANY(%s)"
_FIND = """
SELECT length, player FROM name_beginnings WHERE beginning = ANY(%s) AND (length, player) > (%s, %s)
GROUP BY length, player ORDER BY length, player LIMIT %s
"""


def rename_statements(store: EventStore, player: UUID, name: str, *, allow: bool = False) -> list[Companion]:
    """Statements after which the player is found by this name and no other, if that was allowed or is from now on."""
    text = _searched_text(name)
    ends = range(min(_LEAST, len(text)), len(text) + 1)
    hashes = [newest for end in ends for newest in _hash_beginning(store, text[:end])[:1]]
    return [Companion(_ADD, (len(text), hashes, player, allow)), Companion(_KEEP_ONLY, (player, hashes))]


def forbid_statement(player: UUID) -> Companion:
    """The statement that removes the player from the search by name."""
    return Companion(_KEEP_ONLY, (player, []))


async def is_findable(store: EventStore, player: UUID) -> bool:
    return bool(await store.query("SELECT FROM name_beginnings WHERE player = %s LIMIT 1", (player,)))


async def find_players(
    store: EventStore, beginning: str, limit: int, after: tuple[int, UUID]
) -> Sequence[Sequence[Any]]:
    """Length of name and id of players whose names begin with it, the shortest and so an equal name first."""
    return await store.query(_FIND, (list(_hash_beginning(store, _searched_text(beginning))), *after, limit))


async def find_namesakes(store: EventStore, name: str) -> list[UUID]:
    """Up to two players of exactly this name."""
    rows = await find_players(store, name, 2, (0, UUID(int=0)))
    return [player for length, player in rows if length == len(_searched_text(name))]


def _searched_text(name: str) -> str:
    """Case and compatible forms of letters make no difference."""
    return normalize("NFKC", name).casefold()


def _hash_beginning(store: EventStore, text: str) -> tuple[bytes, ...]:
    return store.codec.seals.hashes(b"name beginning\0" + text.encode())
