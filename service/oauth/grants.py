"""Codes and tokens that players grant to apps, by browser or by device (RFC 8628)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from authlib.oauth2.rfc8628.endpoint import create_string_user_code
from msgspec import Struct
from psycopg.errors import NotNullViolation

from domain.player import AppScope, Scope
from domain.record import Micros
from service.accounts.access import Caller, hash_secret, new_secret
from service.accounts.players import Accounts, Token
from service.event_store.errors import DuplicateCompanion
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.oauth.apps import App, Apps
from service.problems import Refused

_SECOND = 1_000_000
LIFE = 600
"""Seconds for which a device waits."""
PAUSE = 5
"""Seconds between two questions of a device; each that comes too soon adds as many."""
_SLACK = 500_000  # microseconds that the way may take from a pause
_REMEMBERED = 3600 * _SECOND  # for so long a device learns that its code has expired
_MOST_TYPED = 10  # codes that a player may type in the life of one
_USER_CODE = re.compile(r"[BCDFGHJKLMNPQRSTVWXZ]{8}")
_BETWEEN = re.compile(r"[\s-]+")
_KEEP = """
INSERT INTO device_codes (hash, user_code, app, scopes, expires_at, pause) VALUES (%s, %s, %s, %s, %s, %s)
"""
_POLL = """
WITH found AS (SELECT * FROM device_codes WHERE hash = %s AND app = %s FOR UPDATE),
asked AS (SELECT hash, allowed IS NULL AND %s < polled_at + pause * 1000000::bigint - %s AS too_soon FROM found)
UPDATE device_codes AS kept SET polled_at = %s, pause = kept.pause + CASE WHEN too_soon THEN %s ELSE 0 END
FROM asked WHERE kept.hash = asked.hash
RETURNING kept.hash, app, scopes, expires_at, too_soon, allowed, player, made_of, ends
"""
_TYPED = """
SELECT app, scopes FROM device_codes WHERE user_code = %s AND expires_at > %s AND allowed IS NULL
"""
_COUNT = """
WITH gone AS (DELETE FROM device_guesses WHERE until <= %(now)s AND player <> %(player)s)
INSERT INTO device_guesses AS kept (player, typed, until) VALUES (%(player)s, 1, %(until)s)
ON CONFLICT (player) DO UPDATE SET typed = CASE WHEN kept.until <= %(now)s THEN 1 ELSE kept.typed + 1 END,
    until = CASE WHEN kept.until <= %(now)s THEN excluded.until ELSE kept.until END
RETURNING typed
"""
_UNCOUNT = "UPDATE device_guesses SET typed = typed - 1 WHERE player = %s RETURNING typed"
_ANSWER = """
UPDATE device_codes SET player = %s, allowed = %s, scopes = %s, made_of = %s, ends = %s
WHERE user_code = %s AND expires_at > %s AND allowed IS NULL RETURNING app
"""


class DeviceCode(Struct, frozen=True):
    """A device's pending request; `allowed` by `player`, None: not answered yet.

    Its tokens are made of the token `made_of`, and end at `ends`. Authlib calls the methods.
    """

    hash: bytes
    app: UUID
    scopes: tuple[AppScope, ...]
    expires_at: Micros
    too_soon: bool
    allowed: bool | None
    player: UUID
    made_of: UUID | None
    ends: Micros

    def get_client_id(self) -> str:
        """Its app's id."""
        return str(self.app)

    def get_scope(self) -> str:
        """Its scopes."""
        return " ".join(self.scopes)

    def get_user_code(self) -> str:
        """Nothing: the player's answer was read with the device's code."""
        return ""

    def is_expired(self) -> bool:
        """Whether it has waited too long, allowed or not."""
        return self.expires_at <= now()


class WaitingDevice(Struct, frozen=True):
    """A device as its player sees it: its app and the requested scopes."""

    app: UUID
    scopes: tuple[AppScope, ...]


def new_user_code() -> str:
    """`WDJB-MJHT`: eight of twenty letters, no vowels and nothing that looks like a digit."""
    return str(create_string_user_code())


def read_user_code(text: str) -> str:
    """The typed code as a device shows it; empty if it is no code."""
    letters = _BETWEEN.sub("", text).upper()
    return f"{letters[:4]}-{letters[4:]}" if _USER_CODE.fullmatch(letters) else ""


class Devices:
    """All devices that wait."""

    def __init__(self, store: EventStore, accounts: Accounts) -> None:
        self._store, self._accounts = store, accounts

    async def begin(self, app: App, device_code: str, user_code: str, scopes: tuple[AppScope, ...]) -> None:
        """Let a device wait; those that were forgotten long ago are deleted."""
        at = now()
        values = (hash_secret(device_code), _hash(user_code), app.id, list(scopes), at + LIFE * _SECOND, PAUSE)
        old = Companion("DELETE FROM device_codes WHERE expires_at <= %s", (at - _REMEMBERED,))
        await self._store.append([], [old, Companion(_KEEP, values)])

    async def poll(self, app: App, device_code: str) -> DeviceCode | None:
        """What this code of the app's device waits for; None: it is unknown, or was used."""
        at = now()
        rows = await self._store.query(_POLL, (hash_secret(device_code), app.id, at, _SLACK, at, PAUSE))
        for key, app_id, scopes, expires, too_soon, allowed, player, made_of, ends in rows:
            return DeviceCode(
                bytes(key), app_id, tuple(scopes), expires, too_soon, allowed, player or UUID(int=0), made_of, ends or 0
            )
        return None

    async def find(self, player: UUID, user_code: str) -> WaitingDevice:
        """The device that shows this code; raises Refused, also for a player who has typed too many wrong ones."""
        if not user_code:
            raise Refused("malformed", "A code has eight letters, such as WDJB-MJHT.")
        at = now()
        values = {"player": player, "now": at, "until": at + LIFE * _SECOND}
        ((typed,),) = await self._store.query(_COUNT, values)  # type: ignore[arg-type]
        if typed > _MOST_TYPED:
            raise Refused("too_many_requests", "Too many codes were wrong. Come back in ten minutes.")
        for app, scopes in await self._store.query(_TYPED, (_hash(user_code), at)):
            await self._store.query(_UNCOUNT, (player,))
            return WaitingDevice(app, tuple(scopes))
        raise Refused("no_such_thing", "No device shows this code, or its ten minutes are over.")

    async def answer(self, session: Caller, user_code: str, scopes: tuple[AppScope, ...], *, allow: bool) -> None:
        """Allow these scopes, or deny them, once; raises Refused."""
        made_of, ends = await self._accounts.source_of(session)
        values = (session.player, allow, list(scopes), made_of, ends, _hash(user_code), now())
        if not await self._store.query(_ANSWER, values):
            raise Refused("no_such_thing", "No device shows this code any more.")


def _hash(user_code: str) -> bytes:
    return sha256(user_code.encode()).digest()


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
    """A valid authorization code; its tokens are made of the token `made_of`, and end at `ends`."""

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
        """The code of this text; None if there is none. A used code revokes its tokens."""
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
        token = await self._find_refresh_token(text)
        if token is not None and token.used:
            await self.revoke(token.player, token.token)
        return None if token is None or token.used or token.expires_at <= now() else token

    async def live_refresh_token(self, text: str) -> AppToken | None:
        """The refresh token of this text, if it is valid; changes nothing."""
        token = await self._find_refresh_token(text)
        return None if token is None or token.used or token.expires_at <= now() else token

    async def _find_refresh_token(self, text: str) -> AppToken | None:
        key = hash_secret(text)
        for row in await self._store.query(_REFRESH, (key,)):
            return AppToken(key, row[0], row[1], row[2], tuple(row[3]), row[4], row[5])
        return None

    async def access_token(self, text: str) -> AppToken | None:
        """The access token of this text, if it was given to an app and is good."""
        key = hash_secret(text)
        for row in await self._store.query(_ACCESS, (key,)):
            token = AppToken(key, row[0], row[1], row[2], tuple(row[3]), row[4], created_at=row[5])
            return token if token.expires_at > now() else None
        return None

    async def exchange(self, app: App, code: Code | DeviceCode, days: int) -> Issued:
        """The tokens for a code, which is good no more; raises Replayed, Refused."""
        at = now()
        ends = min(at + days * 86_400 * _SECOND, code.ends)
        grant = Token(uuid7(), app.name, code.scopes, at, ends, parent=code.made_of, secret=new_secret())
        access, refresh = _make_access_token(app, grant.id, code.scopes, grant.expires_at), new_secret()
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
        access, refresh = _make_access_token(app, old.token, scopes, old.expires_at), new_secret()
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
        """Revoke this grant or access token; does nothing if it is revoked already."""
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


def _make_access_token(app: App, grant: UUID, scopes: tuple[Scope, ...], ends: Micros) -> Token:
    at = now()
    return Token(
        uuid7(), app.name, scopes, at, min(at + ACCESS_SECONDS * _SECOND, ends), parent=grant, secret=new_secret()
    )


@dataclass(frozen=True)
class OAuthParts:
    """Apps, and what players grant them."""

    apps: Apps
    grants: Grants
    devices: Devices
