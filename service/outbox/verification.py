"""A receiver proves that it wants events: until it has answered a challenge, that is all it gets."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from domain.record import Micros
from service.event_store.ids import now, uuid7
from service.keys.sealing import SealError, Seals
from service.outbox.sending import GONE, LEASE, Answered, Sender
from service.outbox.webhooks import Signing, signing_keys

TRIES = 5
"""Challenges before a webhook is disabled: by the usual pause over 49 minutes, for its owner to set up the secret."""
_CONNECTIONS, _OF_HOST = 100, 2
"""Challenges that a process has under way: in all, to one host and port. An account has one."""

_LEASE_DUE = f"""
WITH by_player AS (
    SELECT id, host, paused_until, row_number() OVER (PARTITION BY player ORDER BY paused_until, id) AS of_player
    FROM webhooks WHERE verified_at IS NULL AND disabled IS NULL AND paused_until <= %(at)s
    AND player <> ALL(%(players)s::uuid[]) AND host <> ALL(%(full_hosts)s::text[])
), by_host AS (
    SELECT *, row_number() OVER (PARTITION BY host ORDER BY paused_until, id) AS of_host
    FROM by_player WHERE of_player = 1
), chosen AS (
    SELECT id FROM by_host WHERE of_host <= {_OF_HOST} ORDER BY of_host, paused_until, id LIMIT %(most)s
), free AS (
    SELECT id AS free_id FROM webhooks WHERE id = ANY(ARRAY(SELECT id FROM chosen))
    AND verified_at IS NULL AND disabled IS NULL AND paused_until <= %(at)s FOR UPDATE SKIP LOCKED
)
UPDATE webhooks SET paused_until = %(until)s, failures = failures + 1 FROM free WHERE id = free_id
RETURNING player, host, url, failures, id, secret, old_secret, both_until
"""
_VERIFIED = """
WITH verified AS (
    UPDATE webhooks SET verified_at = %s, verification_error = NULL, failures = 0, paused_until = 0
    WHERE id = %s AND url = %s AND verified_at IS NULL RETURNING id
)
UPDATE webhook_deliveries SET due = %s FROM verified WHERE webhook = verified.id AND due > %s
"""
# Enabled again or changed meanwhile it has another count of tries: this answer says nothing of it.
_NOT_VERIFIED = """
UPDATE webhooks SET verification_error = %s, paused_until = %s
WHERE id = %s AND url = %s AND failures = %s AND verified_at IS NULL RETURNING id
"""


class WebhookVerification(Struct, frozen=True):
    """A challenge for a new receiver: answered by 200 to 299 and JSON with the same `challenge`, it gets events."""

    id: UUID
    type: Literal["webhook.verification"]
    time: Annotated[datetime, Meta(tz=True)]
    challenge: Annotated[str, Meta(description='The answer is `{"challenge": ...}`, this very string in it.')]


class _Reply(Struct):
    challenge: str


class _Leased(NamedTuple):
    """A webhook whose receiver is asked now, for the `tries`th time."""

    player: UUID
    host: str
    url: str
    tries: int
    signing: Signing


Disable = Callable[[UUID, UUID, str, str, UUID, int], Awaitable[None]]
"""Disables a webhook of a player: why, in which words, and the cause of the event that says so."""


class Verification:
    """Sends challenges over the connection of `rows`, and lets the webhook get events once one is answered."""

    def __init__(
        self, rows: Callable[[str, Any], Awaitable[list[Any]]], disable: Disable, done: Callable[[Any], None],
        seals: Seals, sender: Sender, pause: Micros,
    ) -> None:  # fmt: skip
        self._rows, self._disable, self._done = rows, disable, done
        self._seals, self._sender, self._pause = seals, sender, pause
        self.under_way: dict[Any, asyncio.Task[None]] = {}

    async def begin_due(self) -> None:
        """Lease the webhooks whose receivers are to be asked now, and begin to ask them."""
        if len(self.under_way) >= _CONNECTIONS:
            return
        at, hosts = now(), Counter(leased.host for leased in self.under_way)
        values = {
            "at": at, "until": at + LEASE, "most": _CONNECTIONS - len(self.under_way),
            "players": [leased.player for leased in self.under_way],
            "full_hosts": [host for host, n in hosts.items() if n >= _OF_HOST],
        }  # fmt: skip
        for row in await self._rows(_LEASE_DUE, values):
            leased = _Leased._make([*row[:4], Signing._make(row[4:])])
            self.under_way[leased] = asyncio.create_task(self._ask(leased))
            self.under_way[leased].add_done_callback(self._done)

    async def _ask(self, leased: _Leased) -> None:
        challenge, event, which = secrets.token_urlsafe(32), uuid7(), leased.signing.webhook
        body = msgspec.json.encode(WebhookVerification(event, "webhook.verification", datetime.now(UTC), challenge))
        try:
            keys = signing_keys(self._seals, leased.signing)
            answered = await self._sender.send(leased.url, str(event), body, keys)
        except SealError as error:
            answered = Answered(None, str(error))
        at = now()
        if answered.taken and _challenge_of(answered.text) == challenge:
            await self._rows(_VERIFIED, (at, which, leased.url, at, at))
            return
        cause = f"The receiver answered {answered.status} without the challenge: " if answered.status else ""
        due = at + (self._pause << 3 * (leased.tries - 1))
        if not await self._rows(_NOT_VERIFIED, (cause + answered.text, due, which, leased.url, leased.tries)):
            return
        if answered.status == GONE:
            await self._disable(leased.player, which, "gone", "answered that it is gone", event, leased.tries)
        elif leased.tries >= TRIES:
            await self._disable(leased.player, which, "unverified", "did not answer its challenge", event, leased.tries)


def _challenge_of(text: str) -> str | None:
    try:
        return msgspec.json.decode(text, type=_Reply).challenge
    except msgspec.DecodeError:
        return None
