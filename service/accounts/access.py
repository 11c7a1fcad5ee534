"""Who calls: bearer tokens, checked against their hash, with a small memory of the ones seen lately."""

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


def revoking(player: UUID) -> Companion:
    """What tells every process, with the commit, that tokens of this player are good no longer."""
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


def hashed(secret: str) -> bytes:
    """What is kept of a token. Its text has 256 random bits: a plain SHA-256 cannot be searched."""
    return sha256(secret.encode()).digest()


class Access:
    """Knows callers by their tokens."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.wake: Callable[[UUID], None] = lambda player: None
        """Told of a player whose tokens may be good no longer: open streams look at once."""
        self._seen: LRUCache[bytes, Caller] = LRUCache(_REMEMBERED)
        self._revocations = 0

    async def caller(self, authorization: str) -> Caller:
        """The caller of an `Authorization: Bearer` header; raises Refused."""
        scheme, blank, secret = authorization.partition(" ")
        if scheme.lower() != "bearer" or not blank:
            raise Refused("unauthenticated", "The header must be `Authorization: Bearer <token>`.")
        caller = await self._find(hashed(secret))
        if caller is None or caller.expires_at <= now():
            raise Refused("unauthenticated", "The token is unknown, expired or revoked.")
        return caller

    def remembered(self, secret: bytes) -> bytes | None:
        """The player behind a token's text if it was good lately, as the bytes of their id; asks nobody."""
        caller = self._seen.get(sha256(secret).digest())
        return None if caller is None else caller.player.bytes

    def forget_player(self, player: UUID) -> None:
        """A token of this player was revoked, here or elsewhere, or they are erased: the next look goes to the store,
        and what is being read there is not remembered."""
        self._revocations += 1
        for key in [key for key, caller in self._seen.items() if caller.player == player]:
            del self._seen[key]
        self.wake(player)

    def forget_all(self) -> None:
        """Nobody can say which tokens another process has revoked."""
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
