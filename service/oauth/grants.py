"""What players have allowed apps: codes, grants, access tokens and refresh tokens.

A grant is a token of the player whose text nobody has; access tokens are made of it. So they stand in the player's list
of tokens and are revoked there, and their end takes all that is kept here with it.
"""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct
from psycopg.errors import NotNullViolation

from domain.player import Scope
from domain.record import Micros
from service.accounts.access import Caller, hash_secret, new_secret
from service.accounts.players import Accounts, Token
from service.event_store.errors import DuplicateCompanion
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.oauth.apps import App
from service.oauth.devices import DeviceCode
from service.problems import Refused

_SECOND = 1_000_000
CODE_SECONDS = 60
ACCESS_SECONDS = 8 * 3600
_CODE = """
SELECT app, player, redirect_uri, scopes, challenge, made_of, coalesce(ends, 4611686018427387904)
FROM authorization_codes WHERE hash = %s AND expires_at > %s
"""
_KEEP_CODE = """
INSERT INTO authorization_codes (hash, app, player, redirect_uri, scopes, challenge, expires_at, made_of, ends)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
# A code that is spent already makes the grant's code null, which is refused: also when that grant is revoked and gone.
_SPEND = """
WITH code AS (DELETE FROM authorization_codes WHERE hash = %s RETURNING hash),
    device AS (DELETE FROM device_codes WHERE hash = %s RETURNING hash)
INSERT INTO app_grants (token, app, player, code)
VALUES (%s, %s, %s, (SELECT hash FROM code UNION SELECT hash FROM device))
"""
_GRANTS = "SELECT token FROM app_grants JOIN tokens USING (token) WHERE tokens.player = %s"
_REFRESH = """
SELECT app, app_grants.player, app_grants.token, scopes, expires_at, EXISTS (
    SELECT FROM refresh_tokens AS next WHERE next.follows = refresh_tokens.hash
) FROM refresh_tokens JOIN app_grants USING (token) JOIN tokens USING (token) WHERE refresh_tokens.hash = %s
"""
_ACCESS = """
SELECT app, tokens.player, tokens.token, scopes, expires_at, created_at
FROM tokens JOIN app_grants ON app_grants.token = parent WHERE hash = %s
"""


class Code(Struct, frozen=True):
    """An authorization code that is good; what it gives is made of the token `made_of`, and `ends` with it."""

    hash: bytes
    app: UUID
    player: UUID
    redirect_uri: str
    scopes: tuple[Scope, ...]
    code_challenge: str
    made_of: UUID | None
    ends: Micros
    code_challenge_method: str = "S256"

    def get_redirect_uri(self) -> str:
        """Where it was sent to."""
        return self.redirect_uri

    def get_scope(self) -> str:
        """Its scopes."""
        return " ".join(self.scopes)


class AppToken(Struct, frozen=True):
    """A refresh token (`token` is its grant) or an access token of an app; `used`: another one has followed it."""

    hash: bytes
    app: UUID
    player: UUID
    token: UUID
    scopes: tuple[Scope, ...]
    expires_at: Micros
    used: bool = False
    created_at: Micros = 0

    def check_client(self, app: App) -> bool:
        """Whether it is this app's."""
        return self.app == app.id

    def get_scope(self) -> str:
        """Its scopes."""
        return " ".join(self.scopes)


class Issued(Struct, frozen=True):
    """Tokens that an app was given."""

    access: Token
    refresh: str


class Replayed(Exception):
    """A code or a refresh token was used twice: the grant is revoked."""


class Grants:
    """Keeps what players have allowed apps."""

    def __init__(self, store: EventStore, accounts: Accounts) -> None:
        self._store, self._accounts = store, accounts

    async def make_code(
        self, app: App, session: Caller, redirect_uri: str, scopes: tuple[Scope, ...], challenge: str
    ) -> str:
        """The text of a new code, good once and for a minute; codes that are past their time are deleted."""
        code, at, (made_of, ends) = new_secret(), now(), await self._accounts.source_of(session)
        values = (
            hash_secret(code), app.id, session.player, redirect_uri, list(scopes), challenge,
            at + CODE_SECONDS * _SECOND, made_of, ends,
        )  # fmt: skip
        old = Companion("DELETE FROM authorization_codes WHERE expires_at <= %s", (at,))
        await self._store.append([], [old, Companion(_KEEP_CODE, values)])
        return code

    async def code(self, text: str) -> Code | None:
        """The code of this text; None if there is none. One that was used revokes what it has given."""
        key = hash_secret(text)
        for app, player, uri, scopes, challenge, made_of, ends in await self._store.query(_CODE, (key, now())):
            return Code(key, app, player, uri, tuple(scopes), challenge, made_of, ends)
        await self.revoke_made_by(key)
        return None

    async def of(self, player: UUID) -> frozenset[UUID]:
        """The tokens of this player that are grants."""
        return frozenset(token for (token,) in await self._store.query(_GRANTS, (player,)))

    async def revoke_made_by(self, code: bytes) -> None:
        """Revoke what a code has given, by its hash."""
        for player, token in await self._store.query("SELECT player, token FROM app_grants WHERE code = %s", (code,)):
            await self.revoke(player, token)

    async def refresh_token(self, text: str) -> AppToken | None:
        """The refresh token of this text; None if there is none. One that was used revokes its grant."""
        found = await self._refresh_token(text)
        if found is not None and found.used:
            await self.revoke(found.player, found.token)
        return None if found is None or found.used or found.expires_at <= now() else found

    async def live_refresh_token(self, text: str) -> AppToken | None:
        """The refresh token of this text, if it is good; to ask changes nothing."""
        found = await self._refresh_token(text)
        return None if found is None or found.used or found.expires_at <= now() else found

    async def _refresh_token(self, text: str) -> AppToken | None:
        key = hash_secret(text)
        for row in await self._store.query(_REFRESH, (key,)):
            return AppToken(key, row[0], row[1], row[2], tuple(row[3]), row[4], row[5])
        return None

    async def access_token(self, text: str) -> AppToken | None:
        """The access token of this text, if it was given to an app and is good."""
        key = hash_secret(text)
        for row in await self._store.query(_ACCESS, (key,)):
            found = AppToken(key, row[0], row[1], row[2], tuple(row[3]), row[4], created_at=row[5])
            return found if found.expires_at > now() else None
        return None

    async def exchange(self, app: App, code: Code | DeviceCode, days: int) -> Issued:
        """The tokens for a code, which is good no more; raises Replayed, Refused."""
        at = now()
        ends = min(at + days * 86_400 * _SECOND, code.ends)
        grant = Token(uuid7(), app.name, code.scopes, at, ends, parent=code.made_of, secret=new_secret())
        access, refresh = _access_token(app, grant.id, code.scopes, grant.expires_at), new_secret()
        also = [
            Companion(_SPEND, (code.hash, code.hash, grant.id, app.id, code.player)),
            Companion("INSERT INTO refresh_tokens (hash, token) VALUES (%s, %s)", (hash_secret(refresh), grant.id)),
        ]
        try:
            await self._accounts.give_to_app(code.player, (grant, access), also)
        except NotNullViolation:
            await self.revoke_made_by(code.hash)
            raise Replayed from None
        return Issued(access, refresh)

    async def renew(self, app: App, old: AppToken, scopes: tuple[Scope, ...]) -> Issued:
        """New tokens for a refresh token; the old ones are good no more. Raises Replayed, Refused."""
        access, refresh = _access_token(app, old.token, scopes, old.expires_at), new_secret()
        follow = Companion(
            "INSERT INTO refresh_tokens (hash, token, follows) VALUES (%s, %s, %s)",
            (hash_secret(refresh), old.token, old.hash),
        )
        try:
            await self._accounts.give_to_app(old.player, (access,), [follow], renewed=old.token)
        except DuplicateCompanion:
            await self.revoke(old.player, old.token)
            raise Replayed from None
        return Issued(access, refresh)

    async def revoke(self, player: UUID, token: UUID) -> None:
        """Revoke this grant or access token; does nothing if it is gone already."""
        try:
            await self._accounts.revoke(player, token)
        except Refused as gone:
            if gone.kind not in ("no_such_thing", "unauthenticated"):
                raise

    async def revoke_all(self, app: App) -> None:
        """Revoke everything that players have allowed this app."""
        rows: Sequence[tuple[UUID, UUID]]
        while rows := await self._store.query(
            "SELECT player, token FROM app_grants WHERE app = %s LIMIT 100", (app.id,)
        ):
            for player, token in rows:
                await self.revoke(player, token)


def _access_token(app: App, grant: UUID, scopes: tuple[Scope, ...], ends: Micros) -> Token:
    at = now()
    return Token(
        uuid7(), app.name, scopes, at, min(at + ACCESS_SECONDS * _SECOND, ends), parent=grant, secret=new_secret()
    )
