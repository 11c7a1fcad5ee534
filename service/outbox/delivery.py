"""Sending due deliveries and challenges: a thread beside the worker, in each process that has one.

A delivery is leased by a time before it is sent. If its process dies, it is sent again with the same id. A receiver
gets challenges alone until it has answered one: so it proves that it wants events.
"""

import asyncio
import secrets
import threading
from collections import Counter
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct
from psycopg import AsyncConnection, Error

from domain.record import DAY, SECOND, Micros
from service.event_store.connections import conninfo_with_defaults, left_once_replaced
from service.event_store.ids import now, uuid7
from service.event_store.listener import Listener
from service.keys.sealing import SealError, Seals
from service.outbox import events as outbox
from service.outbox.sending import GONE, LEASE, Attempt, Sender
from service.outbox.webhooks import Signing, signing_keys
from service.settings import Settings
from service.telemetry.background import start_thread
from service.telemetry.metrics import WEBHOOK_ATTEMPTS

PATIENCE: Micros = 2 * DAY
"""Microseconds after which a delivery, and a webhook that accepts none, is given up."""
TRIES = 5
"""Challenges before a webhook is disabled: by the usual pause over 49 minutes, for its owner to set up the secret."""
_LONGEST: Micros = 6 * 3600 * SECOND
_CONNECTIONS, _OF_HOST, _OF_PLAYER, _OF_WEBHOOK = 500, 8, 4, 3
"""Deliveries that a process has under way: in all, to one host and port, of one account, of one webhook."""
_CHALLENGES, _CHALLENGES_OF_HOST = 100, 2
"""Challenges that a process has under way: in all, to one host and port. An account has one."""
_POLL = 1.0  # seconds between searches for due deliveries
_SLICE = 0.2  # seconds between checks of the stop flag
_PRUNING = 600.0  # seconds between deletions of old events

# A delivery under way takes a place of its webhook, account and host: however slow the answer, no more than the share
# waits for it. Where places are few, an account's first delivery goes before another's second, and the oldest first.
# A delivery that was replayed while it was under way (it has another `begun_at` then) stays due: no replay is lost.
# A webhook that fails gets one delivery at a time. Rows that another process has just leased are no longer due.
_LEASE_DUE = f"""
WITH candidates AS (
    SELECT *, {_OF_WEBHOOK} AS share, 0::bigint AS due
    FROM unnest(%(ids)s::uuid[], %(webhooks)s::uuid[], %(players)s::uuid[], %(hosts)s::text[])
        AS under_way (id, webhook, player, host)
    UNION ALL
    SELECT pending.id, w.id, w.player, w.host, CASE WHEN w.failures > 0 THEN 1 ELSE {_OF_WEBHOOK} END, pending.due
    FROM webhooks w CROSS JOIN LATERAL (
        SELECT id, due FROM webhook_deliveries
        WHERE webhook = w.id AND due <= %(at)s AND id <> ALL(%(ids)s::uuid[]) ORDER BY due LIMIT {_OF_WEBHOOK}
    ) AS pending
    WHERE w.disabled IS NULL AND w.verified_at IS NOT NULL AND w.paused_until <= %(at)s
    AND w.player <> ALL(%(full_players)s::uuid[]) AND w.host <> ALL(%(full_hosts)s::text[])
), by_webhook AS (
    SELECT *, row_number() OVER (PARTITION BY webhook ORDER BY due) AS of_webhook FROM candidates
), by_player AS (
    SELECT *, row_number() OVER (PARTITION BY player ORDER BY due > 0, of_webhook, due) AS of_player
    FROM by_webhook WHERE of_webhook <= share
), by_host AS (
    SELECT *, row_number() OVER (PARTITION BY host ORDER BY due > 0, of_player, due) AS of_host
    FROM by_player WHERE of_player <= {_OF_PLAYER}
), chosen AS (
    SELECT id FROM by_host WHERE due > 0 AND of_host <= {_OF_HOST}
    ORDER BY greatest(of_player, of_host), due LIMIT %(most)s
), free AS (
    SELECT id AS free_id FROM webhook_deliveries
    WHERE id = ANY(ARRAY(SELECT id FROM chosen)) AND due <= %(at)s FOR UPDATE SKIP LOCKED
), leased AS (
    UPDATE webhook_deliveries SET due = %(until)s, attempts = attempts + 1 FROM free WHERE id = free_id
    RETURNING id, webhook, event, attempts, begun_at
)
SELECT leased.id, leased.attempts, leased.begun_at, w.player, w.host, w.url, w.id, w.secret, w.old_secret, w.both_until,
    e.*
FROM leased JOIN webhooks w ON w.id = leased.webhook
JOIN (SELECT number, {outbox.ACCOUNT_EVENT} FROM account_events) e ON e.number = leased.event
"""
DUE = """
SELECT count(*) FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook
WHERE w.disabled IS NULL AND w.verified_at IS NOT NULL AND d.due <= %s
"""
"""The number of deliveries that are due by this time and not under way."""
_DELIVERED = """
UPDATE webhook_deliveries SET status = 'taken', due = NULL, answered_at = %s, http_status = %s, answer = %s
WHERE id = %s AND begun_at = %s
"""
_RECOVERED = """
WITH recovered AS (
    UPDATE webhooks SET failures = 0, failing_since = NULL, paused_until = 0
    WHERE id = %s AND failures > 0 AND verified_at IS NOT NULL RETURNING id
)
UPDATE webhook_deliveries SET due = %s FROM recovered WHERE webhook = recovered.id AND status = 'pending' AND due > %s
AND answered_at IS NOT NULL
"""
_NOT_DELIVERED = """
UPDATE webhook_deliveries SET status = %s, due = %s, answered_at = %s, http_status = %s, answer = %s
WHERE id = %s AND begun_at = %s AND attempts = %s AND status = 'pending'
"""
_FAILING = """
UPDATE webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, %s),
    paused_until = %s + least(%s::bigint, %s::bigint << least(2 * failures, 40))
WHERE id = %s AND verified_at IS NOT NULL
RETURNING failing_since
"""
_LEASE_UNVERIFIED = f"""
WITH by_player AS (
    SELECT id, host, paused_until, row_number() OVER (PARTITION BY player ORDER BY paused_until, id) AS of_player
    FROM webhooks WHERE verified_at IS NULL AND disabled IS NULL AND paused_until <= %(at)s
    AND player <> ALL(%(players)s::uuid[]) AND host <> ALL(%(full_hosts)s::text[])
), by_host AS (
    SELECT *, row_number() OVER (PARTITION BY host ORDER BY paused_until, id) AS of_host
    FROM by_player WHERE of_player = 1
), chosen AS (
    SELECT id FROM by_host WHERE of_host <= {_CHALLENGES_OF_HOST} ORDER BY of_host, paused_until, id LIMIT %(most)s
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
# A webhook that was enabled again or changed meanwhile has another count of tries: this answer is not about it.
_NOT_VERIFIED = """
UPDATE webhooks SET verification_error = %s, paused_until = %s
WHERE id = %s AND url = %s AND failures = %s AND verified_at IS NULL RETURNING id
"""
_DISABLE = "UPDATE webhooks SET disabled = %s WHERE id = %s AND disabled IS NULL RETURNING failures"
_PRUNE = """
DELETE FROM account_events WHERE number IN (SELECT number FROM account_events WHERE at < %s ORDER BY at LIMIT 500)
"""
_log = structlog.get_logger("webhooks")


class _Delivery(NamedTuple):
    """A delivery that is ours until its lease ends."""

    id: UUID
    attempts: int
    begun_at: Micros
    player: UUID
    host: str
    url: str
    signing: Signing
    event: outbox.AccountEvent


class _Challenge(NamedTuple):
    """A webhook whose receiver gets a challenge now, for the `tries`th time."""

    player: UUID
    host: str
    url: str
    tries: int
    signing: Signing


class _Reply(Struct):
    challenge: str


class Deliveries:
    """Sends the events of one database to webhooks, in a thread with an event loop of its own."""

    def __init__(self, conninfo: str, seals: Seals, settings: Settings) -> None:
        self._conninfo, self._seals = conninfo, seals
        self._private, self._pause = settings.webhooks_to_private, round(settings.webhook_pause * SECOND)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Run in a thread of this process."""
        self._thread = start_thread(lambda: asyncio.run(self._run()), "webhooks")

    def stop(self) -> None:
        """Stop; the next process sends again what is under way."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    async def _run(self) -> None:
        """Send until stopped; reconnects after errors."""
        while not self._stopping.is_set():
            with suppress(Error, OSError):
                where = conninfo_with_defaults(self._conninfo, "webhooks")
                async with await AsyncConnection.connect(where, autocommit=True) as connection:
                    sender = Sender(private=self._private)
                    with left_once_replaced(connection, self._conninfo):
                        await _Sending(connection, self._conninfo, self._seals, sender, self._pause).run(self._stopping)
            await asyncio.sleep(0.2)


class _Sending:
    """Sending over one connection, which one statement at a time uses."""

    def __init__(
        self, connection: AsyncConnection[Any], conninfo: str, seals: Seals, sender: Sender, pause: Micros
    ) -> None:
        self._connection, self._seals, self._sender, self._pause = connection, seals, sender, pause
        self._listener = Listener(conninfo, channel=outbox.CHANNEL)
        self._done = asyncio.Event()
        self._deliveries: dict[_Delivery, asyncio.Task[None]] = {}
        self._challenges: dict[_Challenge, asyncio.Task[None]] = {}
        self._lock = asyncio.Lock()
        self._pruned = 0.0

    async def run(self, stopping: threading.Event) -> None:
        """Send until stopped; raises psycopg's errors of a lost connection."""
        self._listener.open()
        try:
            while not stopping.is_set():
                changed, self._done = self._listener.changed, asyncio.Event()
                await self._begin_challenges()
                while await self._begin_deliveries():
                    pass
                await self._prune()
                await _wait_for_any(_POLL, changed, self._done, stopping)
                _remove_done(self._deliveries)
                _remove_done(self._challenges)
        finally:
            tasks = [*self._deliveries.values(), *self._challenges.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._listener.close()

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._done.set())
        return task

    async def _begin_deliveries(self) -> bool:
        """Lease due deliveries that have a place, and begin to send them; False where there are none.

        Once a host is full, its deliveries no longer stand before others of the same account: so it is called again.
        """
        if len(self._deliveries) >= _CONNECTIONS:
            return False
        at, under_way = now(), [*self._deliveries]
        players, hosts = [delivery.player for delivery in under_way], [delivery.host for delivery in under_way]
        values = {
            "ids": [delivery.id for delivery in under_way],
            "webhooks": [delivery.signing.webhook for delivery in under_way],
            "players": players, "full_players": [key for key, n in Counter(players).items() if n >= _OF_PLAYER],
            "hosts": hosts, "full_hosts": [key for key, n in Counter(hosts).items() if n >= _OF_HOST],
            "at": at, "until": at + LEASE, "most": _CONNECTIONS - len(under_way),
        }  # fmt: skip
        rows = await self._rows(_LEASE_DUE, values)
        for row in rows:
            delivery = _Delivery._make([*row[:6], Signing._make(row[6:10]), outbox.read_account_event(row[11:])])
            self._deliveries[delivery] = self._begin(self._deliver(delivery))
        return bool(rows)

    async def _begin_challenges(self) -> None:
        """Lease unverified webhooks that are due for a challenge, and begin to send it."""
        if len(self._challenges) >= _CHALLENGES:
            return
        at, hosts = now(), Counter(challenge.host for challenge in self._challenges)
        values = {
            "at": at, "until": at + LEASE, "most": _CHALLENGES - len(self._challenges),
            "players": [challenge.player for challenge in self._challenges],
            "full_hosts": [host for host, n in hosts.items() if n >= _CHALLENGES_OF_HOST],
        }  # fmt: skip
        for row in await self._rows(_LEASE_UNVERIFIED, values):
            challenge = _Challenge._make([*row[:4], Signing._make(row[4:])])
            self._challenges[challenge] = self._begin(self._send_challenge(challenge))

    async def _send(self, url: str, event: UUID, body: Struct, signing: Signing) -> Attempt:
        try:
            keys = signing_keys(self._seals, signing)
        except SealError as error:
            return Attempt(None, str(error))
        return await self._sender.send(url, str(event), msgspec.json.encode(body), keys)

    async def _deliver(self, delivery: _Delivery) -> None:
        attempt = await self._send(delivery.url, delivery.event.id, delivery.event, delivery.signing)
        WEBHOOK_ATTEMPTS(attempt.outcome).inc()
        if attempt.delivered:
            at = now()
            await self._rows(_DELIVERED, (at, attempt.status, attempt.text, delivery.id, delivery.begun_at))
            await self._rows(_RECOVERED, (delivery.signing.webhook, at, at))
        else:
            await self._reschedule(delivery, attempt)

    async def _reschedule(self, delivery: _Delivery, attempt: Attempt) -> None:
        """Send it later, or give it up; disable a webhook that has accepted nothing for too long."""
        at, webhook = now(), delivery.signing.webhook
        given_up = at - delivery.begun_at > PATIENCE or attempt.status == GONE
        pause = min(_LONGEST, self._pause << min(2 * (delivery.attempts - 1), 40))
        status, due = ("failed", None) if given_up else ("pending", at + pause)
        which = (delivery.id, delivery.begun_at, delivery.attempts)
        await self._rows(_NOT_DELIVERED, (status, due, at, attempt.status, attempt.text, *which))
        rows = await self._rows(_FAILING, (at, at, _LONGEST, self._pause, webhook))
        cause = (delivery.id, delivery.attempts)
        if attempt.status == GONE:
            await self._disable(delivery.player, webhook, "gone", "answered that it is gone", *cause)
        elif rows and at - rows[0][0] > PATIENCE:
            await self._disable(delivery.player, webhook, "failing", "has taken nothing for two days", *cause)

    async def _send_challenge(self, challenge: _Challenge) -> None:
        player, _, url, tries, signing = challenge
        text, event, webhook = secrets.token_urlsafe(32), uuid7(), signing.webhook
        body = outbox.WebhookVerification(event, "webhook.verification", datetime.now(UTC), text)
        attempt = await self._send(url, event, body, signing)
        at = now()
        if attempt.delivered:
            with suppress(msgspec.DecodeError):
                if msgspec.json.decode(attempt.text, type=_Reply).challenge == text:
                    await self._rows(_VERIFIED, (at, webhook, url, at, at))
                    return
        cause = f"The receiver answered {attempt.status} without the challenge: " if attempt.status else ""
        due = at + (self._pause << 3 * (tries - 1))
        if not await self._rows(_NOT_VERIFIED, (cause + attempt.text, due, webhook, url, tries)):
            return
        if attempt.status == GONE:
            await self._disable(player, webhook, "gone", "answered that it is gone", event, tries)
        elif tries >= TRIES:
            await self._disable(player, webhook, "unverified", "did not answer its challenge", event, tries)

    async def _disable(self, player: UUID, webhook: UUID, why: str, words: str, cause: UUID, version: int) -> None:
        """Disable the webhook and store an event for its owner, under the lock that orders all events."""
        async with self._lock, self._connection.transaction():
            await self._connection.execute("SELECT FROM log FOR UPDATE")
            cursor = await self._connection.execute(_DISABLE.encode(), (why, webhook))
            if not await cursor.fetchall():
                return
            sentence = f"A webhook of yours {words} and is disabled."
            statement = outbox.account_statement(player, "webhook_disabled", now(), sentence, of=cause, version=version)
            await self._connection.execute(statement.sql.encode(), statement.params)
        _log.info("webhook disabled", webhook=str(webhook), why=why)

    async def _prune(self) -> None:
        clock = asyncio.get_running_loop().time()
        if clock < self._pruned:
            return
        async with self._lock:
            cursor = await self._connection.execute(_PRUNE.encode(), (now() - outbox.KEPT_DAYS * DAY,))
        self._pruned = clock + (0 if cursor.rowcount else _PRUNING)

    async def _rows(self, sql: str, values: Sequence[Any] | dict[str, Any]) -> list[Any]:
        async with self._lock:
            cursor = await self._connection.execute(sql.encode(), values)
            return await cursor.fetchall() if cursor.description is not None else []


def _remove_done(under_way: dict[Any, asyncio.Task[None]]) -> None:
    """Remove the tasks that are done; raises the error of one that failed."""
    for key in [key for key, task in under_way.items() if task.done()]:
        under_way.pop(key).result()


async def _wait_for_any(seconds: float, changed: asyncio.Event, done: asyncio.Event, stopping: threading.Event) -> None:
    """Wait for one of these, at most so many seconds; a stop is seen within a fifth of a second."""
    waits = [asyncio.create_task(event.wait()) for event in (changed, done)]
    try:
        for _ in range(round(seconds / _SLICE)):
            finished, _ = await asyncio.wait(waits, timeout=_SLICE, return_when=asyncio.FIRST_COMPLETED)
            if finished or stopping.is_set():
                return
    finally:
        for wait in waits:
            wait.cancel()
