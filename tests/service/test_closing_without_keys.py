"""Contests and deadlines of which something is sealed under a key that is lost: the others go on all the same."""

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from domain.contest import events as ct
from domain.contest.aggregate import Announcement, Contest
from domain.games import GAME_TYPES
from domain.league.rules import DAYS
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, legal_commands, play
from domain.play.table import Opening, open_game
from service.contests.attempts import Contests
from service.contests.days import Days
from service.event_store import unsealing
from service.event_store.codec import Codec, standard_codec
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.keys.sealing import SealingKeyMissing, Seals, make_sealing_key, retire_sealing_key, sealing_keys
from service.keys.signing import Ring
from service.live.deadlines import Clock
from service.live.openings import fresh_secret
from service.live.room import Room
from service.live.signatures import Signatures
from tests.api.serving import KEYS

HOUR = 3_600_000_000
NOON = int(datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()) * 1_000_000
DUE = NOON + HOUR + DAYS.grace_seconds * 1_000_000


class House:
    """A process with the keys of this folder; `now` is what time it takes it to be."""

    def __init__(self, store: EventStore, at: int) -> None:
        self.now, self.store = at, store
        ring = Ring(KEYS)
        ring.open()
        self.room = Room(store, 1000, Signatures(ring))
        self.contests = Contests(store, self.room, lambda: self.now)
        self.days = Days(store, self.contests, None, 1.0, lambda: self.now)

    async def announced(self) -> Contest:
        options = GAME_TYPES["golf"].options()
        wanted = Announcement(
            game_type="golf", options=options, rules=DAYS, opens=NOON, closes=NOON + HOUR, seed=fresh_secret().seed
        )
        return await self.contests.announce(wanted)

    async def begun(self, contest: Contest, resigned: bool = False) -> UUID:
        """An attempt with a move in it; given up, if so."""
        player = uuid4()
        game = (await self.contests.enter(contest.id, player))[0].id
        for command in [None, *([ev.Resign()] if resigned else [])]:
            await self.room.act(
                game, lambda one, said=command: play(one, said or legal_commands(one, 0)[0], Act(player, 0, self.now))
            )
        return game


@asynccontextmanager
async def house(conninfo: str, keys: Path, at: int = NOON) -> AsyncIterator[House]:
    async with EventStore(conninfo, codec(keys)) as store:
        yield House(store, at)


def codec(keys: Path) -> Codec:
    return standard_codec().sealing(Seals(keys).read())


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """A folder with one key."""
    (tmp_path / "keys").mkdir()
    make_sealing_key(tmp_path / "keys")
    return tmp_path / "keys"


def rotated(keys: Path) -> Path:
    """The same folder with a new key that seals."""
    make_sealing_key(keys)
    return keys


def without(keys: Path, lost: int) -> Path:
    """A folder that lacks the so many-eth key."""
    other = keys.with_name(f"without-{lost}")
    shutil.copytree(keys, other)
    retire_sealing_key(other, sealing_keys(keys)[lost].id)
    return other


def given_up(conninfo: str, keys: Path, lost: int) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        unsealing.give_up(connection, sealing_keys(keys)[lost].id)


async def mixed(conninfo: str, keys: Path) -> tuple[Contest, list[UUID]]:
    """A contest and an attempt under the first key; under the second, an attempt that is over, and one that is not."""
    async with house(conninfo, keys) as one:
        contest = await one.announced()
        games = [await one.begun(contest)]
    async with house(conninfo, rotated(keys)) as one:
        return contest, [*games, await one.begun(contest, resigned=True), await one.begun(contest)]


def happened(conninfo: str, stream: UUID) -> Counter[str]:
    """The topics of the stream's events, as they stand in the log, readable or not."""
    with psycopg.connect(conninfo) as connection:
        rows = connection.execute("SELECT topic FROM events WHERE stream = %s", [stream]).fetchall()
    return Counter(str(topic) for (topic,) in rows)


def ends(conninfo: str, games: Sequence[UUID]) -> list[tuple[int, int]]:
    """Of each game how often it was finished, and how often revealed."""
    found = [happened(conninfo, game) for game in games]
    return [(one["game/finished"], one["game/revealed"]) for one in found]


def due(conninfo: str) -> list[int]:
    with psycopg.connect(conninfo) as connection:
        return [row[0] for row in connection.execute("SELECT due FROM contests_due ORDER BY due").fetchall()]


def closings(records: Sequence[Any]) -> list[tuple[UUID, ...]]:
    return [one.event.unreadable for one in records if isinstance(one.event, ct.Closed)]


def test_a_contest_closes_without_a_game_whose_key_was_given_up_and_says_so(database: str, keys: Path) -> None:
    async def run() -> tuple[list[UUID], list[Any]]:
        contest, games = await mixed(database, keys)
        given_up(database, keys, 1)
        async with house(database, without(keys, 1), DUE) as one:
            await one.days.close_due()
            assert happened(database, contest.id)["contest/revealed"] == 1
            return games, await one.store.records(contest.id)

    games, records = asyncio.run(run())
    assert closings(records) == [(games[2],)]
    assert ends(database, games) == [(1, 1), (1, 0), (0, 0)]


def test_should_the_key_come_back_the_game_is_ended_and_revealed_and_the_contest_says_the_same(
    database: str, keys: Path
) -> None:
    async def run() -> tuple[list[UUID], list[Any]]:
        contest, games = await mixed(database, keys)
        given_up(database, keys, 1)
        async with house(database, without(keys, 1), DUE) as one:
            await one.days.close_due()
        assert due(database) == [DUE + HOUR]
        async with house(database, keys, DUE + HOUR) as one:
            await one.days.close_due()
            return games, await one.store.records(contest.id)

    games, records = asyncio.run(run())
    assert closings(records) == [(games[2],)]
    assert ends(database, games) == [(1, 1)] * 3
    assert due(database) == []


def test_for_a_key_that_nobody_has_given_up_a_contest_waits_and_all_others_are_closed(
    database: str, keys: Path
) -> None:
    async def run() -> None:
        waiting, games = await mixed(database, keys)
        async with house(database, without(keys, 1)) as one:
            other = await one.announced()
            await one.begun(other)
            one.now = DUE
            with pytest.raises(SealingKeyMissing):
                await one.contests.closing.close(waiting.id)
            await one.days.close_due()
            assert (await one.contests.of(other.id)).closed
            assert not (await one.contests.of(waiting.id)).closed
            assert ends(database, games) == [(1, 0), (1, 0), (0, 0)]
            assert await one.contests.closing.due() == []
            given_up(database, keys, 1)
            one.now = DUE + HOUR
            await one.days.close_due()
            assert (await one.contests.of(waiting.id)).closed

    asyncio.run(run())


def test_a_hundred_contests_that_wait_for_a_key_hold_up_no_other(database: str, keys: Path) -> None:
    async def run() -> None:
        async with house(database, keys) as one:
            for _ in range(100):
                await one.announced()
        async with house(database, rotated(keys)) as one:
            last = await one.announced()
        async with house(database, without(keys, 0), DUE) as one:
            await one.days.close_due()
            await one.days.close_due()
            assert (await one.contests.of(last.id)).closed

    asyncio.run(run())


def test_a_contest_with_a_damaged_game_is_tried_later_and_holds_up_no_other(database: str, keys: Path) -> None:
    async def run() -> None:
        async with house(database, keys) as one:
            broken, sound = await one.announced(), await one.announced()
            games = [await one.begun(broken), await one.begun(sound)]
        damaged(database, games[0])
        async with house(database, keys, DUE) as one:
            await one.days.close_due()
            assert [(await one.contests.of(contest.id)).closed for contest in (broken, sound)] == [False, True]
            assert ends(database, games) == [(0, 0), (1, 1)]
            assert await one.contests.closing.due() == []
            one.now = DUE + HOUR
            assert await one.contests.closing.due() == [broken.id]

    asyncio.run(run())


def test_a_contest_whose_own_deal_is_lost_closes_and_reveals_its_games_but_no_seed(database: str, keys: Path) -> None:
    async def run() -> tuple[list[UUID], list[Any]]:
        contest, games = await mixed(database, keys)
        given_up(database, keys, 0)
        async with house(database, without(keys, 0), DUE) as one:
            await one.days.close_due()
        assert ends(database, games) == [(0, 0), (1, 1), (1, 1)]
        assert happened(database, contest.id)["contest/revealed"] == 0
        async with house(database, keys, DUE + HOUR) as one:
            await one.days.close_due()
            return games, await one.store.records(contest.id)

    games, records = asyncio.run(run())
    assert closings(records) == [(games[0],)]
    assert [type(one.event) for one in records][-2:] == [ct.Closed, ct.Revealed]
    assert records[-1].event.seed == records[1].event.seed
    assert ends(database, games) == [(1, 1)] * 3
    assert due(database) == []


# Deadlines


async def overdue(one: House) -> Game:
    """A game in which the time to move has passed."""
    player, kind = uuid4(), GAME_TYPES["golf"]
    opening = Opening(type=kind, options=kind.options(), players=(player,), move_seconds=5)
    step = open_game(one.room.new_id(), opening, fresh_secret(), Act(player, None, one.now))
    return (await one.room.open(step)).game


def damaged(conninfo: str, game: UUID) -> None:
    """A byte of what is sealed in it was changed."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(
            "UPDATE events SET state = set_byte(state, 40, get_byte(state, 40) # 1)"
            " WHERE stream = %s AND topic = 'game/sealed'",
            [game],
        )


def test_time_is_called_in_a_game_behind_others_that_are_lost_or_damaged(database: str, keys: Path) -> None:
    async def run() -> list[UUID]:
        before = now() - HOUR
        async with house(database, keys, before) as one:
            lost = (await overdue(one)).id
        async with house(database, rotated(keys), before) as one:
            games = [lost, (await overdue(one)).id, (await overdue(one)).id]
        damaged(database, games[1])
        async with house(database, without(keys, 0)) as one:
            await Clock(one.store, one.room, 1.0).call_overdue()
        return games

    games = asyncio.run(run())
    assert ends(database, games) == [(0, 0), (0, 0), (1, 1)]
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT game, due FROM deadlines").fetchall()
    assert {game for game, _ in rows} == set(games[:2])
    assert min(at for _, at in rows) > now() + HOUR / 2
