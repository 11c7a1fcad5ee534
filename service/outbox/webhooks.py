"""Webhooks: where an account's events are sent, which of them, with which secret; and their deliveries."""

import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.game_type import Illegal
from domain.record import Micros
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.keys.sealing import SealError, Seals
from service.outbox.events import CHANNEL, EventType
from service.problems import Refused, refused_parameter

MOST = 10
"""Webhooks of one account."""
OVERLAP: Micros = 86_400_000_000
"""Microseconds in which the old secret signs beside a new one."""
Disabled = Literal["by_owner", "failing", "gone", "unverified"]
Verification = Literal["pending", "verified", "failed"]
DeliveryStatus = Literal["pending", "taken", "failed"]

_COLUMNS = "id, url, types, created_at, both_until, failing_since, disabled, verified_at, verification_error"
_ALL = f"SELECT {_COLUMNS} FROM webhooks WHERE player = %s ORDER BY id"
_ONE = f"SELECT {_COLUMNS} FROM webhooks WHERE player = %s AND id = %s"
_ADD = f"""
INSERT INTO webhooks (id, player, url, types, secret, created_at)
SELECT %s::uuid, %s::uuid, %s::text, %s::text[], %s::bytea, %s::bigint
WHERE (SELECT count(*) FROM webhooks WHERE player = %s) < {MOST}
"""
_CHANGE = "UPDATE webhooks SET types = coalesce(%s::text[], types) WHERE id = %s AND player = %s"
_MOVE = """
UPDATE webhooks SET url = %s, verified_at = NULL, verification_error = NULL, failing_since = NULL, failures = 0,
    paused_until = 0, disabled = nullif(disabled, 'unverified') WHERE id = %s AND player = %s AND url <> %s
"""
_ENABLE = """
UPDATE webhooks SET disabled = NULL, failing_since = NULL, failures = 0, paused_until = 0
WHERE id = %s AND player = %s AND (disabled IS NOT NULL OR verified_at IS NULL)
"""
_SEND_AGAIN = "UPDATE webhook_deliveries SET due = %s, begun_at = %s WHERE webhook = %s AND status = 'pending'"
_DISABLE = "UPDATE webhooks SET disabled = 'by_owner' WHERE id = %s AND player = %s AND disabled IS NULL"
_ROTATE = "UPDATE webhooks SET old_secret = secret, secret = %s, both_until = %s WHERE id = %s AND player = %s"
_DELETE = "DELETE FROM webhooks WHERE id = %s AND player = %s"
_DELIVERIES = """
SELECT d.id, e.id, e.type, d.status, d.attempts, d.begun_at, d.due, d.answered_at, d.http_status, d.answer
FROM webhook_deliveries d JOIN account_events e ON e.number = d.event WHERE d.webhook = %s
"""
_PLACE = "SELECT event FROM webhook_deliveries WHERE webhook = %s AND id = %s"
_WAKE = f"SELECT pg_notify('{CHANNEL}', %s)"
_REPLAY = """
UPDATE webhook_deliveries SET status = 'pending', due = %s, begun_at = %s WHERE id = %s AND webhook = %s
"""


class Webhook(Struct, frozen=True):
    """A URL that gets events of these types. `disabled`: why it gets none; `secret`: only of a newly made one.

    Until `verified_at`, when the receiver answered a challenge, it gets no event; `verification_error`: why it has not.
    """

    id: UUID
    url: str
    types: tuple[EventType, ...]
    created_at: Micros
    both_until: Micros
    failing_since: Micros | None
    disabled: Disabled | None
    verified_at: Micros | None
    verification_error: str | None
    secret: str | None = None

    @property
    def verification(self) -> Verification:
        """Whether the receiver has answered its challenge, still may, or gets no more of them."""
        if self.verified_at is not None:
            return "verified"
        return "pending" if self.disabled in (None, "by_owner") else "failed"


class Delivery(Struct, frozen=True):
    """An event on its way to a webhook: its attempts, and the last answer."""

    id: UUID
    event: UUID
    type: EventType
    status: DeliveryStatus
    attempts: int
    begun_at: Micros
    due: Micros | None
    answered_at: Micros | None
    http_status: int | None
    answer: str | None


async def webhooks(store: EventStore, player: UUID) -> list[Webhook]:
    """The player's webhooks, oldest first."""
    return [_webhook(row) for row in await store.query(_ALL, (player,))]


async def webhook(store: EventStore, player: UUID, which: UUID) -> Webhook:
    """One webhook of the player; raises Refused."""
    rows = await store.query(_ONE, (player, which))
    if not rows:
        raise Refused("no_such_thing", "You have no such webhook.")
    return _webhook(rows[0])


def _webhook(row: Sequence[Any], secret: str | None = None) -> Webhook:
    webhook, url, types, created, both_until, failing, disabled, verified, error = row
    return Webhook(webhook, url, tuple(types), created, both_until, failing, disabled, verified, error, secret)


async def add(store: EventStore, seals: Seals, player: UUID, url: str, types: Sequence[EventType]) -> Webhook:
    """A new webhook with its secret; raises Illegal where the player has too many."""
    which, secret, at = uuid7(), _new_secret(), now()
    values = (which, player, url, list(types), seal_secret(seals, which, secret), at, player)
    await store.append([], [Companion(_ADD, values)])
    rows = await store.query(_ONE, (player, which))
    if not rows:
        raise Illegal("too_many_webhooks", f"An account has {MOST} webhooks at most.")
    return _webhook(rows[0], secret)


async def change(
    store: EventStore, player: UUID, which: UUID, url: str | None, types: Sequence[EventType] | None,
    enabled: bool | None,
) -> Webhook:  # fmt: skip
    """Change the arguments that are not None; raises Refused. Once enabled, its pending deliveries are sent again.

    At another URL it is unverified. Enabled while it is unverified, its receiver gets a challenge at once.
    """
    at, own = now(), (which, player)
    await webhook(store, player, which)
    statements = [Companion(_CHANGE, (None if types is None else list(types), *own)), Companion(_WAKE, (str(player),))]
    if url is not None:
        statements.append(Companion(_MOVE, (url, *own, url)))
    if enabled:
        statements += [Companion(_ENABLE, own), Companion(_SEND_AGAIN, (at, at, which))]
    elif enabled is not None:
        statements.append(Companion(_DISABLE, own))
    await store.append([], statements)
    return await webhook(store, player, which)


async def rotate(store: EventStore, seals: Seals, player: UUID, which: UUID) -> Webhook:
    """The webhook with a new secret; the old one signs, too, for a day. Raises Refused."""
    await webhook(store, player, which)
    secret = _new_secret()
    values = (seal_secret(seals, which, secret), now() + OVERLAP, which, player)
    await store.append([], [Companion(_ROTATE, values)])
    rows = await store.query(_ONE, (player, which))
    return _webhook(rows[0], secret) if rows else await webhook(store, player, which)


async def remove(store: EventStore, player: UUID, which: UUID) -> None:
    """Delete the webhook with its deliveries; raises Refused."""
    await webhook(store, player, which)
    await store.append([], [Companion(_DELETE, (which, player))])


async def deliveries(store: EventStore, which: UUID, most: int, before: UUID | None) -> list[Delivery]:
    """At most `most` deliveries of a webhook, of the newest events first, before this one; raises Refused."""
    more, values = "", list[Any]()
    if before is not None:
        place = await store.query(_PLACE, (which, before))
        if not place:
            raise refused_parameter("cursor", "No page has given it out.", "the `next` of a page")
        more, values = " AND d.event < %s", [place[0][0]]
    rows = await store.query(f"{_DELIVERIES}{more} ORDER BY d.event DESC LIMIT %s", (which, *values, most))
    return [Delivery(*row) for row in rows]


async def replay(store: EventStore, player: UUID, which: UUID, delivery: UUID) -> Delivery:
    """Send a delivery once more, with the id it has; raises Refused, or Illegal for a disabled webhook."""
    if (await webhook(store, player, which)).disabled is not None:
        raise Illegal("webhook_disabled", "The webhook is disabled: enable it first.")
    await _delivery(store, which, delivery)
    at = now()
    await store.append([], [Companion(_REPLAY, (at, at, delivery, which)), Companion(_WAKE, (str(player),))])
    return await _delivery(store, which, delivery)


async def _delivery(store: EventStore, which: UUID, delivery: UUID) -> Delivery:
    rows = await store.query(f"{_DELIVERIES} AND d.id = %s", (which, delivery))
    if not rows:
        raise Refused("no_such_thing", "The webhook has no such delivery.")
    return Delivery(*rows[0])


def _new_secret() -> str:
    return "whsec_" + b64encode(secrets.token_bytes(32)).decode()


def seal_secret(seals: Seals, which: UUID, secret: str) -> bytes:
    """The secret as it is stored: sealed for this webhook."""
    return seals.seal(_place(which), secret.encode())


class Signing(NamedTuple):
    """A webhook's sealed secrets; the older one signs, too, until `both_until`."""

    webhook: UUID
    secret: bytes
    old_secret: bytes | None
    both_until: Micros


def signing_keys(seals: Seals, signing: Signing) -> list[bytes]:
    """The keys that sign a message now; raises SealError."""
    old = signing.old_secret if now() < signing.both_until else None
    try:
        texts = [seals.unseal(_place(signing.webhook), text) for text in (signing.secret, old) if text is not None]
    except SealError:
        raise SealError("The secret cannot be read: rotate it.") from None
    return [b64decode(text.removeprefix(b"whsec_")) for text in texts]


def _place(which: UUID) -> bytes:
    return which.bytes + bytes(4) + b"webhook/secret"
