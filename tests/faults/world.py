"""An installation to be hurt: PostgreSQL under its guard, an API process and a worker process on fixed addresses."""

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID

import httpx
import psutil

from service.event_store.schema import migrate
from service.postgres import Server, guard_server, start, stop
from tests import forking
from tests.clusters import run_program
from tests.ports import free_ports

ROOT = Path(__file__).parents[2]
KIBITZ = (sys.executable, "-m", "service.cli")
_PATH = os.pathsep.join((str(Path(__file__).with_name("telling")), str(ROOT)))
SILENCE = 2.0
"""Seconds after which these processes take a silent database for gone."""
_QUICK = {
    "KIBITZ_DATABASE_SILENCE": str(SILENCE), "KIBITZ_RATE_LIMIT_PER_MINUTE": "10000000", "KIBITZ_HEARTBEAT": "0.5",
    "KIBITZ_SAME_DEAL_DAYS": "false", "KIBITZ_CERTIFIED_DEALS": "0",
    "KIBITZ_BAR_FROM_TABLES": "false", "KIBITZ_CLOCK_SECONDS": "0.2",
}  # fmt: skip
LIMIT = 240.0
"""Seconds that any condition is waited for before it counts as a failure."""
_END = 45.0


def until(true: Callable[[], bool], what: str | Callable[[], str]) -> None:
    """Wait for the condition; raises AssertionError with what was waited for, told then if it is a call."""
    end = time.monotonic() + LIMIT
    while not true():
        assert time.monotonic() < end, f"in vain: {what if isinstance(what, str) else what()}"
        time.sleep(0.02)


class Program:
    """One process of the installation, which can be killed and started again."""

    popen: ClassVar[type["subprocess.Popen[bytes]"]] = forking.Popen
    """`subprocess.Popen` where a start is to want memory and files, and what is started to have no warm process."""

    def __init__(self, folder: Path, *arguments: str, **more: str) -> None:
        self._command = [*KIBITZ, *arguments]
        self._log = folder / f"{arguments[0]}.log"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("KIBITZ_", "DATABASE_URL"))}
        keys = {"KIBITZ_DATA_FOLDER": str(folder)}
        self.environment = {**kept, "PYTHONPATH": _PATH, "PYTHONFAULTHANDLER": "1", **_QUICK, **keys, **more}
        self.process: subprocess.Popen[bytes] | None = None
        self.began = 0.0

    def start(self) -> None:
        """Start it, in a process group of its own."""
        self.began = time.monotonic()
        with open(self._log, "ab") as log:
            self.process = self.popen(
                self._command, stdout=log, stderr=log, cwd=ROOT, env=self.environment, start_new_session=True
            )

    def end(self, number: int = signal.SIGKILL) -> None:
        """Send the signal and see its end."""
        if self.process is None or self.process.poll() is not None:
            return
        if number == signal.SIGKILL:
            os.killpg(self.process.pid, number)  # with the processes that it may have started
        else:
            self.process.send_signal(number)
        try:
            self.process.wait(_END)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)  # tells where every thread stands
            self.process.wait(_END)
            raise AssertionError(f"it did not end:\n{self.log()[-8000:]}") from None

    def log(self) -> str:
        """Everything it has said."""
        return self._log.read_text() if self._log.exists() else ""


class World:
    """The installation. `faults` counts what was done to it, by name; `loads` are those that it has borne, `others` the
    games that were no load's, `leavers` the players whose games are not."""

    def __init__(self, server: Server, conninfo: str, flags: tuple[str, ...] = (), **settings: str) -> None:
        self.server, self.conninfo = server, conninfo
        self.port = free_ports()
        self.url = f"http://127.0.0.1:{self.port}"
        self._flags = ("serve", "--port", str(self.port), "--no-worker", "--database-url", conninfo, *flags)
        self._settings = settings
        self.api = Program(server.folder, *self._flags, **settings)
        self.worker = Program(server.folder, "worker", "--database-url", conninfo)
        self.faults: dict[str, int] = {}
        self.loads: list[Any] = []
        self.others: set[str] = set()
        self.leavers: set[UUID] = set()
        self.last, self.struck = "none yet", 0.0
        self.outage = math.inf
        """Seconds for which a fault may keep everybody from being answered: by then it counts as over."""
        self.calm_since = math.inf
        """When the last fault was over, or must be; never while one is in force that may take its time."""

    def did(self, fault: str) -> None:
        """Count a fault."""
        self._count(fault)
        self.last, self.struck = fault, time.monotonic()
        self.calm_since = self.struck + self.outage

    def _count(self, fault: str) -> None:
        self.faults[fault] = self.faults.get(fault, 0) + 1

    def calm(self) -> None:
        """No fault is in force any more."""
        self.calm_since = min(self.calm_since, time.monotonic())

    def start(self) -> None:
        """Bring up API and worker, and wait until they answer."""
        self.worker.start()
        self.api.start()
        self.await_ready()

    def stop(self) -> None:
        """End both in good order."""
        for program in (self.api, self.worker):
            program.end(signal.SIGTERM)

    def shifted(self, seconds: float) -> None:
        """The API from its next start on with a clock that goes wrong by so many seconds."""
        wrong = {"CLOCK_SHIFT_SECONDS": str(seconds)}
        self.api = Program(self.server.folder, *self._flags, **{**self._settings, **wrong})

    def ready(self) -> bool:
        """Whether the API says so of itself. One that gave up at its start, without its database, is started again."""
        if self.api.process is not None and self.api.process.poll() is not None:
            self._count("API started again after it gave up")
            self.api.start()
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/readyz", timeout=30).status_code == 200
        return False

    def await_ready(self) -> None:
        """Wait until the API is ready. Whatever was wrong is over, but a start from nothing takes its time (on a busy
        machine more than a failover), and a failover what it may."""
        if self.api.began > self.struck:
            self.calm_since = math.inf
        elif math.isinf(self.outage):
            self.calm()
        until(self.ready, lambda: f"the API is ready\n{self.stands()}")
        self.calm()

    def stands(self) -> str:
        """What the API says of its readiness, and its log with where each thread was: it is ended by this."""
        said = "no answer"
        with suppress(httpx.TransportError):
            said = httpx.get(f"{self.url}/readyz", timeout=30).text
        self.api.end(signal.SIGABRT)
        return f"{said}\n{self.api.log()[-20000:]}"

    def backends(self) -> list[psutil.Process]:
        """Every process of PostgreSQL, the postmaster last."""
        postmaster = psutil.Process(self.server.pid)
        return [*postmaster.children(), postmaster]


@contextmanager
def installed(
    folder: Path,
    settings: Mapping[str, str] | None = None,
    flags: tuple[str, ...] = (),
    small_segments: bool = False,
    **environment: str,
) -> Iterator[World]:
    """An installation for the length of a `with` block, with durable data; its PostgreSQL is guarded.

    With `small_segments` its log is written in files of 1 MB instead of 16. `environment`: the API's settings.
    """
    if small_segments:
        _with_small_segments(folder)
    server = start(folder, settings)
    try:
        with guard_server(server), installed_on(server, flags, **environment) as world:
            yield world
    finally:
        stop(server)


@contextmanager
def installed_on(server: Server, flags: tuple[str, ...] = (), **environment: str) -> Iterator[World]:
    """The same on a PostgreSQL that runs, and that somebody watches over."""
    migrate(server.dsn)
    world = World(server, server.dsn, flags, **environment)
    try:
        world.start()
        yield world
    finally:
        world.stop()


def _with_small_segments(folder: Path) -> None:
    server = start(folder)
    stop(server)
    done = run_program("pg_resetwal", "--wal-segsize=1", str(server.data.cluster), data=server.data)
    assert done.returncode == 0, done.stderr
