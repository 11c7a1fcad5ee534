"""A release is rolled out and back beside the program before it, as UPGRADE.md says, while games are played."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import sleep

import httpx
import psycopg
import pytest

from service.event_store import schema
from service.event_store.errors import SchemaNewer
from service.event_store.schema import Migration, migrations
from tests.api.bursts import command
from tests.api.playing import look, of, opened
from tests.api.serving import KEYS, Player, Service, registered

from .programs import EXPANDING, NEWEST, NEXT, THIS, kibitz, release

PLAYERS = 4


class Fleet:
    """The processes that run now; who asks is sent to one after the other, as by a balancer."""

    def __init__(self) -> None:
        self.running: list[Service] = []
        self._turn = 0

    def next(self) -> Service:
        self._turn += 1
        running = (*self.running,)  # whoever asks is one of several threads, and meanwhile one may be retired
        return running[self._turn % len(running)]


class Playing:
    """A player who draws until told to stop; each command is repeated with its key until it is acknowledged."""

    def __init__(self, fleet: Fleet, player: Player) -> None:
        self.fleet, self.player, self.game, self.acknowledged = fleet, player, opened(player), 0
        self.done: Future[None] = Future()

    def until(self, stop: Event) -> None:
        while not stop.is_set():
            self._say(self.acknowledged)
            self.acknowledged += 1

    def _say(self, number: int) -> None:
        while True:
            try:
                to = self.fleet.next().url + of(self.game, "/commands")
                answer = self.player.http.post(to, json=command(number), headers={"idempotency-key": f"{number}"})
            except httpx.TransportError:
                continue
            if answer.status_code == 200:
                return
            assert answer.status_code == 503, answer.text


@contextmanager
def played(fleet: Fleet) -> Iterator[list[Playing]]:
    """Games that go on throughout the block."""
    stop, service = Event(), fleet.running[0]
    playing = [Playing(fleet, registered(service, f"Player {number}")) for number in range(PLAYERS)]
    with ThreadPoolExecutor(PLAYERS) as pool:
        for one in playing:
            one.done = pool.submit(one.until, stop)
        try:
            yield playing
        finally:
            stop.set()
    for one in playing:
        one.done.result()


def further(playing: list[Playing]) -> None:
    """Wait until everybody has drawn a few times more."""
    before = [one.acknowledged for one in playing]
    while min(one.acknowledged - then for one, then in zip(playing, before, strict=True)) < 5:
        assert not any(one.done.done() for one in playing)
        sleep(0.01)


@pytest.fixture
def fleet() -> Iterator[Fleet]:
    running = Fleet()
    yield running
    for service in running.running:
        service.end()


@pytest.fixture
def start(fleet: Fleet, database: str) -> Callable[[dict[str, str]], Service]:
    def started(program: dict[str, str]) -> Service:
        fleet.running.append(Service(database, program))
        return fleet.running[-1]

    return started


def retire(fleet: Fleet, service: Service) -> None:
    """As a balancer does: nobody is sent there any more, then it is ended."""
    fleet.running.remove(service)
    service.end()


def test_a_release_is_rolled_out_and_back_while_games_are_played(
    fleet: Fleet, start: Callable[[dict[str, str]], Service], database: str, tmp_path: Path
) -> None:
    this, following = THIS, release(tmp_path, EXPANDING)
    old = start(this)
    with played(fleet) as playing:
        further(playing)
        migrated = kibitz(following, database, "migrate")
        assert migrated.returncode == 0, migrated.stderr
        assert NEXT in migrated.stdout
        further(playing)
        new = start(following)
        further(playing)
        retire(fleet, old)
        further(playing)
        again = start(this)
        further(playing)
        retire(fleet, new)
        further(playing)
        assert kibitz(this, database, "migrate").returncode == 0
    for one in playing:
        assert look(one.player.on(again), one.game)["version"] == 3 + one.acknowledged
    verified = kibitz(this, database, "verify", "--all", KIBITZ_SIGNING_KEYS=str(KEYS))
    assert verified.returncode == 0, verified.stdout + verified.stderr


@pytest.mark.parametrize("said", ["", f"-- safe for: {NEWEST + 1:04}\n"])
def test_a_migration_that_does_not_leave_this_program_working_keeps_it_out(
    said: str, database: str, tmp_path: Path
) -> None:
    following = release(tmp_path, said + "CREATE TABLE colours (player uuid PRIMARY KEY)")
    assert kibitz(following, database, "migrate").returncode == 0
    with pytest.raises(SchemaNewer, match=NEXT):
        schema.check(database)
    refused = kibitz(THIS, database, "migrate")
    assert refused.returncode == 1
    assert NEXT in refused.stderr


def test_what_a_migration_said_of_older_programs_stands_in_the_database(database: str, tmp_path: Path) -> None:
    assert kibitz(release(tmp_path, EXPANDING), database, "migrate").returncode == 0
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT safe_for FROM schema_migrations WHERE name = %s", [NEXT]).fetchone()
    assert row == (NEWEST,)


@pytest.mark.parametrize("migration", [one for one in migrations() if one.number > 10], ids=lambda one: one.name)
def test_every_migration_says_which_programs_it_leaves_working(migration: Migration) -> None:
    """The first ten came before the rule."""
    assert migration.safe_for is not None
    assert migration.safe_for < migration.number
