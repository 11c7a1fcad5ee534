"""The watchdog of the soak: where no client is answered for a while and no fault is in force, it writes down how every
process and every lock of the database stand, and counts that as a finding.
"""

import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg

from tests.faults.load import Load
from tests.faults.world import Program, World

LIMIT = 10.0
"""Seconds without an answer."""
_LOOK = 0.5
_TOLD = 60_000  # characters of each log
_ASKED = (
    "SELECT pid, application_name, state, wait_event_type, wait_event, xact_start, query_start, pg_blocking_pids(pid),"
    " left(query, 200) FROM pg_stat_activity ORDER BY pid",
    "SELECT pid, locktype, relation::regclass, transactionid, classid, objid, mode, granted FROM pg_locks ORDER BY pid",
)


class Watchdog:
    """Looks at one load on one installation; `findings` has a sentence for each time that it barked."""

    def __init__(self, world: World, running: Load) -> None:
        self._world, self._running = world, running
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self.findings: list[str] = []
        self.longest = (0.0, "")
        """The longest silence in seconds, and the fault before it."""

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch for the length of a `with` block."""
        self._thread.start()
        try:
            yield
        finally:
            self._over.set()
            self._thread.join()

    def _watch(self) -> None:
        barked = 0.0
        while not self._over.wait(_LOOK):
            since = max(self._running.answered_at, self._world.calm_since)
            silent = time.monotonic() - since
            self.longest = max(self.longest, (silent, self._world.last))
            if silent > LIMIT and since != barked:
                barked = since
                self.find(
                    f"no client was answered for {silent:.0f} s without a fault; the last was: {self._world.last}"
                )

    def find(self, what: str) -> None:
        """Write down how everything stands."""
        descriptor, name = tempfile.mkstemp(prefix="kibitz-soak-finding-", suffix=".txt")
        with os.fdopen(descriptor, "w") as file:
            file.write(f"{what}\nfaults so far: {self._world.faults}\n\n")
            told = [_database(self._world), ends_of_logs(self._world.server.folder)]
            file.write("\n\n".join([*told, *map(_stacks, (self._world.api, self._world.worker))]))
        self.findings.append(f"{what}: {name}")


def ends_of_logs(folder: Path) -> str:
    """What PostgreSQL, and whoever watches over it, have said last."""
    logs = [log for log in sorted(folder.glob("*.log")) if log.stem not in ("serve", "worker")]
    return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}" for log in logs)


def _database(world: World) -> str:
    try:
        with psycopg.connect(world.conninfo, connect_timeout=5) as connection:
            connection.execute("SET statement_timeout = '5s'")
            told = [connection.execute(sql.encode()).fetchall() for sql in _ASKED]
    except (psycopg.Error, OSError) as error:
        return f"the database: {error}"
    return "\n\n".join("\n".join(map(str, rows)) for rows in told)


def _stacks(program: Program) -> str:
    """Every thread of the program and of the processes that it has started, as they tell in its log."""
    processes: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        if program.process is not None:
            processes = [psutil.Process(program.process.pid)]
            processes += processes[0].children(recursive=True)
    listed = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            listed.append(f"{process.pid} {process.status()} {' '.join(process.cmdline())}")
            if "service.cli" in process.cmdline() or "service.cli.api_process" in process.cmdline():
                process.send_signal(signal.SIGUSR2)
    time.sleep(2.0)
    lines = [line for line in program.log().splitlines() if '"logger":"commands"' not in line]
    return "\n".join([*listed, "\n".join(lines)[-_TOLD:]])


def keep_logs(world: World) -> Path:
    """A folder with everybody's logs, which outlives the run."""
    kept = Path(tempfile.mkdtemp(prefix="kibitz-soak-logs-"))
    for log in world.server.folder.glob("*.log"):
        shutil.copy(log, kept)
    return kept
