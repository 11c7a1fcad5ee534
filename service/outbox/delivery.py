"""Sending what is due: a thread beside the worker, in as many processes as there are.

A delivery is leased by a time before it is sent. A process that dies leaves it to be sent again, with the same id.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import structlog
from psycopg import AsyncConnection, Error

from domain.record import DAY, SECOND, Micros
from service.event_store.connections import conninfo_with_defaults, left_once_replaced
from service.event_store.ids import now
from service.event_store.listener import Listener
from service.keys.sealing import SealError, Seals
from service.outbox import account_events
from service.outbox.account_events import EVENT, KEPT_DAYS
from service.outbox.owned_events import CHANNEL
from service.outbox.sending import GONE, LEASE, Answered, Sender
from service.outbox.verification import Verification
from service.outbox.webhooks import Signing, signing_keys
from service.settings import Settings
from service.telemetry.background import start_thread
from service.telemetry.metrics import WEBHOOK_ATTEMPTS

PATIENCE: Micros = 2 * DAY
"""Microseconds for which a delivery, and a webhook that takes nothing, is tried."""
_LONGEST: Micros = 6 * 3600 * SECOND
_CONNECTIONS, _OF_HOST, _OF_PLAYER, _OF_WEBHOOK = 500, 8, 4, 3
"""Deliveries that a process has under way: in all, to one host and port, of one account, of one webhook."""
_POLL = 1.0  # seconds between looks for what is due
_SLICE = 0.2  # seconds between looks at the stop flag
_PRUNING = 600.0  # seconds between deletions of old events

# A delivery under way takes a place of its webhook, account and host: however slow the answer, no more than the share
# waits for it. Where places are few, an account's first delivery goes before another's second, and the oldest first.
# What was asked for anew while it was under way (`begun_at` is another one then) stays due: no replay is lost.
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
JOIN (SELECT number, {EVENT} FROM account_events) e ON e.number = leased.event
"""
DUE = """
SELECT count(*) FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook
WHERE w.disabled IS NULL AND w.verified_at IS NOT NULL AND d.due <= %s
"""
"""How many deliveries should have been sent by this time and are not under way."""
_TAKEN = """
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
_NOT_TAKEN = """
UPDATE webhook_deliveries SET status = %s, due = %s, answered_at = %s, http_status = %s, answer = %s
WHERE id = %s AND begun_at = %s AND attempts = %s AND status = 'pending'
"""
_FAILING = """
UPDATE webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, %s),
    paused_until = %s + least(%s::bigint, %s::bigint << least(2 * failures, 40))
WHERE id = %s AND verified_at IS NOT NULL
RETURNING failing_since
"""
_DISABLE = "UPDATE webhooks SET disabled = %s WHERE id = %s AND disabled IS NULL RETURNING failures"
_PRUNE = """
DELETE FROM account_events WHERE number IN (SELECT number FROM account_events WHERE at < %s ORDER BY at LIMIT 500)
"""
_log = structlog.get_logger("webhooks")


class _Leased(NamedTuple):
    """A delivery that is ours until its lease ends."""

    id: UUID
    attempts: int
    begun_at: Micros
    player: UUID
    host: str
    url: str
    signing: Signing
    event: account_events.AccountEvent


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
        """Stop; what is under way is sent again by whoever comes next."""
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
        self._listener = Listener(conninfo, channel=CHANNEL)
        self._done = asyncio.Event()
        self._under_way: dict[Any, asyncio.Task[None]] = {}
        self._verification = Verification(self._rows, self._disable, self._wake, seals, sender, pause)
        self._lock = asyncio.Lock()
        self._pruned = 0.0

    async def run(self, stopping: threading.Event) -> None:
        """Send until stopped; raises psycopg's errors of a lost connection."""
        self._listener.open()
        try:
            while not stopping.is_set():
                changed, self._done = self._listener.changed, asyncio.Event()
                await self._verification.begin_due()
                while await self._begin_due():
                    pass
                await self._prune()
                await _wait_for_any(_POLL, changed, self._done, stopping)
                for under_way in (self._under_way, self._verification.under_way):
                    for leased in [leased for leased, task in under_way.items() if task.done()]:
                        under_way.pop(leased).result()
        finally:
            tasks = [*self._under_way.values(), *self._verification.under_way.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._listener.close()

    def _wake(self, _: Any) -> None:
        self._done.set()

    async def _begin_due(self) -> bool:
        """Lease what is due and has a place, and begin to send it; False where there is nothing.

        Once a host is full, its deliveries no longer stand before others of the same account: so it is called again.
        """
        if len(self._under_way) >= _CONNECTIONS:
            return False
        at, under_way = now(), [*self._under_way]
        players, hosts = [leased.player for leased in under_way], [leased.host for leased in under_way]
        values = {
            "ids": [leased.id for leased in under_way], "webhooks": [leased.signing.webhook for leased in under_way],
            "players": players, "full_players": [key for key, n in Counter(players).items() if n >= _OF_PLAYER],
            "hosts": hosts, "full_hosts": [key for key, n in Counter(hosts).items() if n >= _OF_HOST],
            "at": at, "until": at + LEASE, "most": _CONNECTIONS - len(under_way),
        }  # fmt: skip
        rows = await self._rows(_LEASE_DUE, values)
        for row in rows:
            leased = _Leased._make([*row[:6], Signing._make(row[6:10]), account_events.event_of(row[11:])])
            self._under_way[leased] = asyncio.create_task(self._deliver(leased))
            self._under_way[leased].add_done_callback(self._wake)
        return bool(rows)

    async def _deliver(self, leased: _Leased) -> None:
        answered = await self._send(leased)
        WEBHOOK_ATTEMPTS[(answered.outcome,)] += 1
        if answered.taken:
            at = now()
            await self._rows(_TAKEN, (at, answered.status, answered.text, leased.id, leased.begun_at))
            await self._rows(_RECOVERED, (leased.signing.webhook, at, at))
        else:
            await self._put_off(leased, answered)

    async def _send(self, leased: _Leased) -> Answered:
        try:
            keys = signing_keys(self._seals, leased.signing)
        except SealError as error:
            return Answered(None, str(error))
        body = msgspec.json.encode(leased.event)
        return await self._sender.send(leased.url, str(leased.event.id), body, keys)

    async def _put_off(self, leased: _Leased, answered: Answered) -> None:
        """Send it later, or give it up; disable a webhook that has taken nothing for too long."""
        at = now()
        given_up = at - leased.begun_at > PATIENCE or answered.status == GONE
        pause = min(_LONGEST, self._pause << min(2 * (leased.attempts - 1), 40))
        said = (at, answered.status, answered.text)
        status, due = ("failed", None) if given_up else ("pending", at + pause)
        await self._rows(_NOT_TAKEN, (status, due, *said, leased.id, leased.begun_at, leased.attempts))
        rows = await self._rows(_FAILING, (at, at, _LONGEST, self._pause, leased.signing.webhook))
        cause = (leased.id, leased.attempts)
        if answered.status == GONE:
            await self._disable(leased.player, leased.signing.webhook, "gone", "answered that it is gone", *cause)
        elif rows and at - rows[0][0] > PATIENCE:
            await self._disable(
                leased.player, leased.signing.webhook, "failing", "has taken nothing for two days", *cause
            )

    async def _disable(self, player: UUID, webhook: UUID, why: str, words: str, cause: UUID, version: int) -> None:
        """Disable the webhook and tell its owner, under the lock that orders all events."""
        async with self._lock, self._connection.transaction():
            await self._connection.execute("SELECT FROM log FOR UPDATE")
            cursor = await self._connection.execute(_DISABLE.encode(), (why, webhook))
            if not await cursor.fetchall():
                return
            sentence = f"A webhook of yours {words} and is disabled."
            notice = account_events.happening(player, "webhook_disabled", now(), sentence, of=cause, version=version)
            statement = account_events.statement(notice)
            await self._connection.execute(statement.sql.encode(), statement.params)
        _log.info("webhook disabled", webhook=str(webhook), why=why)

    async def _prune(self) -> None:
        """Delete events that are too old, a few at a time."""
        clock = asyncio.get_running_loop().time()
        if clock < self._pruned:
            return
        async with self._lock:
            cursor = await self._connection.execute(_PRUNE.encode(), (now() - KEPT_DAYS * DAY,))
        self._pruned = clock + (0 if cursor.rowcount else _PRUNING)

    async def _rows(self, sql: str, values: Sequence[Any] | dict[str, Any]) -> list[Any]:
        async with self._lock:
            cursor = await self._connection.execute(sql.encode(), values)
            return await cursor.fetchall() if cursor.description is not None else []


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
