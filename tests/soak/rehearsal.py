"""One fault after another under load: how long nobody was acknowledged a command, and until all was as before."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import httpx
import psycopg

from tests.api.bursts import command
from tests.faults.load import Load
from tests.faults.shortages import children
from tests.faults.test_silence import Watching
from tests.faults.world import Program, World, until

from .patroni import Cluster
from .watchdog import ends_of_logs

_STANDS = """
SELECT (SELECT count(DISTINCT process) FROM leases WHERE process IN (SELECT number FROM processes)),
       (SELECT count(*) FROM leases WHERE process NOT IN (SELECT number FROM processes)),
       (SELECT count(*) FROM positions WHERE live AND position < %s),
       (SELECT count(*) FROM worker_state WHERE seen_at > now() - interval '5 s' AND active_since IS NOT NULL),
       (SELECT count(*) FROM worker_state WHERE seen_at > now() - interval '5 s')
"""
_WELL = (2, 0, 0, 1, 2)
"""Two processes have every game, no read model is behind, one worker keeps them and one stands by."""
_PAUSE = 0.1  # seconds before a client asks again: less than it is told, so that the gap is measured finely
_HEADS = ("fault", "times", "median gap", "longest gap", "longest until settled", "503 with Retry-After", "other 5xx")


class Fault(NamedTuple):
    """What is done to the cluster, and the seconds that its median gap may take.

    `stays`: the primary stays the primary. `told`: somebody must be told 503 meanwhile.
    """

    name: str
    strike: Callable[[Cluster], object]
    most: float
    stays: bool = False
    told: bool = False

    def befall(self, world: World, cluster: Cluster) -> None:
        """Strike; returns when the node that must be the primary then is it."""
        leader, other = cluster.primary(), cluster.standby()
        heir = leader if self.stays else other
        world.did(self.name)
        self.strike(cluster)
        until(lambda: heir.is_("primary"), lambda: f"{heir.name} is the primary\n{ends_of_logs(cluster.folder)}")


class Round(NamedTuple):
    """One fault: the longest time without an acknowledged command from then on, and what was answered meanwhile."""

    fault: Fault
    gap: float
    told: int
    untold: int
    settled: float


class Pulse:
    """Notes when commands were acknowledged, and each answer that was none."""

    def __init__(self, running: Load) -> None:
        self._running, self._over = running, threading.Event()
        self._beats: list[float] = []
        self.told = self.untold = 0
        for client in running.clients:
            client._http.event_hooks = {"response": [self._note]}

    def _note(self, answer: httpx.Response) -> None:
        if answer.status_code == 503 and int(answer.headers.get("retry-after", "0")) > 0:
            self.told += 1
            time.sleep(_PAUSE)
        elif answer.status_code >= 500:
            self.untold += 1

    @contextmanager
    def felt(self) -> Iterator[None]:
        """Felt for the length of a `with` block."""
        thread = threading.Thread(target=self._feel, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _feel(self) -> None:
        last = 0
        while not self._over.wait(0.005):
            if (now := self._running.acknowledged) != last:
                last = now
                self._beats.append(time.monotonic())

    def longest_gap(self, since: float) -> float:
        """Seconds between two acknowledged commands from this instant on."""
        return max(
            later - earlier for earlier, later in pairwise([since, *(one for one in self._beats if one > since)])
        )


class Spectator(threading.Thread):
    """Follows one game's stream, and takes it up again behind the last frame where it broke off."""

    def __init__(self, world: World, game: str) -> None:
        super().__init__(daemon=True)
        self._url = f"{world.url}/v1/games/{game}/events"
        self.heard: list[int] = []
        self.connections = 0

    def run(self) -> None:
        while True:
            with suppress(httpx.HTTPError):
                self._listen()
            time.sleep(0.2)

    def _listen(self) -> None:
        asked = {"accept": "text/event-stream", "last-event-id": str(self.heard[-1] if self.heard else 0)}
        with httpx.stream("GET", self._url, headers=asked, timeout=60) as answer:
            self.connections += answer.status_code == 200
            for line in answer.iter_lines() if answer.status_code == 200 else ():
                if line.startswith("id: ") and line[4:].isdigit():
                    self.heard.append(int(line[4:]))


class Rehearsal:
    """An installation on a cluster, its load, and what came of each fault."""

    def __init__(self, world: World, cluster: Cluster, running: Load, workers: tuple[Program, Program]) -> None:
        self._world, self._cluster, self.running = world, cluster, running
        self.pulse, self.rounds = Pulse(running), list[Round]()
        self._ada = Watching(world)
        self._path = f"/v1/games/{self._ada.games[0]}"
        self.spectators = [Spectator(world, self._ada.games[0]) for _ in range(2)]
        for spectator in self.spectators:
            spectator.start()
        world.others |= set(self._ada.games)
        self._workers = workers
        self._began = self._pids()

    def _pids(self) -> list[int]:
        own = [program.process.pid for program in self._workers if program.process is not None]
        return sorted([*own, *(child.pid for child in children(self._world))])

    def suffer(self, fault: Fault) -> Round:
        """One fault under load, until all is as before."""
        self.running.grow(60)
        told, untold = self.pulse.told, self.pulse.untold
        fault.befall(self._world, self._cluster)
        at = self._world.struck
        self.running.grow(40)
        gap = self.pulse.longest_gap(at)
        self._settle()
        settled = time.monotonic() - at
        found = Round(fault, gap, self.pulse.told - told, self.pulse.untold - untold, settled)
        self.rounds.append(found)
        self._cluster.mend()
        self._world.await_ready()
        return found

    def _settle(self) -> None:
        """Until leases, workers and streams are as they were, and every process is the one that it was."""
        number = len(self.rounds)
        said = {"json": command(number), "headers": {"idempotency-key": f"after round {number}"}}
        version = self._ada.answered("POST", f"{self._path}/commands", **said).json()["version"]
        until(lambda: all(one.heard[-1:] == [version] for one in self.spectators), "streams tell the next command")
        with psycopg.connect(self._cluster.dsn, autocommit=True) as connection:
            head = connection.execute("SELECT head FROM log").fetchone()
            stands = lambda: tuple(connection.execute(_STANDS, head).fetchone() or ())  # noqa: E731
            until(lambda: stands() == _WELL, lambda: f"leases and workers are as before: {stands()}")
        assert self._pids() == self._began, "a process was lost"

    def faults(self) -> Iterator[str]:
        """What streams and answers have come to, and medians that are too long."""
        told = self._ada.answered("GET", f"{self._path}/frames?limit=500").json()["frames"]
        versions = [frame["version"] for frame in told]
        yield from (f"a stream told {one.heard}, not {versions}" for one in self.spectators if one.heard != versions)
        for one in self.rounds:
            if one.untold:
                yield f"{one.fault.name}: {one.untold} answers were neither right nor 503 with Retry-After"
            if one.fault.told and not one.told:
                yield f"{one.fault.name}: nobody was told 503"
        for fault, gaps in self._gaps().items():
            if (middle := median(gaps)) > fault.most:
                yield f"{fault.name}: the median gap is {middle:.1f} s, more than {fault.most:g}"

    def _gaps(self) -> dict[Fault, list[float]]:
        found: dict[Fault, list[float]] = {}
        for one in self.rounds:
            found.setdefault(one.fault, []).append(one.gap)
        return found

    def table(self) -> Iterator[str]:
        """The rounds by fault, as lines of Markdown."""
        yield f"| {' | '.join(_HEADS)} |"
        yield "|---" * len(_HEADS) + "|"
        for fault, gaps in self._gaps().items():
            rounds = [one for one in self.rounds if one.fault == fault]
            seconds = (median(gaps), max(gaps), max(one.settled for one in rounds))
            counts = (sum(one.told for one in rounds), sum(one.untold for one in rounds))
            cells = [fault.name, len(gaps), *(f"{one:.1f} s" for one in seconds), *counts]
            yield f"| {' | '.join(map(str, cells))} |"
