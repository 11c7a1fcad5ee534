"""Same-deal contests: announced with a committed deal, entered once by each player, closed and revealed."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from typing import TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from domain.contest import aggregate as ct
from domain.contest.aggregate import Announcement, Contest
from domain.game_type import Illegal
from domain.games import REVISIONS
from domain.league import aggregate as lg
from domain.league.decide import add_contest
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step
from domain.play.endings import end_with_contest, reveal_contest_game
from domain.play.table import Opening, open_game
from domain.record import Micros
from service.event_store import ids
from service.event_store.aggregates import Aggregates
from service.event_store.codec import AnyRecord, standard_codec
from service.event_store.errors import StaleVersion
from service.event_store.store import EventStore, count_tries
from service.event_store.writing.rows import Companion
from service.keys.sealing import SealingKeyMissing
from service.leagues.events import contest_statements
from service.live import idempotency
from service.live.room import Room

R = TypeVar("R")
_KEEP = "INSERT INTO contests_due (contest, due) VALUES (%s, %s)"
_MOST_TRIES = 50
_REMEMBERED = 200
"""Contests kept in the cache, so that an entry reads only the newer records."""


class Contests:
    """Keeps same-deal contests, which `closing` closes; `clock` returns the time in microseconds."""

    def __init__(self, store: EventStore, room: Room, clock: Callable[[], Micros] = ids.now) -> None:
        self._store, self._room, self._clock = store, room, clock
        self._contests = Aggregates(store, ct.STREAM_TYPE, ct.fold, ct.contest_record, cached=_REMEMBERED, clock=clock)
        self.closing = Closing(store, room, clock, self._contests)
        self._entering: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def of(self, contest_id: UUID) -> Contest:
        """The contest; raises Refused if there is none."""
        return await self._contests.of(contest_id)

    async def announce(
        self, announcement: Announcement, actor: UUID | None = None, key: idempotency.Key | None = None,
        added_records: Callable[[UUID], Sequence[AnyRecord]] = lambda contest: (),
    ) -> Contest:  # fmt: skip
        """A new contest, recorded together with `added_records`, under a key if it may be announced only once.

        Raises Illegal, DuplicateCompanion, and StaleVersion for the added records.
        """
        contest, at = ids.uuid7(), self._clock()
        if announcement.closes <= at:
            raise Illegal("contest_ends", "A contest ends after it is announced.")

        def due(made: Contest) -> Sequence[Companion]:
            return [Companion(_KEEP, (contest, made.due())), *idempotency.stream_companions(key, contest)]

        return await self._contests.open(
            contest, ct.announce(contest, announcement), actor, due, added_records(contest)
        )

    async def announce_in(self, leagues: Aggregates[lg.League], announcement: Announcement, by: UUID) -> Contest:
        """A new contest of a league, in the season that runs; raises Illegal, Refused, DuplicateCompanion."""

        async def announce_now() -> Contest:
            league = await leagues.of(announcement.league or UUID(int=0))

            def added_records(contest: UUID) -> Sequence[AnyRecord]:
                event = add_contest(league, contest, by)[0]
                return [lg.league_record(league.id, league.version + 1, event, by, self._clock())]

            return await self.announce(announcement, by, added_records=added_records)

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
        """Deal the game; it is recorded together with the entry."""
        game = self._room.new_id()
        entered = ct.enter(contest, player, game, at)
        secret = ev.Sealed(contest.seed, secrets.token_bytes(32))  # the key of the digests is each game's own
        kind = REVISIONS[contest.announced.game_type, contest.announced.revision]
        options = msgspec.convert(contest.announced.options, kind.options, strict=False)
        opening = Opening(type=kind, options=options, players=(player,), contest=contest.id)
        step = open_game(game, opening, secret, Act(player, None, at, self._room.signer))
        added_records = [ct.contest_record(contest.id, contest.version + 1, entered[0], player, at)]
        return (await self._room.open(step, idempotency.request_companions(step), added_records)).game


async def _retry_while_stale(change: Callable[[], Awaitable[R]]) -> R:
    """Repeat the change, which reads anew, while its version is stale; raises Refused after 50 times."""
    for _ in count_tries(_MOST_TRIES):
        with suppress(StaleVersion):
            changed = await change()
            break
    return changed


Lost = dict[UUID, SealingKeyMissing]
"""Games that could not be read, each with its error."""
_DUE = "SELECT contest FROM contests_due WHERE due <= %s ORDER BY due LIMIT 100"
_FORGET = "DELETE FROM contests_due WHERE contest = %s"
_LATER = "UPDATE contests_due SET due = %s WHERE contest = %s"
_GIVEN_UP = "SELECT FROM sealing_keys WHERE id = %s AND given_up"
_FINISHED = "SELECT stream FROM events WHERE stream = ANY(%s) AND topic = 'game/finished'"
_ANNOUNCED = "SELECT state FROM events WHERE stream = %s AND version = 1"
_SEALED = 2
"""The version of a contest's record that is sealed: its deal."""
_AT_ONCE = 50
"""Games of a contest that are ended or revealed together."""
_AGAIN: Micros = 3_600_000_000
"""Microseconds until the games that a contest was closed without are tried again."""


class Closing:
    """Closes the contests of one store."""

    def __init__(
        self, store: EventStore, room: Room, clock: Callable[[], Micros], contests: Aggregates[Contest]
    ) -> None:
        self._store, self._room, self._clock, self._contests = store, room, clock, contests

    async def due(self) -> list[UUID]:
        """Contests whose end and grace have passed."""
        return [row[0] for row in await self._store.query(_DUE, (self._clock(),))]

    async def postpone(self, contest_id: UUID, micros: Micros) -> None:
        """Make the contest due so many microseconds from now, so that it does not block others."""
        await self._store.append([], [Companion(_LATER, (self._clock() + micros, contest_id))])

    async def close(self, contest_id: UUID) -> Contest:
        """End the running attempts, close the contest, reveal its games; does nothing before it is due.

        Raises SealingKeyMissing if a key is missing that was not given up.
        """
        contest = await self._current_contest(contest_id)
        if contest.due() <= self._clock():
            contest = await self._close_contest(contest)
            if await self._reveal_all(contest):
                await self._store.append([], [Companion(_FORGET, (contest_id,))])
            else:
                await self.postpone(contest_id, _AGAIN)
        return contest

    async def _current_contest(self, contest_id: UUID) -> Contest:
        """The contest, without its deal if the deal's key was given up; raises SealingKeyMissing if the key is missing.

        A contest without its deal is not cached, for it cannot be dealt.
        """
        try:
            return await self._contests.of(contest_id)
        except SealingKeyMissing as missing:
            await self._require_given_up(missing)
        rows = await self._store.query(_ANNOUNCED, (contest_id,))
        announced = [standard_codec().decode(state) for (state,) in rows]
        return ct.fold([*announced, *await self._store.records(contest_id, _SEALED)])

    async def _require_given_up(self, missing: SealingKeyMissing) -> None:
        if not await self._store.query(_GIVEN_UP, (missing.key,)):
            raise missing

    async def _close_contest(self, contest: Contest) -> Contest:
        """End all attempts and close the contest; repeated if the version is stale: a player has entered."""
        while not contest.closed:
            lost = await self._end_each(contest.entries.values(), end_with_contest)
            for (game,) in await self._store.query(_FINISHED, (list(lost),)) if lost else ():
                lost.pop(game, None)  # its end is recorded in the clear
            for missing in lost.values():
                await self._require_given_up(missing)
            await self._record(contest, ct.close(contest, self._clock(), tuple(lost)))
            contest = await self._current_contest(contest.id)
        return contest

    async def _record(self, contest: Contest, events: Sequence[Struct]) -> None:
        with suppress(StaleVersion):
            companions = contest_statements(contest, events, self._clock())
            await self._contests.save(contest.id, contest.version, events, companions)

    async def _reveal_all(self, contest: Contest) -> bool:
        """Reveal the deal and every game, ending those not ended before; whether all could be revealed."""
        await self._end_each(contest.unreadable, end_with_contest)
        if late := ct.reveal(contest):
            await self._record(contest, late)
        lost = await self._end_each(contest.entries.values(), reveal_contest_game)
        return not lost and contest.seed != b""

    async def _end_each(self, games: Collection[UUID], ending: Callable[[Game, Act], Step]) -> Lost:
        """Apply `ending` to every game; returns those that could not be read."""
        waiting, lost = list(games), Lost()
        for first in range(0, len(waiting), _AT_ONCE):
            some = waiting[first : first + _AT_ONCE]
            ended = await asyncio.gather(*(self._end_game(game, ending) for game in some))
            lost.update({game: missing for game, missing in zip(some, ended, strict=True) if missing})
        return lost

    async def _end_game(self, game: UUID, ending: Callable[[Game, Act], Step]) -> SealingKeyMissing | None:
        """Apply `ending` to a game, or nothing if that was done before; the error if the game cannot be read."""
        try:
            await self._room.act(game, lambda state: ending(state, Act(None, None, self._clock())), of_service=True)
        except SealingKeyMissing as missing:
            return missing
        except Illegal:
            pass
        return None
