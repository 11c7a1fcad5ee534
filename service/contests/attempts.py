"""Same-deal contests: announced with a committed deal, entered once by each player, closed and revealed (`closing`)."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec

from domain.contest import aggregate as ct
from domain.contest.aggregate import Announcement, Contest
from domain.game_type import Illegal
from domain.games import REVISIONS
from domain.league import aggregate as lg
from domain.league.decide import add_contest
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act
from domain.play.table import Opening, open_game
from domain.record import Micros
from service.contests.closing import Closing
from service.event_store import ids
from service.event_store.aggregates import Aggregates
from service.event_store.codec import AnyRecord
from service.event_store.errors import StaleVersion
from service.event_store.store import EventStore, count_tries
from service.event_store.writing.rows import Companion
from service.live import idempotency

if TYPE_CHECKING:
    from service.live.room import Room

R = TypeVar("R")
_KEEP = "INSERT INTO contests_due (contest, due) VALUES (%s, %s)"
_MOST_TRIES = 50
_REMEMBERED = 200
"""Contests kept in the cache, so that an entry reads only the newer records."""


class Contests:
    """Keeps same-deal contests, which `closing` closes; `clock` returns the time in microseconds."""

    def __init__(self, store: EventStore, room: "Room", clock: Callable[[], Micros] = ids.now) -> None:
        self._store, self._room, self._clock = store, room, clock
        self._contests = Aggregates(store, ct.STREAM_TYPE, ct.fold, ct.contest_record, cached=_REMEMBERED, clock=clock)
        self.closing = Closing(store, room, clock, self._contests)
        self._entering: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def of(self, contest_id: UUID) -> Contest:
        """The contest as it stands; raises Refused where there is none."""
        return await self._contests.of(contest_id)

    async def announce(
        self, wanted: Announcement, actor: UUID | None = None, key: idempotency.Key | None = None,
        beside: Callable[[UUID], Sequence[AnyRecord]] = lambda contest: (),
    ) -> Contest:  # fmt: skip
        """A new contest, recorded together with the records of `beside`, under a key if it may be announced only once.

        Raises Illegal, DuplicateCompanion, and StaleVersion for the records of `beside`.
        """
        contest, at = ids.uuid7(), self._clock()
        if wanted.closes <= at:
            raise Illegal("contest_ends", "A contest ends after it is announced.")

        def due(made: Contest) -> Sequence[Companion]:
            return [Companion(_KEEP, (contest, made.due())), *idempotency.stream_companions(key, contest)]

        return await self._contests.open(contest, ct.announce(contest, wanted), actor, due, beside(contest))

    async def announce_in(self, leagues: Aggregates[lg.League], wanted: Announcement, by: UUID) -> Contest:
        """A new contest of a league, in the season that runs; raises Illegal, Refused, DuplicateCompanion."""

        async def announce_now() -> Contest:
            league = await leagues.of(wanted.league or UUID(int=0))

            def added_records(contest: UUID) -> Sequence[AnyRecord]:
                event = add_contest(league, contest, by)[0]
                return [lg.league_record(league.id, league.version + 1, event, by, self._clock())]

            return await self.announce(wanted, by, beside=added_records)

        return await _retry_while_stale(announce_now)

    async def enter(self, contest_id: UUID, player: UUID) -> tuple[Game, bool]:
        """The player's one attempt, a game with the contest's deal, and whether it was dealt just now.

        Raises Illegal, Refused.
        """

        async def enter_now() -> tuple[Game, bool]:
            contest, at = await self.of(contest_id), self._clock()
            if player in contest.entries and contest.accepts(at):
                return await self._room.game(contest.entries[player]), False
            return await self._deal_attempt(contest, player, at), True

        async with self._entering.setdefault(contest_id, asyncio.Lock()):
            return await _retry_while_stale(enter_now)

    async def _deal_attempt(self, contest: Contest, player: UUID, at: Micros) -> Game:
        """Entry and game are recorded together."""
        game = self._room.new_id()
        entered = ct.enter(contest, player, game, at)
        secret = ev.Sealed(contest.seed, secrets.token_bytes(32))  # the key of the digests is each game's own
        step = open_game(game, _opening(contest, player), secret, Act(player, None, at, self._room.signer))
        beside = [ct.contest_record(contest.id, contest.version + 1, entered[0], player, at)]
        return (await self._room.open(step, idempotency.request_companions(step), beside)).game


async def _retry_while_stale(change: Callable[[], Awaitable[R]]) -> R:
    """Repeat the change, which reads anew, while others are faster; raises Refused after 50 times."""
    for _ in count_tries(_MOST_TRIES):
        with suppress(StaleVersion):
            changed = await change()
            break
    return changed


def _opening(contest: Contest, player: UUID) -> Opening:
    said = contest.announced
    kind = REVISIONS[said.game_type, said.revision]
    options = msgspec.convert(said.options, kind.options, strict=False)
    return Opening(type=kind, options=options, players=(player,), contest=contest.id)
