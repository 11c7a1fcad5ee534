"""Same-deal contests: announced with a committed deal, entered once by each player, closed (`closing`) and revealed."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING
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
from service.event_store.codec import AnyRecord
from service.event_store.errors import StaleVersion
from service.event_store.library.aggregates import Aggregates
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.live import idempotency
from service.problems import Refused

if TYPE_CHECKING:
    from service.live.room import Room

_KEEP = "INSERT INTO contests_due (contest, due) VALUES (%s, %s)"
_TRIES = 50
_REMEMBERED = 200
"""Contests kept in the cache, so that an entry reads only the newer records."""


class Contests:
    """Keeps same-deal contests; `clock` returns the time in microseconds."""

    def __init__(self, store: EventStore, room: "Room", clock: Callable[[], Micros] = ids.now) -> None:
        self._store, self._room, self._clock = store, room, clock
        self._contests = Aggregates(store, ct.STREAM_TYPE, ct.fold, ct.contest_record, cached=_REMEMBERED, clock=clock)
        self._closing = Closing(store, room, clock, self._contests)
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

    async def announce_in(
        self, leagues: Aggregates[lg.League], wanted: Announcement, by: UUID, key: idempotency.Key | None
    ) -> Contest:
        """A new contest of a league, in the season that runs; raises Illegal, Refused, DuplicateCompanion."""
        for _ in range(_TRIES):
            league = await leagues.of(wanted.league or UUID(int=0))

            def added_records(contest: UUID, league: lg.League = league) -> Sequence[AnyRecord]:
                event = add_contest(league, contest, by)[0]
                return [lg.league_record(league.id, league.version + 1, event, by, self._clock())]

            with suppress(StaleVersion):
                return await self.announce(wanted, by, key, added_records)
        raise Refused("stale_version", "Others were faster, again and again.")

    async def enter(self, contest_id: UUID, player: UUID) -> tuple[Game, bool]:
        """The player's one attempt, a game with the contest's deal, and whether it was dealt just now.

        Raises Illegal, Refused.
        """
        async with self._entering.setdefault(contest_id, asyncio.Lock()):
            for _ in range(_TRIES):
                contest, at = await self.of(contest_id), self._clock()
                if player in contest.entries and contest.accepts(at):
                    return await self._room.game(contest.entries[player]), False
                with suppress(StaleVersion):
                    return await self._deal_attempt(contest, player, at), True
        raise Refused("stale_version", "Others were faster, again and again.")

    async def _deal_attempt(self, contest: Contest, player: UUID, at: Micros) -> Game:
        """Entry and game are recorded together."""
        game = self._room.new_id()
        entered = ct.enter(contest, player, game, at)
        step = open_game(game, _opening(contest, player), _secret(contest), Act(player, None, at, self._room.signer))
        beside = [ct.contest_record(contest.id, contest.version + 1, entered[0], player, at)]
        return (await self._room.open(step, beside=beside)).game

    async def due(self) -> list[UUID]:
        """Contests whose end and grace have passed."""
        return await self._closing.due()

    async def close(self, contest_id: UUID) -> Contest:
        """End the attempts that go on, close the contest, reveal its games; nothing before it is due.

        Raises SealingKeyMissing where a key is missing that nobody has given up.
        """
        return await self._closing.close(contest_id)

    async def postpone(self, contest_id: UUID, micros: Micros) -> None:
        """Make the contest due so many microseconds from now, so that it does not block others."""
        await self._closing.postpone(contest_id, micros)


def _opening(contest: Contest, player: UUID) -> Opening:
    said = contest.announced
    kind = REVISIONS[said.game_type, said.revision]
    options = msgspec.convert(said.options, kind.options, strict=False)
    return Opening(type=kind, options=options, players=(player,), contest=contest.id)


def _secret(contest: Contest) -> ev.Sealed:
    """The contest's deal; the key of the digests is each game's own."""
    return ev.Sealed(contest.seed, secrets.token_bytes(32))
