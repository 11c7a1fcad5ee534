"""Closing same-deal contests; an interrupted closing can be repeated from any point.

Attempts are ended, then the contest is closed, then every game's secrets are revealed, and only then is the contest
removed from the list of due ones.

A game whose sealing key is missing can be neither ended nor revealed. Where the key was given up, the contest is closed
without it and says so; the game is ended and revealed should the key ever come back. Where it was not, the contest
waits for it, or for its being given up; the other attempts are ended all the same. (Our ruling.)
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import UUID

from msgspec import Struct

from domain.contest import aggregate as ct
from domain.contest.aggregate import Contest
from domain.game_type import Illegal
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step
from domain.play.endings import end_with_contest, reveal_contest_game
from domain.record import Micros
from service.event_store.aggregates import Aggregates
from service.event_store.codec import standard_codec
from service.event_store.errors import StaleVersion
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.keys.sealing import SealingKeyMissing
from service.leagues.telling import contest_told

if TYPE_CHECKING:
    from service.live.room import Room

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
        self, store: EventStore, room: "Room", clock: Callable[[], Micros], contests: Aggregates[Contest]
    ) -> None:
        self._store, self._room, self._clock, self._contests = store, room, clock, contests

    async def due(self) -> list[UUID]:
        """Contests whose end and grace have passed."""
        return [row[0] for row in await self._store.query(_DUE, (self._clock(),))]

    async def postpone(self, contest_id: UUID, micros: Micros) -> None:
        """Make the contest due so many microseconds from now, so that it does not block others."""
        await self._store.append([], [Companion(_LATER, (self._clock() + micros, contest_id))])

    async def close(self, contest_id: UUID) -> Contest:
        """End the attempts that go on, close the contest, reveal its games; nothing before it is due.

        Raises SealingKeyMissing where a key is missing that nobody has given up.
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

        A contest without its deal is not cached, for nobody may be dealt from it.
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
        """End all attempts and close the contest; repeated if somebody entered meanwhile (the version is stale)."""
        while not contest.closed:
            lost = await self._unfinished_games(await self._end_each(contest.entries.values(), end_with_contest))
            for missing in lost.values():
                await self._require_given_up(missing)
            await self._record(contest, ct.close(contest, self._clock(), tuple(lost)))
            contest = await self._current_contest(contest.id)
        return contest

    async def _record(self, contest: Contest, events: Sequence[Struct]) -> None:
        with suppress(StaleVersion):
            told = contest_told(contest, events, self._clock())
            await self._contests.save(contest.id, contest.version, events, told)

    async def _unfinished_games(self, lost: Lost) -> Lost:
        """The unreadable games that were not over before; a game's end is recorded in the clear."""
        finished = {row[0] for row in await self._store.query(_FINISHED, (list(lost),))} if lost else set()
        return {game: missing for game, missing in lost.items() if game not in finished}

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
            await self._room.act(game, lambda one: ending(one, Act(None, None, self._clock())), of_service=True)
        except SealingKeyMissing as missing:
            return missing
        except Illegal:
            pass
        return None
