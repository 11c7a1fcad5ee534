"""The day's deals: one same-deal contest for each game type and UTC day, announced ahead, closed when it is due."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import structlog

from domain.contest.aggregate import Announcement
from domain.games import GAME_TYPES, AnyGameType
from domain.league.rules import DAYS, DAYS_IMPS, DAYS_POINTS, DayRules
from service import idempotency
from service.certificates import Certified
from service.contests import Contests
from service.event_store.errors import DuplicateCompanion, StoreUnavailable
from service.event_store.store import EventStore
from service.problems import Refused

Certify = Callable[[AnyGameType], Awaitable[Certified]]
_AHEAD = 1
"""Days before its own that a deal is committed to."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LOG = structlog.get_logger(__name__)


def played_daily() -> list[AnyGameType]:
    """The game types that have a deal a day: those that one plays alone, and that are not luck alone."""
    return [kind for kind in GAME_TYPES.values() if 1 in kind.seats and not kind.pure_luck]


def rules_of(game_type: str) -> DayRules:
    """What a game type's days go by: IMPs where points are large, points alone where it is played for points."""
    if not GAME_TYPES[game_type].for_points:
        return DAYS
    return DAYS_IMPS if game_type == "bridge_solitaire" else DAYS_POINTS


class Days:
    """Keeps the days going; one task of the process that serves. Without `certify` none is announced, only closed."""

    def __init__(self, store: EventStore, contests: Contests, certify: Certify | None, seconds: float) -> None:
        self._store, self._contests, self._certify, self._seconds = store, contests, certify, seconds
        self._known: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, in a task of the running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="days")

    async def stop(self) -> None:
        """End after the contest in hand."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            with suppress(StoreUnavailable):
                await self.look()
            await asyncio.sleep(self._seconds)

    async def look(self) -> None:
        """Close what is due; announce what is not there yet of today and the days ahead."""
        for contest in await self._contests.due():
            with suppress(Refused):
                await self._contests.close(contest)
                _LOG.info("contest closed", contest=str(contest))
        if self._certify is not None:
            await self._look_ahead(self._certify)

    async def _look_ahead(self, certify: Certify) -> None:
        today = datetime.now(UTC).date()
        for ahead in range(_AHEAD + 1):
            for kind in played_daily():
                await self._announce(kind, (today + timedelta(days=ahead)).isoformat(), certify)

    async def _announce(self, kind: AnyGameType, day: str, certify: Certify) -> None:
        key = idempotency.Key(idempotency.NOWHERE, "day", idempotency.NOWHERE, f"{day} {kind.key}", b"")
        if key.text in self._known:
            return
        if await idempotency.find(self._store, key) is None:
            await self._announced(kind, day, key, await certify(kind))
        self._known.add(key.text)

    async def _announced(self, kind: AnyGameType, day: str, key: idempotency.Key, found: Certified) -> None:
        opens = int((datetime.fromisoformat(day).replace(tzinfo=UTC) - _EPOCH).total_seconds()) * 1_000_000
        wanted = Announcement(
            game_type=kind.key, options=found.options, rules=rules_of(kind.key), opens=opens,
            closes=opens + 86_400_000_000, seed=found.seed, day=day, certificate=found.certificate,
            positions=found.positions,
        )  # fmt: skip
        with suppress(DuplicateCompanion):
            contest = await self._contests.announce(wanted, None, kept=key)
            _LOG.info("day announced", day=day, game_type=kind.key, contest=str(contest.id))
