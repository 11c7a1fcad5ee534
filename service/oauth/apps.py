"""Apps: programs of third parties that act for players by their consent. OAuth 2.1 calls them clients."""

import hmac
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from msgspec import Struct

from domain.game_type import Illegal
from domain.record import Micros
from service.accounts.access import hash_secret, new_secret
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.problems import refused_member

DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
MOST = 100
"""Apps that one player may make known."""
_COLUMNS = "app, player, name, secret, redirect_uris, devices, created_at"
_ADD = f"""
INSERT INTO apps ({_COLUMNS}) SELECT %s::uuid, %s::uuid, %s::text, %s::bytea, %s::text[], %s::boolean, %s::bigint
WHERE (SELECT count(*) FROM apps WHERE player = %s) < {MOST}
"""
_LOOPBACK = re.compile(r"(http://(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(/.*)?")
_VISIBLE = re.compile(r"[A-Za-z0-9\-._~:/?\[\]@!$&'()*+,;=%]+")
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?|\[::1\](?::\d{1,5})?")
_OWN_SCHEME = re.compile(r"[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+")
_LOCAL = ("127.0.0.1", "[::1]", "localhost")


class App(Struct, frozen=True):
    """An app; `player` made it known, `secret` is the hash of its secret, None for a public app.

    `devices`: it signs in by a code that its player types elsewhere.

    Authlib calls the methods.
    """

    id: UUID
    player: UUID
    name: str
    secret: bytes | None
    redirect_uris: tuple[str, ...]
    devices: bool
    created_at: Micros

    def get_client_id(self) -> str:
        """Its id."""
        return str(self.id)

    def get_default_redirect_uri(self) -> str | None:
        """The address to go back to where none is named: its only one."""
        return self.redirect_uris[0] if len(self.redirect_uris) == 1 else None

    def get_allowed_scope(self, scope: str | None) -> str:
        """Every app may request every scope of apps."""
        return scope or ""

    def check_redirect_uri(self, uri: str) -> bool:
        """Whether this is one of its addresses, to the letter; on the loopback interface with any port (RFC 8252)."""
        loopback = _LOOPBACK.fullmatch(uri)
        registered = [match.groups() for match in map(_LOOPBACK.fullmatch, self.redirect_uris) if match is not None]
        return uri in self.redirect_uris or (loopback is not None and loopback.groups() in registered)

    def check_client_secret(self, secret: str) -> bool:
        """Whether this is its secret."""
        return self.secret is not None and hmac.compare_digest(self.secret, hash_secret(secret))

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        """A public app has no secret to prove itself with; every other must."""
        return (method == "none") == (self.secret is None)

    def check_response_type(self, response_type: str) -> bool:
        """Codes only."""
        return response_type == "code" and bool(self.redirect_uris)

    def check_grant_type(self, grant_type: str) -> bool:
        """Authorization codes for apps with addresses, device codes where the app uses them, and refresh tokens."""
        allowed = {"authorization_code": bool(self.redirect_uris), DEVICE_CODE: self.devices, "refresh_token": True}
        return allowed.get(grant_type, False)


TERMINAL = App(UUID("01890000-0000-7000-8000-7465726d696e"), UUID(int=0), "Kibitz in a terminal", None, (), True, 0)
"""The app that `kibitz login` is; every service knows it."""


def check_redirect_uris(uris: Sequence[str]) -> None:
    """Raises Refused unless every address is https, http on the own machine, or of a scheme like `org.example.app`."""
    for place, uri in enumerate(uris):
        if redirect_source(uri) is None:
            raise refused_member(
                f"redirect_uris/{place}",
                "An address begins with https://, with http:// on 127.0.0.1, [::1] or "
                "localhost, or with a scheme of your own that has a dot (org.example.app:/back); it has no fragment "
                "and no user.",
            )


def redirect_source(uri: str) -> str | None:
    """What a Content-Security-Policy calls the place of this address; None: no app may have the address."""
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        return None
    if not _VISIBLE.fullmatch(uri) or not uri.startswith(f"{parts.scheme}:"):
        return None
    if parts.scheme in ("https", "http"):
        if not _HOST.fullmatch(parts.netloc) or (port is not None and not 0 < port < 65536):
            return None
        local = parts.netloc.removesuffix(f":{port}") in _LOCAL
        return f"{parts.scheme}://{parts.netloc}" if local or parts.scheme == "https" else None
    return f"{parts.scheme}:" if _OWN_SCHEME.fullmatch(parts.scheme) else None


class Apps:
    """All apps of the service."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    async def register(
        self, player: UUID, name: str, redirect_uris: tuple[str, ...], confidential: bool, devices: bool
    ) -> tuple[App, str | None]:
        """A new app, and its secret if it can keep one; raises Refused, or Illegal where the player has too many."""
        check_redirect_uris(redirect_uris)
        if not redirect_uris and not devices:
            raise refused_member("redirect_uris", "An app has an address to come back to, or is for devices.")
        secret = new_secret() if confidential else None
        secret_hash = None if secret is None else hash_secret(secret)
        app = App(uuid7(), player, name, secret_hash, redirect_uris, devices, now())
        values: tuple[Any, ...] = (app.id, player, name, secret_hash, list(redirect_uris), devices, app.created_at)
        await self._store.append([], [Companion(_ADD, (*values, player))])
        if await self.find(str(app.id)) is None:
            raise Illegal("too_many_apps", f"A player makes {MOST} apps known at most.")
        return app, secret

    async def find(self, app: str) -> App | None:
        """The app of this id, as a request has it."""
        try:
            app_id = UUID(app)
        except ValueError:
            return None
        if str(app_id) != app:
            return None
        return TERMINAL if app_id == TERMINAL.id else next(iter(await self._select("app = %s", app_id)), None)

    async def of(self, player: UUID) -> list[App]:
        """The apps that this player has made known, oldest first."""
        return await self._select("player = %s", player)

    async def delete(self, app: App) -> None:
        """Delete the app and its codes; it gets no new tokens, and its tokens can still be revoked."""
        tables = ("apps", "authorization_codes", "device_codes")
        await self._store.append([], [Companion(f"DELETE FROM {table} WHERE app = %s", (app.id,)) for table in tables])

    async def _select(self, condition: str, value: UUID) -> list[App]:
        rows = await self._store.query(f"SELECT {_COLUMNS} FROM apps WHERE {condition} ORDER BY app", (value,))
        return [
            App(app, owner, name, secret and bytes(secret), tuple(uris), devices, created_at)
            for app, owner, name, secret, uris, devices, created_at in rows
        ]
