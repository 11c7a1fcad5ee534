"""Callers by bearer token: tokens are looked up by their hash, with a cache of recent ones, and their days of use."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

from cachetools import LRUCache
from msgspec import Struct

from domain.player import expand_scopes
from domain.record import Micros
from service.accounts.names import NameCache
from service.event_store.errors import StoreUnavailable
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import URGENT, Companion
from service.problems import Refused
from service.telemetry.background import start_task
from service.telemetry.metrics import LOOKUPS

PREFIX = "kbz_"
COOKIE = "kibitz_session"
"""The cookie of a browser's session, whose value is a token."""
_COOKIE = COOKIE.encode()
_REMEMBERED = 10_000
_DAY = 86_400_000_000  # microseconds
_GATHERING = 1.0  # seconds in which tokens used for the first time on a day are gathered
_USED = "UPDATE tokens SET used_on = %s WHERE token = ANY(%s) AND used_on IS DISTINCT FROM %s"


def revocation_notice(player: UUID) -> Companion:
    """The statement that notifies every process, at the commit, that tokens of this player were revoked, or that the
    player was renamed or erased."""
    return Companion(f"SELECT pg_notify('{URGENT}', %s)", (str(player),))


class Caller(Struct, frozen=True):
    """The player behind a token, and what the token allows: its scopes and all that they hold.

    `session`: it was made for a browser's cookie.
    """

    player: UUID
    token: UUID
    scopes: frozenset[str]
    expires_at: Micros
    session: bool = False


def new_secret() -> str:
    """A new token's text: 256 random bits behind a prefix that scanners for leaked secrets can find."""
    return PREFIX + secrets.token_urlsafe(32)


def hash_secret(secret: str) -> bytes:
    """The stored hash of a token. The text has 256 random bits, so a plain SHA-256 cannot be inverted by search."""
    return sha256(secret.encode()).digest()


class Access:
    """Knows callers by their tokens, and recent names of players."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.names = NameCache(store)
        self.wake: Callable[[UUID], None] = lambda player: None
        """Called with a player whose tokens may have been revoked, so that open streams check at once."""
        self._seen: LRUCache[bytes, Caller] = LRUCache(_REMEMBERED)
        self._revocations = 0
        self._day, self._used, self._unwritten = 0, set[UUID](), set[UUID]()
        self._writing: asyncio.Task[None] | None = None

    async def caller(self, authorization: str, cached: Caller | None = None) -> Caller:
        """The caller of an `Authorization: Bearer` header, `cached` if that is known already; raises Refused."""
        scheme, blank, secret = authorization.partition(" ")
        if scheme.lower() != "bearer" or not blank:
            raise Refused("unauthenticated", "The header must be `Authorization: Bearer <token>`.")
        if (caller := cached) is None:
            caller = await self._find(hash_secret(secret))
        else:
            LOOKUPS("token", "hit").inc()
        if caller is None or caller.expires_at <= (moment := now()):
            raise Refused("unauthenticated", "The token is unknown, expired or revoked.")
        if caller.token not in self._used or moment // _DAY != self._day:
            self._note_use(caller.token, moment // _DAY)
        return caller

    def _note_use(self, token: UUID, day: int) -> None:
        """Have the day written as the last one of this token: each process writes it once a day for each token."""
        if day != self._day:
            self._day, self._used = day, set()
        self._used.add(token)
        self._unwritten.add(token)
        if self._writing is None or self._writing.done():
            self._writing = start_task(self._write_uses, "uses of tokens")

    async def _write_uses(self) -> None:
        while self._unwritten:
            await asyncio.sleep(_GATHERING)
            tokens, self._unwritten = sorted(self._unwritten), set()
            used_on = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=self._day)).date()
            with suppress(StoreUnavailable):  # then the next use in another process, or on another day, writes it
                await self._store.append([], [Companion(_USED, (used_on, tokens, used_on))])

    def cached_caller(self, headers: Mapping[bytes, bytes]) -> Caller | None:
        """The caller whose token is in these headers, from the cache alone; None: not cached."""
        if (authorization := headers.get(b"authorization")) is not None:
            secret = authorization.partition(b" ")[2]
        else:
            parts = (part.strip().partition(b"=") for part in headers.get(b"cookie", b"").split(b";"))
            secret = next((value for name, _, value in parts if name == _COOKIE), b"")
        caller: Caller | None = self._seen.get(sha256(secret).digest())
        return caller

    def forget_player(self, player: UUID) -> None:
        """Drop this player's tokens and name from the caches: a token was revoked, or the player renamed or erased,
        here or elsewhere. A lookup that is under way is not cached."""
        self.names.forget(player)
        self._revocations += 1
        for key in [key for key, caller in self._seen.items() if caller.player == player]:
            del self._seen[key]
        self.wake(player)

    def forget_all(self) -> None:
        """Empty the caches, when notices of other processes may have been missed."""
        self.names.forget_all()
        self._revocations += 1
        self._seen.clear()

    async def _find(self, key: bytes) -> Caller | None:
        if (caller := self._seen.get(key)) is not None:
            LOOKUPS("token", "hit").inc()
            return caller
        LOOKUPS("token", "miss").inc()
        before = self._revocations
        columns = "player, token, scopes, expires_at, parent IS NOT NULL AND NOT minted"
        rows = await self._store.query(f"SELECT {columns} FROM tokens WHERE hash = %s", (key,))
        if not rows:
            return None
        caller = Caller(rows[0][0], rows[0][1], expand_scopes(rows[0][2]), rows[0][3], rows[0][4])
        if before == self._revocations:
            self._seen[key] = caller
        return caller
