"""Callers by bearer token: tokens are looked up by their hash, with a cache of recent ones."""

import secrets
from collections.abc import Callable
from hashlib import sha256
from uuid import UUID

from cachetools import LRUCache
from msgspec import Struct

from domain.player import Scope
from domain.record import Micros
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import URGENT, Companion
from service.problems import Refused
from service.telemetry.metrics.counts import LOOKUPS

PREFIX = "kbz_"
_REMEMBERED = 10_000


def revocation_notice(player: UUID) -> Companion:
    """The statement that notifies every process, at the commit, that tokens of this player were revoked."""
    return Companion(f"SELECT pg_notify('{URGENT}', %s)", (str(player),))


class Caller(Struct, frozen=True):
    """The player behind a token, and what the token allows. `session`: it was made for a browser's cookie."""

    player: UUID
    token: UUID
    scopes: frozenset[Scope]
    expires_at: Micros
    session: bool = False


def new_secret() -> str:
    """A new token's text: 256 random bits behind a prefix that scanners for leaked secrets can find."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_secret(secret: str) -> bytes:
    """The stored hash of a token. The text has 256 random bits, so a plain SHA-256 cannot be inverted by search."""
    return sha256(secret.encode()).digest()


class Access:
    """Knows callers by their tokens."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.wake: Callable[[UUID], None] = lambda player: None
        """Called with a player whose tokens may have been revoked, so that open streams check at once."""
        self._seen: LRUCache[bytes, Caller] = LRUCache(_REMEMBERED)
        self._revocations = 0

    async def caller(self, authorization: str) -> Caller:
        """The caller of an `Authorization: Bearer` header; raises Refused."""
        scheme, blank, secret = authorization.partition(" ")
        if scheme.lower() != "bearer" or not blank:
            raise Refused("unauthenticated", "The header must be `Authorization: Bearer <token>`.")
        caller = await self._find(hash_secret(secret))
        if caller is None or caller.expires_at <= now():
            raise Refused("unauthenticated", "The token is unknown, expired or revoked.")
        return caller

    def remembered(self, secret: bytes) -> bytes | None:
        """The bytes of the id of the player whose token this is, from the cache alone; None if not cached."""
        caller = self._seen.get(sha256(secret).digest())
        return None if caller is None else caller.player.bytes

    def forget_player(self, player: UUID) -> None:
        """Drop this player's tokens from the cache, because one was revoked or the player erased, here or elsewhere.
        A lookup that is under way is not cached."""
        self._revocations += 1
        for key in [key for key, caller in self._seen.items() if caller.player == player]:
            del self._seen[key]
        self.wake(player)

    def forget_all(self) -> None:
        """Empty the cache, when revocations by other processes may have been missed."""
        self._revocations += 1
        self._seen.clear()

    async def _find(self, key: bytes) -> Caller | None:
        if (caller := self._seen.get(key)) is not None:
            LOOKUPS["token", "hit"] += 1
            return caller
        LOOKUPS["token", "miss"] += 1
        before = self._revocations
        columns = "player, token, scopes, expires_at, parent IS NOT NULL AND NOT minted"
        rows = await self._store.query(f"SELECT {columns} FROM tokens WHERE hash = %s", (key,))
        if not rows:
            return None
        caller = Caller(rows[0][0], rows[0][1], frozenset(rows[0][2]), rows[0][3], rows[0][4])
        if before == self._revocations:
            self._seen[key] = caller
        return caller
