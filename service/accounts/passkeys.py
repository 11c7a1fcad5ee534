"""Passkeys (WebAuthn, level 3): registered for a player, good for signing in without a name, removable.

The credential is discoverable and its user is verified by the device, so that it alone signs a player in. A challenge
is valid once and for five minutes. The public key is sealed under the player's key, and is deleted with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from ipaddress import ip_address
from secrets import token_bytes
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urlsplit
from uuid import UUID

import structlog
import webauthn
from litestar import Request
from msgspec import Struct
from msgspec.structs import replace
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_client_data_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from domain.game_type import Illegal
from domain.record import Micros
from service.accounts import sessions
from service.accounts.names import LABEL, read_sealed, seal_text
from service.accounts.players import Accounts, Token
from service.event_store import keyed_writes
from service.event_store.errors import DuplicateCompanion
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.problems import Refused

_LOG = structlog.get_logger("passkeys")
_CREDENTIAL = b"passkey"
_LIFE = 300_000_000  # microseconds of a challenge
_MOST = 20  # passkeys of one player
_BROKEN = (WebAuthnException, ValueError, TypeError, KeyError, AttributeError, IndexError)
"""What the library raises for an answer that is malformed, forged, or of another place."""
_CHALLENGE = """
WITH gone AS (DELETE FROM challenges WHERE expires_at < %s)
INSERT INTO challenges (challenge, player, expires_at) VALUES (%s, %s, %s) RETURNING challenge
"""
_TAKE = """
DELETE FROM challenges WHERE challenge = %s AND player IS NOT DISTINCT FROM %s AND expires_at >= %s RETURNING challenge
"""
_LISTED = """
SELECT passkey, sealed_label, created_at, used_on, sealed, key
FROM passkeys JOIN player_keys USING (player) WHERE player = %s ORDER BY passkey
"""
_ADD = """
INSERT INTO passkeys (hash, passkey, player, sealed, sealed_label, sign_count, created_at)
SELECT %s, %s, %s, %s, %s, %s, %s WHERE EXISTS (SELECT FROM persons WHERE player = %s)
"""
_FIND = "SELECT passkey, player, sealed, sign_count, key FROM passkeys JOIN player_keys USING (player) WHERE hash = %s"
_USED = "UPDATE passkeys SET sign_count = greatest(sign_count, %s), used_on = %s WHERE passkey = %s"
_RELABEL = "UPDATE passkeys SET sealed_label = %s WHERE player = %s AND passkey = %s"
_REMOVE = "DELETE FROM passkeys WHERE player = %s AND passkey = %s"

Credential = Mapping[str, Any]
"""A `PublicKeyCredential` as its `toJSON` writes it."""


class Site(NamedTuple):
    """Where passkeys hold: the relying party's id, a host name, and the origin of its pages."""

    host: str
    origin: str


def site_of(request: Request[Any, Any, Any], public_address: str | None) -> Site:
    """The site by the setting, else by the address in the browser; raises Refused for one without a name."""
    origin = public_address or f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    host = urlsplit(origin).hostname or ""
    if not host or _is_number(host):
        port = urlsplit(origin).port
        raise Refused("malformed", f"Passkeys need an address with a name, such as http://localhost:{port or 80}.")
    return Site(host, origin)


def _is_number(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


class Passkey(Struct, frozen=True):
    """A passkey of a player; `used_on`: the last day (UTC) of signing in with it."""

    id: UUID
    label: str
    created_at: Micros
    used_on: date | None
    credential: bytes


class Passkeys:
    """Keeps the passkeys of all players."""

    def __init__(self, store: EventStore, accounts: Accounts) -> None:
        self._store, self._accounts = store, accounts

    async def listed(self, player: UUID) -> list[Passkey]:
        """The player's passkeys, oldest first."""
        passkeys = []
        for passkey, label, created, used, sealed, key in await self._store.query(_LISTED, (player,)):
            credential, _ = _unseal_credential(key, player, sealed)
            name = read_sealed(key, player, LABEL, label) or ""
            passkeys.append(Passkey(passkey, name, created, used, credential))
        return passkeys

    async def registration_options(self, site: Site, player: UUID, name: str) -> str:
        """The options of `navigator.credentials.create` as JSON; raises Illegal for one passkey too many."""
        passkeys = await self.listed(player)
        if len(passkeys) >= _MOST:
            raise Illegal("too_many_passkeys", f"You have {_MOST} passkeys; remove one first.")
        options = webauthn.generate_registration_options(
            rp_id=site.host,
            rp_name="Kibitz",
            user_id=player.bytes,
            user_name=name,
            challenge=await self._new_challenge(player),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=passkey.credential) for passkey in passkeys],
        )
        return webauthn.options_to_json(options)

    async def add(self, site: Site, player: UUID, label: str, credential: Credential) -> None:
        """Register the passkey that a browser has made; raises Refused."""
        challenge = await self._take_challenge(credential, player)
        try:
            made = webauthn.verify_registration_response(
                credential=dict(credential), expected_challenge=challenge, expected_rp_id=site.host,
                expected_origin=site.origin, require_user_verification=True,
            )  # fmt: skip
        except _BROKEN as error:
            _refuse(error)
        key = await self._accounts.key(player)
        text = f"{bytes_to_base64url(made.credential_id)} {bytes_to_base64url(made.credential_public_key)}"
        values = (
            sha256(made.credential_id).digest(), uuid7(), player, seal_text(key, player, _CREDENTIAL, text),
            seal_text(key, player, LABEL, label), made.sign_count, now(), player,
        )  # fmt: skip
        try:
            await self._store.append([], [Companion(_ADD, values)])
        except DuplicateCompanion as known:
            raise Refused("malformed", "This passkey is registered already.") from known

    async def sign_in_options(self, site: Site) -> str:
        """The options of `navigator.credentials.get` as JSON: any passkey of this site."""
        options = webauthn.generate_authentication_options(
            rp_id=site.host, challenge=await self._new_challenge(None),
            user_verification=UserVerificationRequirement.REQUIRED,
        )  # fmt: skip
        return webauthn.options_to_json(options)

    async def sign_in(self, site: Site, credential: Credential, label: str) -> Token:
        """A session's token for the player whose passkey has answered a challenge; raises Refused."""
        challenge = await self._take_challenge(credential, None)
        try:
            rows = await self._store.query(_FIND, (sha256(base64url_to_bytes(credential["rawId"])).digest(),))
            if not rows:
                raise Refused("unauthenticated", "This passkey is not known here, or was removed.")
            passkey, player, sealed, count, key = rows[0]
            used = webauthn.verify_authentication_response(
                credential=dict(credential), expected_challenge=challenge, expected_rp_id=site.host,
                expected_origin=site.origin, credential_public_key=_unseal_credential(key, player, sealed)[1],
                credential_current_sign_count=count, require_user_verification=True,
            )  # fmt: skip
        except _BROKEN as error:
            _refuse(error)
        note = Companion(_USED, (used.new_sign_count, datetime.now(UTC).date(), passkey))
        token = await self._accounts.begin_session(player, label, sessions.DAYS, passkey, [note])
        if all(other.id != passkey for other in await self.listed(player)):  # removed meanwhile
            await self._accounts.revoke(player, token.id)
            raise Refused("unauthenticated", "This passkey is not known here, or was removed.")
        return token

    async def relabel(self, player: UUID, passkey: UUID, label: str) -> Passkey:
        """Call the passkey so; raises Refused if the player has no such passkey."""
        existing = await self._find_own(player, passkey)
        sealed = seal_text(await self._accounts.key(player), player, LABEL, label)
        await self._store.append([], [Companion(_RELABEL, (sealed, player, passkey))])
        return replace(existing, label=label)

    async def remove(self, player: UUID, passkey: UUID, session: UUID) -> None:
        """Remove the passkey and end the sessions that it began, except this `session`; raises Refused."""
        await self._find_own(player, passkey)
        remove = Companion(_REMOVE, (player, passkey))
        await self._accounts.end_sessions(player, passkey, but=session, also=[remove])
        if any(other.id == passkey for other in await self.listed(player)):  # there was no session to end
            await self._store.append([], [remove, *keyed_writes.companions(player)])
            await self._accounts.end_sessions(player, passkey, but=session)  # one that began meanwhile

    async def _find_own(self, player: UUID, passkey: UUID) -> Passkey:
        for held in await self.listed(player):
            if held.id == passkey:
                return held
        raise Refused("no_such_thing", "You have no such passkey.")

    async def _new_challenge(self, player: UUID | None) -> bytes:
        challenge, at = token_bytes(32), now()
        await self._store.query(_CHALLENGE, (at, challenge, player, at + _LIFE))
        return challenge

    async def _take_challenge(self, credential: Credential, player: UUID | None) -> bytes:
        """The challenge that the browser has answered, valid once; raises Refused."""
        try:
            challenge = parse_client_data_json(base64url_to_bytes(credential["response"]["clientDataJSON"])).challenge
        except _BROKEN as error:
            _refuse(error)
        if not await self._store.query(_TAKE, (challenge, player, now())):
            raise Refused("unauthenticated", "This took too long, or was sent twice; try again.")
        return challenge


def _refuse(error: Exception) -> NoReturn:
    """Refuse a passkey's answer; the log has the library's kind of error, nothing of the credential."""
    _LOG.info("passkey refused", error=type(error).__name__)
    raise Refused("unauthenticated", "The passkey's answer does not hold here.") from error


def _unseal_credential(key: bytes, player: UUID, sealed: bytes) -> tuple[bytes, bytes]:
    """The credential's id and its public key; raises ValueError if the row was changed."""
    credential, _, public = (read_sealed(key, player, _CREDENTIAL, sealed) or "").partition(" ")
    return base64url_to_bytes(credential), base64url_to_bytes(public)


@dataclass(frozen=True)
class SignInParts:
    """How players prove who they are in a browser."""

    passkeys: Passkeys
    recovery: sessions.RecoveryCodes
