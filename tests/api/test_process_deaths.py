"""A process dies or stands still: others go on with its games, and nothing acknowledged is lost or doubled."""

import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from service.event_store.ids import now
from service.live.slots import slot_of
from service.postgres import Server
from tests.service.event_store.made import waiting_for_a_lock

from . import truth
from .bursts import DRAW, Burst, fail_early, whole
from .houses import House, house, until
from .playing import look, opened, say
from .serving import Player, Service, registered, serving
from .watching import metric


class Persistent(Burst):
    """Commands to any process that lives, each again until it is acknowledged; when each was."""

    def __init__(self, house: House, player: Player, seed: int, at: Service) -> None:
        super().__init__(player, house.opened_at(player, at))
        self._house, self._lots = house, Random(seed)
        self.times: list[float] = []

    def on(self, stopped: Event, most: int) -> None:
        """Go on until stopped, and for so many commands at least."""
        while self.said < most or not stopped.is_set():
            answer = self._acknowledged()
            assert answer.status_code == 200, answer.text
            self.acknowledged[str(self.said)] = answer.content
            self.said += 1
            self.times.append(time.monotonic())

    def _acknowledged(self) -> httpx.Response:
        while True:
            at = self._lots.choice(self._house.services)
            try:
                answer = self.say(self._house.speaking(self.player, at), self.said)
            except httpx.TransportError:
                continue
            if answer.status_code != 503:
                return answer


def going_on(saying: "list[Future[None]]") -> bool:
    fail_early(saying)
    return True


def test_the_games_of_a_killed_process_go_on_and_nothing_acknowledged_is_lost_or_doubled(
    postgres: Server, template_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with house(postgres, template_database) as two:
        killed, left = two.services
        players = [registered(left, f"Player {number}") for number in range(6)]
        bursts = [Persistent(two, player, seed, killed if seed % 2 else left) for seed, player in enumerate(players)]
        stopped = Event()
        with ThreadPoolExecutor(len(bursts)) as pool:
            saying = [pool.submit(burst.on, stopped, 30) for burst in bursts]
            until(lambda: going_on(saying) and sum(burst.said for burst in bursts) > 120)
            began = time.monotonic()
            killed.process.kill()
            two.services = [left]  # a new list: somebody may just be choosing from the old one
            until(lambda: going_on(saying) and all(burst.times[-1] > began + 0.5 for burst in bursts[1::2]))
            stopped.set()
            for one in saying:
                one.result()
        for burst in bursts:
            whole(left, burst, burst.player.on(left))
        killed.process.wait()
        took = [min(at for at in burst.times if at > began) - began for burst in bursts[1::2]]
        with capsys.disabled():
            sys.stdout.write(f"\nfirst commands in the killed process's games after {max(took):.2f} s\n")


def test_who_takes_a_game_over_shows_it_as_the_killed_process_left_it(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database) as two:
        killed, left = two.services
        ada = registered(left, "Ada")
        game = two.opened_at(ada, killed)
        assert look(ada, game)["version"] == game["version"]
        for _ in range(3):
            say(two.speaking(ada, killed), game, DRAW)
        killed.process.kill()
        until(lambda: two.shared_by([left]))
        assert look(ada, game)["version"] == game["version"] + 3
        killed.process.wait()


def test_a_process_that_is_started_after_a_kill_has_all_games_at_once(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database, 1) as one:
        ada = registered(one.services[0], "Ada")
        game = opened(ada)
        one.services[0].process.kill()
        with serving(one.conninfo, run_worker=False) as after:
            answer = say(ada.on(after), game, DRAW)
            assert (answer.status_code, answer.json()["version"]) == (200, game["version"] + 1)
        one.services[0].process.wait()


@contextmanager
def frozen(service: Service) -> Iterator[None]:
    """While the process stands still."""
    service.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        service.process.send_signal(signal.SIGCONT)


def test_a_frozen_process_is_fenced_and_what_it_had_queued_is_judged_again(
    postgres: Server, template_database: str
) -> None:
    with house(postgres, template_database) as two, ThreadPoolExecutor(3) as pool:
        ice, left = two.services
        ada = registered(left, "Ada")
        first, second, third = (two.opened_at(ada, ice) for _ in range(3))
        watcher = ada.on(ice)
        look(watcher, third)
        with log_held(two.conninfo) as held:
            written = pool.submit(say_until_told, ada.on(ice), first)
            until(lambda: waiting_for_a_lock(two.conninfo) == 1)
            queued = pool.submit(say_until_told, ada.on(ice), second)
            until(lambda: metric(ice, "kibitz_append_queue") >= 1)  # and perhaps that the token was used today
            with frozen(ice):
                held.close()
                until(lambda: two.shared_by([left]))
                assert look(ada, second)["version"] == second["version"]
                assert say(ada, third, DRAW).json()["version"] == third["version"] + 1
                asked = pool.submit(look, watcher, third)  # it waits in the socket, and is the first to be read
                until(lambda: unread(ice) > 0)
                left.process.send_signal(signal.SIGSTOP)  # else it may give the leases back before the queue is judged
                thawed = now()
        try:
            until(lambda: metric(ice, "kibitz_appends_total", outcome="failed") >= 1)
        finally:
            left.process.send_signal(signal.SIGCONT)
        assert asked.result()["version"] == third["version"] + 1
        assert queued.result().status_code == 200, queued.result().text
        assert written.result().json()["version"] == first["version"] + 1
        recorded = truth.records(left, second)[-1].time
        assert recorded >= thawed, "what was decided before the process stood still was stored"
        for game in (first, second, third):
            assert [look(ada.on(one), game)["version"] for one in two.services] == [game["version"] + 1] * 2
        until(lambda: two.shared_by(two.services))


def say_until_told(player: Player, game: dict[str, Any]) -> httpx.Response:
    """The answer to a draw, said again as long as it is 503: so long may a process stand still."""
    while (answer := say(player, game, DRAW, headers={"idempotency-key": "draw"})).status_code == 503:
        time.sleep(0.05)
    return answer


def unread(service: Service) -> int:
    """How many bytes wait in the sockets of its connections; proc_net_tcp(5)."""
    ours, established = f":{httpx.URL(service.url).port:04X}", "01"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(int(it[4].partition(":")[2], 16) for it in lines if it[1].endswith(ours) and it[3] == established)


@contextmanager
def log_held(conninfo: str) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    """While somebody else holds the log's row."""
    with psycopg.connect(conninfo) as connection:
        connection.execute("SELECT head FROM log FOR UPDATE")
        yield connection


def test_processes_whose_locks_were_lost_come_back(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database) as two:
        first, stopped = two.services[0], Event()
        burst = Persistent(two, registered(first, "Ada"), 7, first)
        lost = locks_ended(two.conninfo)
        stopped.set()
        for most in range(20):
            burst.on(stopped, most)
            time.sleep(0.02)
        until(lambda: len(holders(two.conninfo) - lost) == 2 and two.shared_by(two.services))
        whole(first, burst, burst.player.on(first))
        assert slot_of(UUID(burst.game["id"])) in two.owners()


def holders(conninfo: str) -> set[int]:
    """The connections that hold the locks of processes."""
    named = "SELECT pid FROM pg_stat_activity WHERE application_name = %s AND datname = current_database()"
    with psycopg.connect(conninfo) as connection:
        return {pid for (pid,) in connection.execute(named, ["kibitz process"]).fetchall()}


def locks_ended(conninfo: str) -> set[int]:
    """End these connections; which they were."""
    found = holders(conninfo)
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s::int[]) AS pid", [list(found)])
    return found
