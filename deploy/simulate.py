"""What many games would need: commands through API processes, the log's one row, PostgreSQL and its standby, simulated.

`python deploy/simulate.py` prints what it says of machines that were measured, then what it says of larger ones (needs
the development dependencies). All costs are microseconds of one core of the machine of `tests/benchmarks/RESULTS.md`,
where each was measured. What it does not know: the operating system's turns, garbage collection, slow requests beside;
so its p99 is the queues' alone, and a real one lies above.
"""

import math
import random
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from typing import Any

import simpy

Steps = Generator[Any, Any, None]
MOST = 256
"""Appends of one batch: `MAX_BATCH` of the service."""
_PATIENCE = 60.0  # seconds of a simulation that does not come to rest


@dataclass(frozen=True)
class Costs:
    """Microseconds of a core: the API's for a command and a batch, PostgreSQL's for both, worker's, client's."""

    command: float = 205
    batch: float = 190
    row: float = 23
    statement: float = 115
    worker: float = 23
    client: float = 40
    """It counts where the load comes from the same machine."""


@dataclass(frozen=True)
class Site:
    """Machines and lines. `flush` and `trip` are microseconds: a flush of the log, the way to a synchronous standby."""

    processes: int = 1
    cores: int = 2
    database_cores: int = 0
    """0: PostgreSQL, worker and clients run on the same `cores`."""
    flush: float = 73
    trip: float = 0
    costs: Costs = Costs()


@dataclass
class Result:
    """Commands a second; latencies in ms; the share of time that the log's row was held; appends of a batch; seconds
    after a gap until nobody waited any more."""

    rate: float
    p50: float
    p99: float
    row_held: float
    batch: float
    drained: float


class Machine:
    """Some cores, first come first served."""

    def __init__(self, env: simpy.Environment, cores: int) -> None:
        self._env, self._cores = env, simpy.Resource(env, cores)

    def work(self, microseconds: float) -> Steps:
        """Take a core for so long."""
        with self._cores.request() as core:
            yield core
            yield self._env.timeout(microseconds * 1e-6)


class Process:
    """One API process: a loop that does one thing at a time, and a writer with one batch on its way."""

    def __init__(self, simulation: "Simulation") -> None:
        self._in, self._env = simulation, simulation.env
        self._loop = simpy.Resource(self._env, 1)
        self._queue: deque[simpy.Event] = deque()
        self._news = self._env.event()
        self._env.process(self._write())

    def _turn(self, microseconds: float) -> Steps:
        with self._loop.request() as turn:
            yield turn
            yield from self._in.api.work(microseconds)

    def command(self) -> Steps:
        """Decide, append, answer."""
        cost = self._in.site.costs.command
        yield from self._turn(0.6 * cost)
        stored = self._env.event()
        self._queue.append(stored)
        if not self._news.triggered:
            self._news.succeed()
        yield stored
        yield from self._turn(0.4 * cost)

    def _write(self) -> Steps:
        site, costs = self._in.site, self._in.site.costs
        while True:
            if not self._queue:
                self._news = self._env.event()
                yield self._news
            batch = [self._queue.popleft() for _ in range(min(MOST, len(self._queue)))]
            yield from self._turn(costs.batch)
            with self._in.row.request() as held:  # until the commit is durable, on the standby too
                yield held
                began = self._env.now
                yield from self._in.database.work(costs.statement + costs.row * len(batch))
                yield self._env.timeout((site.flush + site.trip) * 1e-6)
                self._in.held(self._env.now - began, len(batch))
            self._env.process(self._in.database.work(costs.worker * len(batch)))
            for stored in batch:
                stored.succeed()


class Simulation:
    """A site under load."""

    def __init__(self, site: Site, seed: int = 1) -> None:
        self.site, self.env, self._lots = site, simpy.Environment(), random.Random(seed)
        self.api = Machine(self.env, site.cores)
        self.database = Machine(self.env, site.database_cores) if site.database_cores else self.api
        self.row = simpy.Resource(self.env, 1)
        self._processes = [Process(self) for _ in range(site.processes)]
        self._busy, self._batches, self._stored = 0.0, 0, 0
        self._latencies: list[tuple[float, float]] = []
        self._asked = 0

    def held(self, seconds: float, batch: int) -> None:
        """Count a batch, and how long it held the log's row."""
        self._busy, self._batches, self._stored = self._busy + seconds, self._batches + 1, self._stored + batch

    def _ask(self, process: Process) -> Steps:
        self._asked += 1
        began = self.env.now
        yield from process.command()
        self._latencies.append((self.env.now, self.env.now - began))

    def _client(self, process: Process) -> Steps:
        while True:
            yield from self.api.work(self.site.costs.client)
            yield from self._ask(process)

    def _arrivals(self, rate: float, gap: tuple[float, float]) -> Steps:
        while True:
            yield self.env.timeout(self._lots.expovariate(rate))
            process = self._lots.choice(self._processes)
            delay = gap[1] - self.env.now if gap[0] <= self.env.now < gap[1] else 0.0
            self.env.process(self._late(process, delay))

    def _late(self, process: Process, delay: float) -> Steps:
        """Who asks in a gap is told 503, and asks again spread over a second after it."""
        if delay:
            yield self.env.timeout(delay + self._lots.random())
        if not self.site.database_cores:
            yield from self.api.work(self.site.costs.client)
        yield from self._ask(process)

    def run_clients(self, clients: int, seconds: float = 4.0) -> Result:
        """So many clients, each asking as soon as it is answered."""
        for number in range(clients):
            self.env.process(self._client(self._processes[number % len(self._processes)]))
        return self._run(1.0, seconds)

    def run_rate(self, rate: float, seconds: float = 4.0, gap: tuple[float, float] = (0.0, 0.0)) -> Result:
        """So many commands a second, whenever they come; in the `gap`, from and to in seconds, nobody is answered."""
        self.env.process(self._arrivals(rate, gap))
        return self._run(gap[1] or 1.0, seconds, drain=rate * 0.05 if gap[1] else math.inf)

    def _run(self, start: float, seconds: float, drain: float = math.inf) -> Result:
        """From `start` for so many seconds, and until no more than `drain` commands wait."""
        self.env.run(start)
        self._busy, self._batches, self._stored, drained = 0.0, 0, 0, 0.0
        self.env.run(start + seconds)
        while self._asked - len(self._latencies) > drain and self.env.now < start + _PATIENCE:
            self.env.run(self.env.now + 0.1)
            drained = self.env.now - start
        lasted = self.env.now - start
        late = sorted(latency for at, latency in self._latencies if at >= start)
        return Result(
            len(late) / lasted, _share(late, 0.5), _share(late, 0.99), self._busy / lasted,
            self._stored / max(self._batches, 1), drained,
        )  # fmt: skip


def _share(latencies: list[float], share: float) -> float:
    return 1e3 * latencies[min(len(latencies) - 1, int(share * len(latencies)))]


@dataclass(frozen=True)
class Point:
    """A load that was measured: commands a second and p50 in ms as `tests/benchmarks/RESULTS.md` has them."""

    name: str
    run: Callable[[float], Result]
    rate: float
    p50: float


MEASURED = (
    Point("1 client", lambda seconds: Simulation(Site()).run_clients(1, seconds), 1533, 0.611),
    Point("16 clients", lambda seconds: Simulation(Site()).run_clients(16, seconds), 4050, 3.74),
    Point("64 clients", lambda seconds: Simulation(Site()).run_clients(64, seconds), 4175, 14.9),
    Point("64 clients, 1 ms more", lambda seconds: Simulation(Site(flush=1073)).run_clients(64, seconds), 4022, 15.1),
    Point("half load", lambda seconds: Simulation(Site()).run_rate(2452, seconds), 2452, 1.25),
)
_APART = Site(cores=16, database_cores=8, flush=500)


@dataclass(frozen=True)
class Question:
    """So many games at a command a minute each, at a site; with a `gap` in which nobody is answered."""

    name: str
    games: int
    site: Site
    gap: tuple[float, float] = (0.0, 0.0)


def sized(games: int, **more: Any) -> Site:
    """A site with as many processes as keep each below half of its core."""
    wanted = max(2, math.ceil(games / 60 * 250e-6 / 0.5))
    return replace(_APART, processes=wanted, cores=wanted, **more)


QUESTIONS = (
    *(Question(f"{games:,} games", games, sized(games)) for games in (10_000, 100_000, 1_000_000)),
    *(Question(f"{games:,} games, a flush of {flush / 1000:g} ms", games, sized(games, flush=flush))
      for games in (100_000, 1_000_000) for flush in (100.0, 5000.0)),
    Question("1,000,000 games, 18 processes", 1_000_000, replace(sized(1_000_000), processes=18, cores=18)),
    *(Question(f"{games:,} games, the standby {trip / 1000:g} ms away", games, sized(games, trip=trip))
      for games in (100_000, 1_000_000) for trip in (1000.0, 10_000.0, 60_000.0)),
    Question("100,000 games, one of two machines lost", 100_000, replace(sized(100_000), processes=1, cores=1)),
    Question("1,000,000 games, one of two machines lost", 1_000_000, replace(sized(1_000_000), processes=5, cores=5)),
    Question("100,000 games, after 20 s without a primary", 100_000, sized(100_000), (1.0, 21.0)),
    Question("1,000,000 games, after 20 s without a primary", 1_000_000, sized(1_000_000), (1.0, 21.0)),
)  # fmt: skip


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    lines = [list(head), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """The program."""
    told = [(point, point.run(4.0)) for point in MEASURED]
    sys.stdout.write(table(
        ("measured", "commands a second", "simulated", "p50 ms", "simulated"),
        ((point.name, f"{point.rate:,.0f}", f"{found.rate:,.0f}", f"{point.p50:g}", f"{found.p50:.3g}")
         for point, found in told),
    ) + "\n\n")  # fmt: skip
    asked = [(one, Simulation(one.site).run_rate(one.games / 60, 2.0, one.gap)) for one in QUESTIONS]
    sys.stdout.write(table(
        ("", "processes", "asked a second", "answered", "p50 ms", "p99 ms", "row held", "of a batch", "at rest after"),
        ((one.name, str(one.site.processes), f"{one.games / 60:,.0f}", f"{found.rate:,.0f}", f"{found.p50:,.1f}",
          f"{found.p99:,.1f}", f"{found.row_held:.0%}", f"{found.batch:.1f}",
          f"{found.drained:.1f} s" if one.gap[1] else "") for one, found in asked),
    ) + "\n")  # fmt: skip


if __name__ == "__main__":
    main()
