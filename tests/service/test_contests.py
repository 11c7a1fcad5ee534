"""Days and contests over a real store: announced once, entered once, closed whole whatever breaks off or is lost."""

import asyncio
import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest

from domain.capabilities import OptionRules, Score
from domain.chance import commitment
from domain.contest import events as ct
from domain.contest.aggregate import Announcement, Contest
from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from domain.league.rules import DAYS
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, legal_commands, play
from domain.play.table import Opening, open_game
from domain.play.verify import verify
from service import solving
from service.cli.store import game_records
from service.contests import certificates
from service.contests.attempts import Contests
from service.contests.certificates import Certificates, CertifiedDeal, examine_deals
from service.contests.days import Days, daily_game_types
from service.event_store import unsealing
from service.event_store.codec import standard_codec, topic_of
from service.event_store.ids import now
from service.event_store.reading import read_log
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion, Row
from service.jobs.process import Start, command_of, to_frame
from service.keys.sealing import SealingKeyMissing, Seals, make_sealing_key, retire_sealing_key, sealing_keys
from service.keys.signing import Ring
from service.live.deadlines import Clock
from service.live.openings import fresh_secret
from service.live.room import Room
from service.live.signatures import Signatures
from service.postgres import Server
from tests.api.serving import KEYS, database_of, serving
from tests.jobs.searching_child import telling
from tests.service.event_store.made import on_a_loop

HOUR = 3_600_000_000
NOON = int(datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()) * 1_000_000
DUE = NOON + HOUR + DAYS.grace_seconds * 1_000_000
ROOT = Path(__file__).parents[2]


class Time:
    """What time it is, as the test says."""

    def __init__(self, now: int = NOON) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class House:
    """A process with its store, its room and its contests, at the time that its clock tells."""

    def __init__(self, store: EventStore, clock: Time) -> None:
        self.store, self.clock = store, clock
        ring = Ring(KEYS)
        ring.open()
        self.room = Room(store, 1000, Signatures(ring))
        self.contests = Contests(store, self.room, clock)

    def days(self, certify: Any = None, pause: float = 1.0) -> Days:
        return Days(self.store, self.contests, certify, pause, self.clock)

    async def announced(self, key: str = "golf") -> Contest:
        kind = GAME_TYPES[key]
        return await self.contests.announce(Announcement(
            game_type=key, options=kind.options(), rules=DAYS, opens=NOON, closes=NOON + HOUR,
            seed=fresh_secret().seed,
        ))  # fmt: skip

    async def move(self, game: UUID, player: UUID, command: msgspec.Struct | None = None) -> None:
        """This command, or the first that is listed."""
        await self.room.act(
            game, lambda one: play(one, command or legal_commands(one, 0)[0], Act(player, 0, self.clock()))
        )

    async def begun(self, contest: Contest, resigned: bool = False) -> UUID:
        """An attempt with a move in it; given up, if so."""
        player = uuid4()
        game = (await self.contests.enter(contest.id, player))[0].id
        for command in [None, *([ev.Resign()] if resigned else [])]:
            await self.move(game, player, command)
        return game


@asynccontextmanager
async def house(
    conninfo: str, clock: Time, kind: type[EventStore] = EventStore, keys: Path | None = None
) -> AsyncIterator[House]:
    async with kind(conninfo, keys and standard_codec().sealing(Seals(keys).read())) as store:
        yield House(store, clock)


def log(conninfo: str) -> list[Any]:
    """Every record there is."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return [one.record for one in read_log(connection, 0, 100_000)]


def topics(conninfo: str, stream: UUID) -> Counter[str]:
    return Counter(type(one.event).__name__ for one in log(conninfo) if one.stream == stream)


def due(conninfo: str) -> list[int]:
    with psycopg.connect(conninfo) as connection:
        return [row[0] for row in connection.execute("SELECT due FROM contests_due ORDER BY due").fetchall()]


# The days


class Looked:
    """A deal is as it comes; counts how often one was asked for."""

    def __init__(self) -> None:
        self.asked = 0

    async def __call__(self, kind: AnyGameType) -> CertifiedDeal:
        self.asked += 1
        await asyncio.sleep(0)
        return CertifiedDeal(
            seed=fresh_secret().seed,
            options=kind.get(OptionRules).settle(kind.options(), 1),
            certificate="not_tried",
            positions=0,
        )


def announced_days(conninfo: str) -> list[tuple[str, str]]:
    return [(one.event.day, one.event.game_type) for one in log(conninfo) if isinstance(one.event, ct.Announced)]


def expected(*days: str) -> list[tuple[str, str]]:
    return sorted((day, kind.key) for day in days for kind in daily_game_types())


@on_a_loop
async def test_today_and_tomorrow_are_announced_once_by_two_processes_and_after_a_restart(database: str) -> None:
    async with house(database, Time()) as one, house(database, Time()) as other:
        days = [each.days(Looked()) for each in (one, other)]
        await asyncio.gather(*(each.look_ahead() for each in days))
        again, look = one.days(certify := Looked()), days[0]
        await asyncio.gather(again.look_ahead(), look.look_ahead())
        assert certify.asked == 0
    assert sorted(announced_days(database)) == expected("2026-11-20", "2026-11-21")


@on_a_loop
async def test_the_next_day_adds_one_day(database: str) -> None:
    clock = Time()
    async with house(database, clock) as one:
        days = one.days(Looked())
        await days.look_ahead()
        clock.now += 24 * HOUR
        await days.look_ahead()
    assert sorted(announced_days(database)) == expected("2026-11-20", "2026-11-21", "2026-11-22")


def test_a_day_has_every_game_type_that_is_played_alone_and_is_not_luck_alone() -> None:
    keys = {kind.key for kind in daily_game_types()}
    assert "klondike" in keys
    assert keys.isdisjoint({"the_clock", "spite_and_malice"})
    assert all(kind.has(Score) for kind in daily_game_types())


def test_without_days_nothing_is_announced_but_what_is_due_is_closed_even_while_certifying_fails(database: str) -> None:
    async def broken(kind: AnyGameType) -> CertifiedDeal:
        raise RuntimeError("no solver today")

    async def run(certify: Any) -> None:
        clock = Time()
        async with house(database, clock) as one:
            contest = await one.announced()
            clock.now = DUE
            days = one.days(certify, 0.01)
            days.start()
            while not (await one.contests.of(contest.id)).closed:
                await asyncio.sleep(0.01)
            await days.stop()

    asyncio.run(run(None))
    asyncio.run(run(broken))
    with psycopg.connect(database, autocommit=True) as connection:
        contests = {one.stream for one in log(database) if isinstance(one.event, ct.Announced)}
        assert [game_records(connection, contest) for contest in contests] == [[], []], "a contest is no game"
    assert {day for day, _ in announced_days(database)} == {None}


# Entering


@on_a_loop
async def test_of_many_requests_at_once_one_is_dealt_the_cards(database: str) -> None:
    player = uuid4()
    async with house(database, Time()) as one, house(database, Time()) as other:
        contest = await one.announced()
        entries = [each.contests.enter(contest.id, player) for each in (one, other, one, other) for _ in range(5)]
        games = await asyncio.gather(*entries)
        assert len({game.id for game, _ in games}) == 1
        assert sum(fresh for _, fresh in games) == 1
        assert (await one.contests.of(contest.id)).entries == {player: games[0][0].id}
    assert sum(isinstance(one.event, ev.Opened) for one in log(database)) == 1


@on_a_loop
async def test_a_crowd_enters_at_once_and_everybody_is_dealt_one_game(database: str) -> None:
    players = [uuid4() for _ in range(60)]
    async with house(database, Time()) as one, house(database, Time()) as other:
        contest = await one.announced()
        games = await asyncio.gather(
            *((one, other)[at % 2].contests.enter(contest.id, player) for at, player in enumerate(players))
        )
        assert len({game.id for game, _ in games}) == len(players)
        assert set((await one.contests.of(contest.id)).entries) == set(players)


@pytest.mark.parametrize("at", [NOON - 1, NOON + HOUR, DUE])
@on_a_loop
async def test_before_the_opening_and_after_the_closing_nobody_is_let_in(database: str, at: int) -> None:
    clock = Time()
    async with house(database, clock) as one:
        contest = await one.announced()
        clock.now = at
        with pytest.raises(Illegal) as refused:
            await one.contests.enter(contest.id, uuid4())
    assert refused.value.rule == "contest_not_open"
    assert not any(isinstance(one.event, ev.Opened) for one in log(database))


@on_a_loop
async def test_everybody_has_the_same_cards_under_keys_of_their_own_and_the_proof_checks(database: str) -> None:
    clock = Time()
    async with house(database, clock) as one:
        for kind in daily_game_types():
            contest = await one.announced(kind.key)
            games = [(await one.contests.enter(contest.id, uuid4()))[0] for _ in range(3)]
            streams = [await one.store.records(game.id) for game in games]
            assert len({msgspec.json.encode([one.event for one in stream[2:]]) for stream in streams}) == 1
            assert len({stream[1].event.digest_key for stream in streams}) == 3
            assert games[0].state == solving.seeded(kind, kind.get(OptionRules).settle(kind.options(), 1), contest.seed)
            clock.now = DUE
            await one.contests.closing.close(contest.id)
            clock.now = NOON
            told = (await one.store.records(contest.id))[-1].event
            options = msgspec.convert(contest.announced.options, kind.options, strict=False)
            assert commitment(contest.id, kind.key, options, told.seed) == contest.announced.commitment
            assert [verify(await one.store.records(game.id)) for game in games] == [[], [], []]


# Closing


async def played_out(one: House, contest: Contest) -> list[UUID]:
    """Five players: one resigns, one never moves, one leaves it, one of two is voided while it goes on."""
    players = [uuid4() for _ in range(5)]
    games = [(await one.contests.enter(contest.id, player))[0].id for player in players]
    for game, player in zip(games[:1] + games[2:], players[:1] + players[2:], strict=True):
        await one.move(game, player)
    await one.move(games[0], players[0], ev.Resign())
    return games


def closed_whole(conninfo: str, contest: UUID, games: Sequence[UUID]) -> None:
    """Everything happened, and nothing twice."""
    told = topics(conninfo, contest)
    assert (told["Closed"], told["Revealed"]) == (1, 1)
    records = log(conninfo)
    for game in games:
        own = [one for one in records if one.stream == game]
        found = Counter(type(one.event) for one in own)
        assert (found[ev.Finished], found[ev.Revealed]) == (1, 1)
        assert verify(own) == []
    assert due(conninfo) == []


class Dead(Exception):
    """The process is gone."""


class Mortal(EventStore):
    """A store whose process dies at its so many-eth append, before it or just after it."""

    lives: int = 10**9
    after: bool = False

    async def append_rows(
        self, rows: Sequence[Row], companions: Sequence[Companion] = (), slot: int | None = None
    ) -> int:
        Mortal.lives -= 1
        if Mortal.lives < 0 and not (self.after and Mortal.lives == -1):
            raise Dead
        position = await super().append_rows(rows, companions, slot)
        if Mortal.lives < 0:
            raise Dead
        return position


@pytest.mark.parametrize("after", [False, True])
@on_a_loop
async def test_a_closing_that_breaks_off_anywhere_is_gone_on_with(database: str, after: bool) -> None:
    async def broken_off(contest: UUID, lives: int) -> bool:
        Mortal.lives, Mortal.after = lives, after
        async with house(database, Time(DUE), Mortal) as dying:
            try:
                await dying.contests.closing.close(contest)
            except Dead:
                return False
            finally:
                Mortal.lives = 10**9
        return True

    clock, lives, whole = Time(), 0, False
    while not whole:
        clock.now = NOON
        async with house(database, clock) as one:
            contest = await one.announced()
            games = await played_out(one, contest)
        clock.now = DUE
        whole = await broken_off(contest.id, lives)
        async with house(database, clock) as one:
            for found in await one.contests.closing.due():
                await one.contests.closing.close(found)
        closed_whole(database, contest.id, games)
        lives += 1
    assert lives > 11, "four ended, one contest closed, five revealed, one forgotten"


@on_a_loop
async def test_two_processes_close_at_once_and_everything_happens_once(database: str) -> None:
    clock = Time()
    async with house(database, clock) as one, house(database, clock) as other:
        contest = await one.announced()
        games = await played_out(one, contest)
        clock.now = DUE
        await asyncio.gather(*(each.contests.closing.close(contest.id) for each in (one, other)))
        outcome = contest.id, games
    closed_whole(database, *outcome)


@on_a_loop
async def test_nothing_is_closed_before_it_is_due(database: str) -> None:
    clock = Time(DUE)
    clock.now = NOON
    async with house(database, clock) as one:
        contest = await one.announced()
        clock.now = DUE - 1
        assert await one.contests.closing.due() == []
        await one.contests.closing.close(contest.id)
        outcome = contest.id
    assert topics(database, outcome)["Closed"] == 0


class Late(EventStore):
    """Just before the closing is stored, somebody is let in by a process whose clock is behind."""

    let_in: Callable[[], Awaitable[None]] | None = None

    async def append_rows(
        self, rows: Sequence[Row], companions: Sequence[Companion] = (), slot: int | None = None
    ) -> int:
        letting, closing = Late.let_in, any(row.topic == topic_of(ct.Closed) for row in rows)
        if letting is not None and closing:
            Late.let_in = None
            await letting()
        return await super().append_rows(rows, companions, slot)


@on_a_loop
async def test_whoever_is_let_in_at_the_last_moment_is_ended_before_the_seed_is_told(database: str) -> None:
    async with house(database, Time()) as behind, house(database, Time(DUE), Late) as one:
        contest = await behind.announced()
        games = await played_out(behind, contest)

        async def let_in() -> None:
            games.append((await behind.contests.enter(contest.id, uuid4()))[0].id)

        Late.let_in = let_in
        await one.contests.closing.close(contest.id)
        contest, games = contest.id, games
    assert len(games) == 6
    closed_whole(database, contest, games)


# Certificates


SAID = {"won": "winnable", "impossible": "impossible", "open": "not_told"}


def test_a_certificate_is_what_the_solver_tells_of_the_deal_that_everybody_gets() -> None:
    """FreeCell's deals are nearly all won, and told soon, however busy the machine is."""
    kind = GAME_TYPES["freecell"]
    found = asyncio.run(Certificates(sleep=no_pause).deal(kind))
    told = solving.verdict(kind.key, found.options, solving.seeded(kind, found.options, found.seed))
    assert (found.certificate, found.positions) == (SAID[told.verdict], told.positions)


async def no_pause(seconds: float) -> None:
    """Nobody waits for the time to pass that hides how long a solver took."""


class Clockwork(asyncio.SelectorEventLoop):
    """An event loop whose time is set."""

    now = 1000.0

    def time(self) -> float:
        return self.now


@pytest.mark.parametrize("seconds", [0.0, 1.5, 31.0])
def test_when_a_certified_deal_is_there_does_not_tell_how_long_the_solver_took(seconds: float) -> None:
    loop, pauses = Clockwork(), list[float]()

    class Solving(Certificates):
        async def _examine(self, key: str, options: msgspec.Struct) -> certificates.ExaminedDeal:
            loop.now += seconds
            return certificates.ExaminedDeal(seed=bytes(32), certificate="winnable", positions=1)

    async def pause(length: float) -> None:
        pauses.append(length)

    with closing(loop):
        loop.run_until_complete(Solving(patience=40.0, sleep=pause).deal(GAME_TYPES["golf"]))
    assert pauses == [40.0 - seconds]


def test_of_fresh_deals_the_first_that_is_known_to_be_winnable_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of these deals of The Clock the first cannot be won, and the others can."""
    kind, seeds = GAME_TYPES["the_clock"], [bytes([number]) * 32 for number in (7, 8, 16)]
    fresh = iter(seeds)
    monkeypatch.setattr("service.contests.certificates.secrets", SimpleNamespace(token_bytes=lambda _: next(fresh)))
    found = examine_deals(kind.key, kind.get(OptionRules).settle(kind.options(), 1))
    assert (found.seed, found.certificate) == (seeds[1], "winnable")


def test_a_game_type_without_a_solver_is_told_as_not_tried_and_a_day_is_one_hand() -> None:
    found = asyncio.run(Certificates().deal(GAME_TYPES["bridge_solitaire"]))
    assert (found.certificate, found.positions, len(found.seed)) == ("not_tried", 0, 32)
    assert found.options.length == "hand"  # type: ignore[attr-defined]


def test_without_a_process_for_it_no_deal_is_made_for_that_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere")
    with pytest.raises(FileNotFoundError):
        asyncio.run(Certificates().deal(GAME_TYPES["golf"]))


def test_a_deal_that_takes_too_long_goes_uncertified_and_leaves_no_process() -> None:
    found = asyncio.run(Certificates(patience=0.3).deal(GAME_TYPES["golf"]))
    assert (found.certificate, len(found.seed)) == ("not_tried", 32)
    assert list(certifying(os.getpid())) == []


def certifying(parent: int) -> Iterator[int]:
    """Processes that look at deals for this one."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
            command = stat.with_name("cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(after_name[1]) == parent and b"certificates" in command:
            yield int(stat.parent.name)


def waited_for(found: Callable[[], Any]) -> Any:
    while not (it := found()):
        time.sleep(0.1)
    return it


def gone(process: int) -> bool:
    """Whether it has ended; a zombie has."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_service_ends_and_leaves_no_process_that_certifies(
    number: int, postgres: Server, template_database: str
) -> None:
    chosen = {"same_deal_days": True, "forked": False}  # a forked process has no command line of its own to be found by
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **chosen) as service:
        (child,) = waited_for(lambda: list(certifying(service.process.pid)))
        service.end(number)
        assert gone(child)
        assert service.process.returncode in (0, -number)


def test_a_process_that_certifies_ends_when_whoever_asked_has_gone() -> None:
    """The search of this one would never end."""
    command, environment = command_of("certificates")
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(to_frame(Start(10)) + to_frame(telling("wait")))
        process.stdin.flush()
        assert process.stdout.read(1), "it has begun"
        process.stdin.close()
        try:
            assert process.wait(60) == 1
        finally:
            process.kill()


def with_keys(conninfo: str, keys: Path, at: int = NOON) -> AbstractAsyncContextManager[House]:
    """A process with the keys of this folder."""
    return house(conninfo, Time(at), keys=keys)


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """A folder with one key."""
    (tmp_path / "keys").mkdir()
    return rotated(tmp_path / "keys")


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
    async with with_keys(conninfo, keys) as one:
        contest = await one.announced()
        games = [await one.begun(contest)]
    async with with_keys(conninfo, rotated(keys)) as one:
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


def closings(records: Sequence[Any]) -> list[tuple[UUID, ...]]:
    return [one.event.unreadable for one in records if isinstance(one.event, ct.Closed)]


@on_a_loop
async def test_a_contest_closes_without_a_game_whose_key_was_given_up_which_ends_if_it_comes_back(
    database: str, keys: Path
) -> None:
    contest, games = await mixed(database, keys)
    given_up(database, keys, 1)
    async with with_keys(database, without(keys, 1), DUE) as one:
        await one.days().close_due()
        assert happened(database, contest.id)["contest/revealed"] == 1
        assert closings(await one.store.records(contest.id)) == [(games[2],)]
    assert ends(database, games) == [(1, 1), (1, 0), (0, 0)]
    assert due(database) == [DUE + HOUR]
    async with with_keys(database, keys, DUE + HOUR) as one:
        await one.days().close_due()
        assert closings(await one.store.records(contest.id)) == [(games[2],)]
    assert ends(database, games) == [(1, 1)] * 3
    assert due(database) == []


@on_a_loop
async def test_for_a_key_that_nobody_has_given_up_a_contest_waits_and_all_others_are_closed(
    database: str, keys: Path
) -> None:
    waiting, games = await mixed(database, keys)
    async with with_keys(database, without(keys, 1)) as one:
        other = await one.announced()
        await one.begun(other)
        one.clock.now = DUE
        with pytest.raises(SealingKeyMissing):
            await one.contests.closing.close(waiting.id)
        await one.days().close_due()
        assert (await one.contests.of(other.id)).closed
        assert not (await one.contests.of(waiting.id)).closed
        assert ends(database, games) == [(1, 0), (1, 0), (0, 0)]
        assert await one.contests.closing.due() == []
        given_up(database, keys, 1)
        one.clock.now = DUE + HOUR
        await one.days().close_due()
        assert (await one.contests.of(waiting.id)).closed


@on_a_loop
async def test_a_hundred_contests_that_wait_for_a_key_hold_up_no_other(database: str, keys: Path) -> None:
    async with with_keys(database, keys) as one:
        for _ in range(100):
            await one.announced()
    async with with_keys(database, rotated(keys)) as one:
        last = await one.announced()
    async with with_keys(database, without(keys, 0), DUE) as one:
        await one.days().close_due()
        await one.days().close_due()
        assert (await one.contests.of(last.id)).closed


@on_a_loop
async def test_a_contest_with_a_damaged_game_is_tried_later_and_holds_up_no_other(database: str, keys: Path) -> None:
    async with with_keys(database, keys) as one:
        broken, sound = await one.announced(), await one.announced()
        games = [await one.begun(broken), await one.begun(sound)]
    damaged(database, games[0])
    async with with_keys(database, keys, DUE) as one:
        await one.days().close_due()
        assert [(await one.contests.of(contest.id)).closed for contest in (broken, sound)] == [False, True]
        assert ends(database, games) == [(0, 0), (1, 1)]
        assert await one.contests.closing.due() == []
        one.clock.now = DUE + HOUR
        assert await one.contests.closing.due() == [broken.id]


@on_a_loop
async def test_a_contest_whose_own_deal_is_lost_closes_and_reveals_its_games_but_no_seed(
    database: str, keys: Path
) -> None:
    contest, games = await mixed(database, keys)
    given_up(database, keys, 0)
    async with with_keys(database, without(keys, 0), DUE) as one:
        await one.days().close_due()
    assert ends(database, games) == [(0, 0), (1, 1), (1, 1)]
    assert happened(database, contest.id)["contest/revealed"] == 0
    async with with_keys(database, keys, DUE + HOUR) as one:
        await one.days().close_due()
        records = await one.store.records(contest.id)
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
    step = open_game(one.room.new_id(), opening, fresh_secret(), Act(player, None, one.clock.now))
    return (await one.room.open(step)).game


def damaged(conninfo: str, game: UUID) -> None:
    """A byte of what is sealed in it was changed."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(
            "UPDATE events SET state = set_byte(state, 40, get_byte(state, 40) # 1)"
            " WHERE stream = %s AND topic = 'game/sealed'",
            [game],
        )


@on_a_loop
async def test_time_is_called_in_a_game_behind_others_that_are_lost_or_damaged(database: str, keys: Path) -> None:
    before = now() - HOUR
    async with with_keys(database, keys, before) as one:
        lost = (await overdue(one)).id
    async with with_keys(database, rotated(keys), before) as one:
        games = [lost, (await overdue(one)).id, (await overdue(one)).id]
    damaged(database, games[1])
    async with with_keys(database, without(keys, 0)) as one:
        await Clock(one.store, one.room, 1.0).call_overdue()
    assert ends(database, games) == [(0, 0), (0, 0), (1, 1)]
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT game, due FROM deadlines").fetchall()
    assert {game for game, _ in rows} == set(games[:2])
    assert min(at for _, at in rows) > now() + HOUR / 2
