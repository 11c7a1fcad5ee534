"""The day's deals: one same-deal contest for each game type and UTC day, announced ahead, closed when it is due."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import UUID

import structlog

from domain.capabilities import DailyOptions, ForPoints, PureLuck
from domain.contest.aggregate import Announcement
from domain.games import GAME_TYPES, AnyGameType
from domain.league.rules import DAYS, DAYS_BOARDS, DAYS_POINTS, DayRules
from domain.record import Micros
from service.contests.attempts import Contests
from service.contests.certificates import CertifiedDeal
from service.event_store import ids
from service.event_store.errors import DuplicateCompanion, StoreUnavailable
from service.event_store.store import EventStore
from service.keys.sealing import SealingKeyMissing
from service.live import idempotency
from service.telemetry.background import start_task

Certify = Callable[[AnyGameType], Awaitable[CertifiedDeal]]
_AHEAD = 1
"""How many days ahead a deal is announced."""
_PAUSE = 60.0
"""Seconds until the next attempt after an unexpected error."""
_LATER: Micros = 600_000_000
"""Microseconds until the next attempt to close a contest that could not be closed."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Micros = 86_400_000_000
_LOG = structlog.get_logger("days")


def daily_game_types() -> list[AnyGameType]:
    """The game types with a deal a day: those for one player that are not pure luck."""
    return [kind for kind in GAME_TYPES.values() if 1 in kind.seats and not kind.has(PureLuck)]


def rules_of(game_type: str) -> DayRules:
    """The rules of a game type's days: boards if the game has them, points if it is played for points."""
    kind = GAME_TYPES[game_type]
    if kind.has(DailyOptions):
        return DAYS_BOARDS
    return DAYS_POINTS if kind.has(ForPoints) else DAYS


class Days:
    """Keeps the days going in two tasks: one closes contests; one announces them, because finding a deal takes time.

    Players with fewer than `seasoned` finished games are not ranked.
    Without `certify` no day is announced, but contests are closed. `clock` in microseconds. Only the
    process that `leads` does it; if two do it at the same time, each contest is still announced and closed once.
    """

    def __init__(
        self, store: EventStore, contests: Contests, certify: Certify | None, seconds: float,
        clock: Callable[[], Micros] = ids.now, leads: Callable[[], bool] = lambda: True, seasoned: int = 0,
    ) -> None:  # fmt: skip
        self._store, self._contests, self._certify, self._seconds = store, contests, certify, seconds
        self._clock, self._leads, self._seasoned = clock, leads, seasoned
        self._known: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin, in tasks of the running loop."""
        rounds = [self.close_due] if self._certify is None else [self.close_due, self.look_ahead]
        self._tasks = [start_task(partial(self._run, once), f"days: {once.__name__}") for once in rounds]

    async def stop(self) -> None:
        """Cancel the tasks; unfinished work is continued after the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, once: Callable[[], Awaitable[None]]) -> None:
        while True:
            pause = self._seconds
            try:
                if self._leads():
                    await once()
            except StoreUnavailable:
                pass
            except Exception:  # noqa: BLE001  the loop goes on after any error
                _LOG.exception("a look at the days failed")
                pause = max(pause, _PAUSE)
            await asyncio.sleep(pause)

    async def close_due(self) -> None:
        """Close every contest whose end and grace have passed; one that fails does not hold up the others."""
        for contest in await self._contests.closing.due():
            try:
                await self._close(contest)
            except StoreUnavailable:
                raise
            except Exception:  # noqa: BLE001  the other contests are closed after any error
                _LOG.exception("a contest was not closed", contest=str(contest))
                await self._contests.closing.postpone(contest, _LATER)

    async def _close(self, contest: UUID) -> None:
        """Close a contest; if its sealing key is missing, postpone it until the key is back or given up."""
        try:
            closed = await self._contests.closing.close(contest)
        except SealingKeyMissing as missing:
            _LOG.warning("a contest waits for a sealing key", contest=str(contest), key=missing.key.hex())
            await self._contests.closing.postpone(contest, _LATER)
        else:
            _LOG.info("contest closed", contest=str(contest), unreadable=len(closed.unreadable))

    async def look_ahead(self) -> None:
        """Announce the missing deals of today and the days ahead, today first."""
        today = (_EPOCH + timedelta(microseconds=self._clock())).replace(hour=0, minute=0, second=0, microsecond=0)
        for ahead in range(_AHEAD + 1):
            for kind in daily_game_types():
                await self._announce(kind, today + timedelta(days=ahead))

    async def _announce(self, kind: AnyGameType, day: datetime) -> None:
        """Announce the day's deal once, whichever processes try: the day's key is stored in the same transaction."""
        name = f"{day.date().isoformat()} {kind.key}"
        key = idempotency.Key(idempotency.NOWHERE, "day", idempotency.NOWHERE, name, b"")
        if name not in self._known and self._certify is not None:
            if await idempotency.find(self._store, key) is None:
                await self._record_day(kind, day, key, await self._certify(kind))
            self._known.add(name)

    async def _record_day(self, kind: AnyGameType, day: datetime, key: idempotency.Key, deal: CertifiedDeal) -> None:
        opens = (day - _EPOCH) // timedelta(microseconds=1)
        announcement = Announcement(
            game_type=kind.key, options=deal.options, rules=rules_of(kind.key).asking(self._seasoned), opens=opens,
            closes=opens + _DAY, seed=deal.seed, day=day.date().isoformat(), certificate=deal.certificate,
            positions=deal.positions, line=deal.line,
        )  # fmt: skip
        with suppress(DuplicateCompanion):
            contest = await self._contests.announce(announcement, key=key)
            _LOG.info("day announced", day=announcement.day, game_type=kind.key, contest=str(contest.id))
