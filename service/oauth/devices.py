"""Devices without a browser (RFC 8628): they show a code, their player types it at `/device`, they ask until told."""

import re
from hashlib import sha256
from uuid import UUID

from authlib.oauth2.rfc8628.endpoint import create_string_user_code
from msgspec import Struct

from domain.player import AppScope
from domain.record import Micros
from service.accounts.access import Caller, hash_secret
from service.accounts.players import Accounts
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.oauth.apps import App
from service.problems import Refused

_SECOND = 1_000_000
LIFE = 600
"""Seconds for which a device waits."""
PAUSE = 5
"""Seconds between two questions of a device; each that comes too soon adds as many."""
_SLACK = 500_000  # microseconds that the way may take from a pause
_REMEMBERED = 3600 * _SECOND  # for so long a device is told that its code has expired
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
    """What a device waits for; `allowed` by `player`, None: nobody has said anything yet.

    What it is given is made of the token `made_of`, and `ends` with it. The methods are what Authlib asks of it.
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
        """Nothing: what the player has said was read with the device's code."""
        return ""

    def is_expired(self) -> bool:
        """Whether it has waited too long, allowed or not."""
        return self.expires_at <= now()


class WaitingDevice(Struct, frozen=True):
    """What a player sees of a device: its app, and what it asks for."""

    app: UUID
    scopes: tuple[AppScope, ...]


def new_user_code() -> str:
    """`WDJB-MJHT`: eight of twenty letters, no vowels and nothing that looks like a digit."""
    return str(create_string_user_code())


def read_user_code(text: str) -> str:
    """The code as a device shows it, of what somebody has typed; empty if that is no code."""
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
        for key, found, scopes, expires, too_soon, allowed, player, made_of, ends in rows:
            return DeviceCode(
                bytes(key), found, tuple(scopes), expires, too_soon, allowed, player or UUID(int=0), made_of, ends or 0
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
        """Say yes to these scopes, or no, once; raises Refused."""
        made_of, ends = await self._accounts.source_of(session)
        values = (session.player, allow, list(scopes), made_of, ends, _hash(user_code), now())
        if not await self._store.query(_ANSWER, values):
            raise Refused("no_such_thing", "No device shows this code any more.")


def _hash(user_code: str) -> bytes:
    return sha256(user_code.encode()).digest()
