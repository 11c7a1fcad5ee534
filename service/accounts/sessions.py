"""Browser sessions: a cookie with a token of its own, proof that a request is from our own pages; recovery codes.

A session's token carries at most `read` and `play`, lasts 30 days but no longer than the token it was made of, and is
revoked with it, or with the passkey that it was begun with. `SameSite=Strict` keeps the cookie at home; Fetch Metadata
(W3C) or `Origin` (RFC 6454) prove it again.
"""

import secrets
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import psycopg
from litestar import Request
from litestar.datastructures import Cookie

from domain.player import Scope
from service.accounts.access import COOKIE, Access, Caller
from service.accounts.players import Accounts, Token
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.problems import Refused

DAYS = 30
_SCOPES: tuple[Scope, ...] = ("read", "play")
_SAFE = ("GET", "HEAD", "OPTIONS")
_BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
_SYSTEMS = {
    "Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "Mac OS": "macOS", "Linux": "Linux",
}  # fmt: skip
"""Part of a User-Agent -> the browser's usual name; the first match counts, for browsers name their ancestors too."""

AnyRequest = Request[Any, Any, Any]


async def caller(request: AnyRequest) -> Caller | None:
    """The caller by the Authorization header, else by the cookie; None without either. Raises Refused."""
    access: Access = request.app.state.parts.accounts.access
    if (authorization := request.headers.get("authorization")) is not None:
        return await access.caller(authorization)
    if (secret := request.cookies.get(COOKIE)) is None:
        return None
    check_own_site(request)
    caller = await access.caller(f"Bearer {secret}")
    if not caller.session:  # other tokens may do more
        raise Refused("unauthenticated", "The session is over; sign in again.")
    return caller


def uses_cookie(request: AnyRequest) -> bool:
    """Whether the request authenticates by its cookie."""
    return "authorization" not in request.headers and COOKIE in request.cookies


def check_own_site(request: AnyRequest) -> None:
    """Raises Refused for a request that changes something unless one of our own pages has sent it."""
    if request.method not in _SAFE:
        check_own_origin(request)


def check_own_origin(request: AnyRequest) -> None:
    """Raises Refused for a request unless one of our own pages has sent it."""
    if (site := request.headers.get("sec-fetch-site")) is not None:
        same = site == "same-origin"
    else:
        origin = urlsplit(request.headers.get("origin", "")).netloc
        same = origin != "" and origin == request.headers.get("host")
    if not same:
        raise Refused("cross_site", "With a session only this service's own pages may ask for that.")


def label_of(request: AnyRequest) -> str:
    """The label of a session's token: browser and system, roughly, by its User-Agent."""
    agent = request.headers.get("user-agent", "")
    browser = next((called for part, called in _BROWSERS.items() if part in agent), "browser")
    system = next((called for part, called in _SYSTEMS.items() if part in agent), None)
    return browser if system is None else f"{browser} on {system}"


async def begin(accounts: Accounts, access: Access, secret: str, label: str) -> Token:
    """A session's own token, made of this one; raises Refused."""
    made_of = await access.caller(f"Bearer {secret}")
    scopes = tuple(scope for scope in _SCOPES if scope in made_of.scopes)
    if made_of.session or "read" not in scopes:
        raise Refused("scope_missing", "A browser's own token, or one that may not read, signs nobody in.")
    return await accounts.mint(made_of, label, scopes, DAYS, session=True)


async def end(accounts: Accounts, caller: Caller | None) -> None:
    """End the session by revoking its token; does nothing if the caller is not a session."""
    if caller is not None and caller.session:
        await accounts.revoke(caller.player, caller.token)


def cookie(request: AnyRequest, token: Token) -> Cookie:
    """The cookie of a session that has just begun."""
    seconds = (token.expires_at - token.created_at) // 1_000_000
    return _make_cookie(request, token.secret or "", seconds)


def no_cookie(request: AnyRequest) -> Cookie:
    """A cookie that deletes the session's cookie."""
    return _make_cookie(request, "", 0)


def _make_cookie(request: AnyRequest, value: str, seconds: int) -> Cookie:
    secure = request.scope["scheme"] == "https"  # uvicorn has it from the proxies in FORWARDED_ALLOW_IPS
    return Cookie(COOKIE, value=value, max_age=seconds, path="/", httponly=True, samesite="strict", secure=secure)


CODES = 10
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: five bits each, without letters that look like others."""
_SEEN_AS = str.maketrans("ilo", "110")
_LENGTH = 16
_DROP = "DELETE FROM recovery_codes WHERE player = %s"
_KEEP = """
INSERT INTO recovery_codes (hash, player)
SELECT unnest(%s::bytea[]), %s WHERE EXISTS (SELECT FROM persons WHERE player = %s)
"""
_USE = "UPDATE recovery_codes SET uses = uses + 1 WHERE hash = %s"
"""The second use breaks the table's check, and with it the transaction."""


class RecoveryCodes:
    """Keeps the hashes of all players' codes."""

    def __init__(self, store: EventStore, accounts: Accounts) -> None:
        self._store, self._accounts = store, accounts

    async def left(self, player: UUID) -> int:
        """How many unused codes the player has."""
        rows = await self._store.query("SELECT FROM recovery_codes WHERE player = %s AND uses = 0", (player,))
        return len(rows)

    async def renew(self, player: UUID) -> list[str]:
        """New codes, `8kq2-x0vd-9pnm-4rtz`; the old ones are good for nothing."""
        codes = ["".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for _ in range(CODES)]
        insert = Companion(_KEEP, ([_hash(code) for code in codes], player, player))
        await self._store.append([], [Companion(_DROP, (player,)), insert])
        return ["-".join(code[at : at + 4] for at in range(0, _LENGTH, 4)) for code in codes]

    async def sign_in(self, code: str, label: str) -> Token:
        """A session's token for the player of this code, which is used up; raises Refused."""
        key = _hash("".join(code.lower().split()).replace("-", "").translate(_SEEN_AS))
        rows = await self._store.query("SELECT player FROM recovery_codes WHERE hash = %s AND uses = 0", (key,))
        if not rows:
            raise Refused("unauthenticated", "The code is unknown or used up.")
        player: UUID = rows[0][0]
        try:
            return await self._accounts.begin_session(player, label, DAYS, player, [Companion(_USE, (key,))])
        except psycopg.errors.CheckViolation as used:
            raise Refused("unauthenticated", "The code is unknown or used up.") from used


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()
