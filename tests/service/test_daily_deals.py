"""Days and contests over a real store: announced once, entered once, closed whole whatever breaks off."""

import asyncio
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
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
from domain.play.deciding import Act, legal_commands, play
from domain.play.verify import verify
from service import solving
from service.cli.store import game_records
from service.contests import certificates
from service.contests.attempts import Contests
from service.contests.certificates import Certificates, CertifiedDeal, examine_deals
from service.contests.days import Days, daily_game_types
from service.event_store.codec import topic_of
from service.event_store.reading import read_log
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion, Row
from service.jobs.process import Start, command_of, to_frame
from service.keys.signing import Ring
from service.live.openings import fresh_secret
from service.live.room import Room
from service.live.signatures import Signatures
from service.postgres import Server
from tests.api.serving import KEYS, database_of, serving
from tests.jobs.searching_child import telling

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
    """A store with its room and its contests."""

    def __init__(self, store: EventStore, clock: Callable[[], int]) -> None:
        self.store, self.clock = store, clock
        ring = Ring(KEYS)
        ring.open()
        self.room = Room(store, 1000, Signatures(ring))
        self.contests = Contests(store, self.room, clock)

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


@asynccontextmanager
async def house(conninfo: str, clock: Callable[[], int], store: type[EventStore] = EventStore) -> AsyncIterator[House]:
    async with store(conninfo) as opened:
        yield House(opened, clock)


def log(conninfo: str) -> list[Any]:
    """Every record there is."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return [one.record for one in read_log(connection, 0, 100_000)]


def topics(conninfo: str, stream: UUID) -> Counter[str]:
    return Counter(type(one.event).__name__ for one in log(conninfo) if one.stream == stream)


def due(conninfo: str) -> int:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return connection.execute("SELECT count(*) FROM contests_due").fetchone()[0]  # type: ignore[index]


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


def test_today_and_tomorrow_are_announced_once_by_two_processes_and_after_a_restart(database: str) -> None:
    async def run() -> None:
        async with house(database, Time()) as one, house(database, Time()) as other:
            days = [Days(each.store, each.contests, Looked(), 1.0, Time()) for each in (one, other)]
            await asyncio.gather(*(each.look_ahead() for each in days))
            again, look = Days(one.store, one.contests, certify := Looked(), 1.0, Time()), days[0]
            await asyncio.gather(again.look_ahead(), look.look_ahead())
            assert certify.asked == 0

    asyncio.run(run())
    assert sorted(announced_days(database)) == expected("2026-11-20", "2026-11-21")


def test_the_next_day_adds_one_day(database: str) -> None:
    async def run() -> None:
        clock = Time()
        async with house(database, clock) as one:
            days = Days(one.store, one.contests, Looked(), 1.0, clock)
            await days.look_ahead()
            clock.now += 24 * HOUR
            await days.look_ahead()

    asyncio.run(run())
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
            days = Days(one.store, one.contests, certify, 0.01, clock)
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


def test_of_many_requests_at_once_one_is_dealt_the_cards(database: str) -> None:
    async def run() -> None:
        player = uuid4()
        async with house(database, Time()) as one, house(database, Time()) as other:
            contest = await one.announced()
            entries = [each.contests.enter(contest.id, player) for each in (one, other, one, other) for _ in range(5)]
            games = await asyncio.gather(*entries)
            assert len({game.id for game, _ in games}) == 1
            assert sum(fresh for _, fresh in games) == 1
            assert (await one.contests.of(contest.id)).entries == {player: games[0][0].id}

    asyncio.run(run())
    assert sum(isinstance(one.event, ev.Opened) for one in log(database)) == 1


def test_a_crowd_enters_at_once_and_everybody_is_dealt_one_game(database: str) -> None:
    async def run() -> None:
        players = [uuid4() for _ in range(60)]
        async with house(database, Time()) as one, house(database, Time()) as other:
            contest = await one.announced()
            games = await asyncio.gather(
                *((one, other)[at % 2].contests.enter(contest.id, player) for at, player in enumerate(players))
            )
            assert len({game.id for game, _ in games}) == len(players)
            assert set((await one.contests.of(contest.id)).entries) == set(players)

    asyncio.run(run())


@pytest.mark.parametrize("at", [NOON - 1, NOON + HOUR, DUE])
def test_before_the_opening_and_after_the_closing_nobody_is_let_in(database: str, at: int) -> None:
    async def run() -> str:
        clock = Time()
        async with house(database, clock) as one:
            contest = await one.announced()
            clock.now = at
            with pytest.raises(Illegal) as refused:
                await one.contests.enter(contest.id, uuid4())
            return refused.value.rule

    assert asyncio.run(run()) == "contest_not_open"
    assert not any(isinstance(one.event, ev.Opened) for one in log(database))


def test_everybody_has_the_same_cards_under_keys_of_their_own_and_the_proof_checks(database: str) -> None:
    async def run() -> None:
        clock = Time()
        async with house(database, clock) as one:
            for kind in daily_game_types():
                contest = await one.announced(kind.key)
                games = [(await one.contests.enter(contest.id, uuid4()))[0] for _ in range(3)]
                streams = [await one.store.records(game.id) for game in games]
                assert len({msgspec.json.encode([one.event for one in stream[2:]]) for stream in streams}) == 1
                assert len({stream[1].event.digest_key for stream in streams}) == 3
                assert games[0].state == solving.seeded(
                    kind, kind.get(OptionRules).settle(kind.options(), 1), contest.seed
                )
                clock.now = DUE
                await one.contests.closing.close(contest.id)
                clock.now = NOON
                told = (await one.store.records(contest.id))[-1].event
                options = msgspec.convert(contest.announced.options, kind.options, strict=False)
                assert commitment(contest.id, kind.key, options, told.seed) == contest.announced.commitment
                assert [verify(await one.store.records(game.id)) for game in games] == [[], [], []]

    asyncio.run(run())


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
    assert due(conninfo) == 0


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
def test_a_closing_that_breaks_off_anywhere_is_gone_on_with(database: str, after: bool) -> None:
    async def run() -> None:
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

    asyncio.run(run())


def test_two_processes_close_at_once_and_everything_happens_once(database: str) -> None:
    async def run() -> tuple[UUID, list[UUID]]:
        clock = Time()
        async with house(database, clock) as one, house(database, clock) as other:
            contest = await one.announced()
            games = await played_out(one, contest)
            clock.now = DUE
            await asyncio.gather(*(each.contests.closing.close(contest.id) for each in (one, other)))
            return contest.id, games

    closed_whole(database, *asyncio.run(run()))


def test_nothing_is_closed_before_it_is_due(database: str) -> None:
    async def run() -> UUID:
        clock = Time(DUE)
        clock.now = NOON
        async with house(database, clock) as one:
            contest = await one.announced()
            clock.now = DUE - 1
            assert await one.contests.closing.due() == []
            await one.contests.closing.close(contest.id)
            return contest.id

    assert topics(database, asyncio.run(run()))["Closed"] == 0


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


def test_whoever_is_let_in_at_the_last_moment_is_ended_before_the_seed_is_told(database: str) -> None:
    async def run() -> tuple[UUID, list[UUID]]:
        async with house(database, Time()) as behind, house(database, Time(DUE), Late) as one:
            contest = await behind.announced()
            games = await played_out(behind, contest)

            async def let_in() -> None:
                games.append((await behind.contests.enter(contest.id, uuid4()))[0].id)

            Late.let_in = let_in
            await one.contests.closing.close(contest.id)
            return contest.id, games

    contest, games = asyncio.run(run())
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
    """Of these deals of Pyramid the first cannot be won, and the others can."""
    kind, seeds = GAME_TYPES["pyramid"], [bytes([number]) * 32 for number in range(3)]
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
