"""Same-deal contests: announced with a committed deal, entered once by each player, closed and then revealed.

What is closed is done so that it can be done again: attempts are ended, then the contest is closed, then every game's
secrets are revealed, and only then is the contest forgotten as due.
"""

import secrets
from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec

from domain.contest import aggregate as ct
from domain.contest.aggregate import Announcement, Contest
from domain.game import events as ev
from domain.game.endings import contest_over, contest_revealed
from domain.game.play import Act, Step
from domain.game.table import Opening, open_game
from domain.game_type import Illegal
from domain.games import REVISIONS
from service import idempotency
from service.aggregates import Aggregates
from service.event_store.errors import StaleVersion
from service.event_store.rows import Companion
from service.event_store.store import EventStore
from service.ids import now, uuid7
from service.problems import Refused

if TYPE_CHECKING:
    from service.room import Room

_DUE = "SELECT contest FROM contests_due WHERE due <= %s ORDER BY due LIMIT 100"
_TRIES = 50


class Contests:
    """Keeps same-deal contests."""

    def __init__(self, store: EventStore, room: "Room") -> None:
        self._store, self._room = store, room
        self._contests: Aggregates[Contest] = Aggregates(store, ct.STREAM_TYPE, ct.fold, ct.recorded)

    async def of(self, contest: UUID) -> Contest:
        """The contest; raises Refused where there is none."""
        return await self._contests.of(contest)

    async def announce(self, wanted: Announcement, actor: UUID | None, kept: idempotency.Key | None = None) -> Contest:
        """A new contest, under a key if there is to be but one; raises Illegal, DuplicateCompanion."""
        contest = uuid7()
        events = ct.announce(contest, wanted)
        due = wanted.closes + wanted.rules.grace_seconds * 1_000_000
        row = Companion("INSERT INTO contests_due (contest, due) VALUES (%s, %s)", (contest, due))
        return await self._contests.open(contest, events, actor, [row, *idempotency.keep_stream(kept, contest)])

    async def enter(self, contest_id: UUID, player: UUID) -> Step:
        """The player's one attempt: a game with the contest's deal; raises Illegal, Refused."""
        for _ in range(_TRIES):
            contest, game, at = await self.of(contest_id), uuid7(), now()
            entered = ct.enter(contest, player, game, at)
            step = open_game(game, _opening(contest, player), _secret(contest), Act(player, None, at))
            beside = [ct.recorded(contest_id, contest.version + 1, entered[0], player, at)]
            with suppress(StaleVersion):
                return await self._room.open(step, beside=beside)
        raise Refused("stale_version", "Others were faster, again and again.")

    async def due(self) -> list[UUID]:
        """Contests whose end and grace have passed."""
        return [row[0] for row in await self._store.query(_DUE, (now(),))]

    async def close(self, contest_id: UUID) -> None:
        """End the attempts that go on, close the contest, reveal its games."""
        contest, at = await self.of(contest_id), now()
        if contest.due() > at:
            return
        for game in contest.entries.values():
            with suppress(Illegal):
                await self._room.act(game, lambda one: contest_over(one, Act(None, None, now())))
        if not contest.closed:
            contest = await self._contests.act(contest_id, lambda one: ct.close(one, at), None)
        for game in contest.entries.values():
            with suppress(Illegal):
                await self._room.act(game, lambda one: contest_revealed(one, Act(None, None, now())))
        forgotten = Companion("DELETE FROM contests_due WHERE contest = %s", (contest_id,))
        await self._store.append([], [forgotten])


def _opening(contest: Contest, player: UUID) -> Opening:
    said = contest.announced
    kind = REVISIONS[said.game_type, said.revision]
    return Opening(
        type=kind, options=msgspec.convert(said.options, kind.options), players=(player,), contest=contest.id
    )


def _secret(contest: Contest) -> ev.Sealed:
    """The contest's deal; the key of the digests is each game's own."""
    return ev.Sealed(contest.seed, secrets.token_bytes(32))
