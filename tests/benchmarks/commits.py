"""Plain durable commits: one row a transaction, psycopg, prepared, autocommit; a program and whoever runs it.

`python -m tests.benchmarks.commits CONNINFO CONNECTIONS BYTES`: then, per line of stdin, so many seconds of it.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Barrier, Thread
from time import perf_counter
from typing import NamedTuple
from uuid import uuid4

import psycopg

from .measures import percentile
from .programs import Program, running

TABLE = "CREATE TABLE IF NOT EXISTS plain (stream uuid, version int, state bytea, PRIMARY KEY (stream, version))"
INSERT = "INSERT INTO plain VALUES (%b, %b, %b)"
_PGBENCH = "INSERT INTO plain VALUES (gen_random_uuid(), 1, decode(repeat('ab', {size}), 'hex'));\n"
PROCESSES = 2


class Committing:
    """One connection that inserts and commits, row by row, until the time is up."""

    def __init__(self, conninfo: str, size: int) -> None:
        self.connection = psycopg.connect(conninfo, autocommit=True, prepare_threshold=0)
        self.stream, self.version, self.state = uuid4(), 0, bytes(size)
        self.took: list[float] = []

    def until(self, barrier: Barrier, seconds: float, counts: list[int]) -> None:
        """Commit for so many seconds and tell how often."""
        barrier.wait()
        before, now = self.version, perf_counter()
        self.took, end = [], now + seconds
        while now < end:
            self.version, began = self.version + 1, now
            self.connection.execute(INSERT, (self.stream, self.version, self.state), prepare=True)
            now = perf_counter()
            self.took.append(now - began)
        counts.append(self.version - before)


class Pace(NamedTuple):
    """Commits a second, and the milliseconds that 99 of 100 did not exceed."""

    rate: float
    p99: float


def _together(committing: list[Committing], seconds: float) -> Pace:
    """These connections, one thread each."""
    barrier, counts = Barrier(len(committing) + 1), list[int]()
    threads = [Thread(target=one.until, args=(barrier, seconds, counts)) for one in committing]
    for thread in threads:
        thread.start()
    barrier.wait()
    began = perf_counter()
    for thread in threads:
        thread.join()
    slow = percentile([one for each in committing for one in each.took], 0.99)
    return Pace(sum(counts) / (perf_counter() - began), 1e3 * slow)


class PlainCommits:
    """Processes that commit together."""

    def __init__(self, programs: list[Program]) -> None:
        self._programs = programs

    def rate(self, seconds: float) -> float:
        """Commits a second."""
        return self.run(seconds).rate

    def run(self, seconds: float) -> Pace:
        """Commits a second of all of them, and the slowest process's p99."""
        for program in self._programs:
            program.write(b"%f\n" % seconds)
        paces = [Pace(*map(float, program.line().split())) for program in self._programs]
        return Pace(sum(pace.rate for pace in paces), max(pace.p99 for pace in paces))


@contextmanager
def plain_commits(conninfo: str, connections: int, size: int) -> Iterator[PlainCommits]:
    """The processes for the length of a `with` block."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(TABLE)
    shares = [connections] if connections < PROCESSES else [connections // PROCESSES] * PROCESSES
    with ExitStack() as stack:
        words = [["-m", __name__, conninfo, str(share), str(size)] for share in shares]
        programs = [stack.enter_context(running(one)) for one in words]
        for program in programs:
            program.line()
        yield PlainCommits(programs)


def pgbench(program: Path, conninfo: str, connections: int, size: int) -> float | None:
    """Commits in a second of the same row by PostgreSQL's own C client; None where there is no such program."""
    if not program.exists():
        return None
    with NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(_PGBENCH.format(size=size))
        file.flush()
        words = ["-n", "-M", "prepared", "-T", "1", "-c", str(connections), "-j", str(min(2, connections))]
        done = subprocess.run([program, *words, "-f", file.name, conninfo], capture_output=True, text=True, check=True)
    return next(float(line.split()[2]) for line in done.stdout.splitlines() if line.startswith("tps ="))


def main(conninfo: str, connections: str, size: str) -> None:
    """The program."""
    committing = [Committing(conninfo, int(size)) for _ in range(int(connections))]
    print("ready", flush=True)
    for line in sys.stdin:
        print(*_together(committing, float(line)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
