"""Snapshots in the store: a cold game is read by one, and whatever is wrong with it, it is the same game."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from structlog.testing import capture_logs

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step, legal_commands, play
from domain.play.table import Opening, open_game
from service.event_store.codec import standard_codec
from service.event_store.store import EventStore
from service.keys.sealing import Seals
from service.keys.signing import Ring
from service.live.room import Room
from service.live.signatures import Signatures
from service.live.slots import Ownership, SoleOwner
from service.live.snapshots import EVERY, ColdGames, Snapshots
from service.problems import Refused
from service.workers.worker import Worker
from tests.domain.played import SECRET, START, player
from tests.service.event_store.made import on_a_loop, waiting_for_a_lock
from tests.service.event_store.packed_logs import counted, pack
from tests.service.sealing.dumps import dump, secrets_of
from tests.service.sealing.test_sealed_store import ended, records_of


def onward(key: str, steps: int, number: int = 7) -> list[Step]:
    """A game of so many steps, none taken back, always the same."""
    kind, lots = GAME_TYPES[key], Random(key)
    players = tuple(map(player, range(kind.seats[0])))
    opening = Opening(type=kind, options=kind.options(), players=players)
    made = [open_game(UUID(int=number), opening, SECRET, Act(players[0], None, START))]
    while len(made) < steps:
        offered = [(seat, one) for seat in range(len(players)) for one in legal_commands(made[-1].game, seat)]
        seat, command = lots.choice([one for one in offered if not isinstance(one[1], ev.Undo | ev.Resign)])
        made.append(play(made[-1].game, command, Act(players[seat], seat, START + len(made))))
    return made


async def taken_back(room: Room, game: UUID, steps: int) -> Game:
    """The game with so many steps taken back."""
    for _ in range(steps):
        await room.act(game, lambda one: play(one, ev.Undo(), Act(one.players[0], 0, START + 5000)))
    return await room.game(game)


class Place:
    """A database, and rooms over it that know nothing of each other."""

    def __init__(self, conninfo: str, keys: Path, seals: Seals) -> None:
        ring = Ring(keys)
        ring.open()
        self.conninfo, self._signatures = conninfo, Signatures(ring)
        self.store = EventStore(conninfo, standard_codec().sealing(seals))

    def room(self, owns: Ownership | None = None) -> Room:
        return Room(self.store, 10, self._signatures, owns)

    async def played(self, key: str = "klondike", steps: int = 60, number: int = 7, *, over: bool = False) -> Game:
        """A game of so many steps in the log, and the snapshots that were due."""
        made = onward(key, steps, number)
        made += [ended(made[-1])] if over else []
        await self.store.append(records_of(made))
        await self.keep(made)
        return made[-1].game

    async def keep(self, made: Sequence[Step]) -> None:
        """What is due after these steps, as a room notes them."""
        snapshots = Snapshots(self.store)
        for before, step in pairwise(made):
            snapshots.note(before.game, step)
        await snapshots.keep()

    def change(self, sql: str, *params: Any) -> int:
        with psycopg.connect(self.conninfo, autocommit=True) as connection:
            return connection.execute(sql.encode(), params).rowcount


@asynccontextmanager
async def place(conninfo: str, keys: Path, seals: Seals | None = None) -> AsyncIterator[Place]:
    found = Place(conninfo, keys, seals or Seals())
    async with found.store:
        yield found


async def seen(where: Place, game: UUID) -> tuple[Game, int]:
    """The game as a room that has never seen it reads it, and how often a snapshot was not believed."""
    with capture_logs() as said:
        found = await where.room().game(game)
    return found, sum(line["event"] == "snapshot not believed" for line in said)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots are written soon; the last may take their time: a busy machine is none of the matter."""
    monkeypatch.setattr("service.live.snapshots._PAUSE", 0.05)
    monkeypatch.setattr("service.live.snapshots._PATIENCE", 60.0)


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not reached():
            await asyncio.sleep(0.05)


@pytest.fixture
def here(database: str, tmp_path: Path) -> Place:
    """A place without seals; to be opened."""
    return Place(database, tmp_path, Seals())


def look(game: Game) -> tuple[Any, ...]:
    return game.version, game.digest, game.state, game.status, game.result, game.moves, game.players, game.updated_at


@pytest.mark.parametrize("key", ["klondike", "spite_and_malice", "decs_building", "pyramid"])
@on_a_loop
async def test_a_cold_game_is_read_by_its_snapshot_and_the_records_since(key: str, here: Place) -> None:
    async with here.store:
        game = await here.played(key, 50)
        ((version,),) = await here.store.query("SELECT version FROM snapshots WHERE game = %s", [game.id])
        assert game.version - EVERY < version <= game.version
        here.change("DELETE FROM events WHERE stream = %s AND version < %s", game.id, version - 1)
        found, doubted = await seen(here, game.id)
        assert (look(found), doubted) == (look(game), 0)


@on_a_loop
async def test_a_command_to_a_cold_game_can_take_back_what_the_snapshot_does_not_have(here: Place) -> None:
    async with here.store:
        game = await here.played("klondike", 70)
        room, dealt = here.room(), onward("klondike", 1)[0].game.state
        assert (await room.game(game.id)).unread > 0
        found = await taken_back(room, game.id, 69)
        assert (found.state, found.undos) == (dealt, 69)
        assert look(await here.room().game(game.id, with_undo=True)) == look(found)


@on_a_loop
async def test_a_game_known_by_its_snapshot_is_read_anew_where_more_was_taken_back(here: Place) -> None:
    async with here.store:
        game = await here.played("klondike", 66)
        room = here.room()
        known = await room.game(game.id)
        found = await taken_back(here.room(), game.id, 40)
        assert known.unread > 0
        assert look(await ColdGames(here.store, room.snapshots).read(game.id, known, False)) == look(found)
        assert look((await seen(here, game.id))[0]) == look(found)


SPOILT = {
    "another version": "UPDATE snapshots SET version = version - 1",
    "another byte": "UPDATE snapshots SET body = set_byte(body, 600, get_byte(body, 600) # 1)",
    "garbage": "UPDATE snapshots SET body = '\\x00'",
    "cut": "UPDATE snapshots SET body = substr(body, 1, length(body) - 1)",
    "a seal that is none": "UPDATE snapshots SET body = '\\xc1010203'",
    "the other game's": """
        UPDATE snapshots SET (version, body) = (SELECT version, body FROM snapshots o WHERE o.game <> snapshots.game)
    """,
}  # fmt: skip


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("what", SPOILT)
@on_a_loop
async def test_a_spoilt_snapshot_changes_no_game(what: str, sealed: bool, database: str, tmp_path: Path) -> None:
    async with place(database, tmp_path, Seals(tmp_path / "seals").open() if sealed else None) as here:
        games = [await here.played("klondike", 60), await here.played("klondike", 61, 8)]
        assert here.change(SPOILT[what]) == 2
        for game in games:
            found, doubted = await seen(here, game.id)
            assert (look(found), doubted) == (look(game), 1)


@on_a_loop
async def test_a_form_that_is_not_known_is_passed_by_without_a_word(here: Place) -> None:
    async with here.store:
        game = await here.played()
        for form in ("klondike/1/0123456789abcdef", "klondike/99/0123456789abcdef", "whist/1/0123456789abcdef"):
            here.change("UPDATE snapshots SET form = %s, body = '\\x00'", form)
            found, doubted = await seen(here, game.id)
            assert (look(found), doubted) == (look(game), 0)


@on_a_loop
async def test_an_older_snapshot_never_takes_the_place_of_a_newer_one(here: Place) -> None:
    async with here.store:
        made = onward("klondike", 90)
        await here.keep(made)
        newest = await here.store.query("SELECT version FROM snapshots")
        await here.keep(made[:40])
        assert await here.store.query("SELECT version FROM snapshots") == newest
        assert newest[0][0] > made[40].game.version


@on_a_loop
async def test_a_sealed_snapshot_tells_a_dump_nothing(database: str, tmp_path: Path) -> None:
    async with place(database, tmp_path, Seals(tmp_path / "seals").open()) as here:
        game = await here.played("spite_and_malice", 50)
        assert counted(database, "snapshots") == 1
        told = dump(database)
        assert not [secret for secret in secrets_of(await here.store.records(game.id)) if secret in told]
        assert await seen(here, game.id) == (game, 0)


@on_a_loop
async def test_a_snapshot_under_a_lost_key_is_passed_by(database: str, tmp_path: Path) -> None:
    async with place(database, tmp_path, Seals(tmp_path / "seals").open()) as here:
        made = onward("klondike", 60)
        await here.keep(made)
    async with place(database, tmp_path) as there:
        await there.store.append(records_of(made))
        found, doubted = await seen(there, made[0].game.id)
        assert (look(found), doubted) == (look(made[-1].game), 1)


@on_a_loop
async def test_a_long_game_that_is_over_is_read_by_its_last_record_until_it_is_packed(here: Place) -> None:
    async with here.store:
        game = await here.played("klondike", 50, over=True)
        assert await here.store.query("SELECT version FROM snapshots") == [(game.version,)]
        assert (await seen(here, game.id))[0] == game
        Worker(here.conninfo).catch_up()
        assert [batch.games for batch in pack(here.conninfo)] == [1]
        assert counted(here.conninfo, "snapshots") == 0
        assert (await seen(here, game.id)) == (game, 0)


@on_a_loop
async def test_a_game_that_is_not_there_is_refused_and_not_kept(here: Place) -> None:
    async with here.store:
        with pytest.raises(Refused):
            await here.room().game(uuid4())


@on_a_loop
async def test_what_is_due_is_written_soon_and_at_the_end_and_a_mistake_ends_nothing(
    here: Place, patient: None
) -> None:
    async with here.store:
        made = onward("klondike", 60)
        await here.store.append(records_of(made))
        snapshots = Snapshots(here.store)
        snapshots.start()
        here.change("ALTER TABLE snapshots RENAME TO gone")
        snapshots.note(made[0].game, made[30])
        with capture_logs() as said:
            await until(lambda: said != [])
        assert said[0]["event"] == "snapshots not kept"
        here.change("ALTER TABLE gone RENAME TO snapshots")
        snapshots.note(made[0].game, made[40])
        await until(lambda: counted(here.conninfo, "snapshots") == 1)
        snapshots.note(made[0].game, made[-1])
        await snapshots.stop()
        assert await here.store.query("SELECT version FROM snapshots") == [(made[-1].game.version,)]


@on_a_loop
async def test_a_newer_look_that_came_in_between_does_not_stand_in_for_the_whole_game(here: Place) -> None:
    async with here.store:
        game = await here.played("klondike", 60)
        room, whole = here.room(), await here.room().game(game.id, with_undo=True)
        await here.room().act(game.id, lambda one: play(one, ev.Undo(), Act(one.players[0], 0, START + 5000)))
        newer = await room.game(game.id)
        assert newer.unread > 0
        assert newer.version > whole.version

        class Slow(ColdGames):
            """What was asked for before the newer version was recorded comes after it."""

            async def read(self, game_id: UUID, known: Game | None, whole_one: bool) -> Game:
                return whole

        room._cold = Slow(here.store, room.snapshots)
        assert (await room.game(game.id, with_undo=True)).unread == 0


class Doubtful(SoleOwner):
    """A process that owns every slot, and cannot say for a while whether it still does."""

    sure = True

    def holds(self, game: UUID) -> bool:
        return self.sure


@on_a_loop
async def test_what_was_heard_of_while_in_doubt_is_not_believed_afterwards(here: Place) -> None:
    async with here.store:
        game = await here.played("klondike", 40)
        owns = Doubtful()
        room = here.room(owns)
        await room.game(game.id)
        owns.sure = False
        moved = await taken_back(here.room(), game.id, 1)
        room.hear(game.id, moved.version)
        owns.sure = True
        assert (await room.game(game.id)).version == moved.version


@on_a_loop
async def test_what_falls_due_while_others_are_written_is_not_lost_at_the_end(here: Place, patient: None) -> None:
    async with here.store:
        made = onward("klondike", 60)
        await here.store.append(records_of(made))
        snapshots = Snapshots(here.store)
        snapshots.note(made[0].game, made[40])
        snapshots.start()
        with psycopg.connect(here.conninfo) as other:
            other.execute("LOCK snapshots")
            await until(lambda: waiting_for_a_lock(here.conninfo) == 1)
            snapshots.note(made[0].game, made[-1])
            ended = asyncio.create_task(snapshots.stop())
            await asyncio.sleep(0.1)
        await ended
        assert await here.store.query("SELECT version FROM snapshots") == [(made[-1].game.version,)]
