"""Threads beside the worker: each runs one kind of job, one at a time, in a child that gives way to play."""

import os
import pickle
import selectors
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

import structlog
from psycopg import Connection, Error

from service.event_store.connections import left_once_replaced, open_connection
from service.event_store.errors import StoreUnavailable
from service.event_store.reading import read_head
from service.jobs.process import LENGTH, Job, Start, command_of, to_frame
from service.settings import Settings
from service.telemetry.background import start_thread
from service.telemetry.metrics import JOB_STEPS

Child = subprocess.Popen[bytes]
_LOOK = 0.05  # seconds between two looks at the log
_STOP = 0.5  # seconds between looks at the stop flag
_BUSY = 250.0
"""Records a second for each core: while the log grows faster a search is paused."""
_LULL = 0.25  # seconds of less, after which it goes on
_LONGEST, _TURN = 30.0, 0.25
"""Seconds: a search that was paused so long goes on for so long, however fast the log grows."""
_log = structlog.get_logger("jobs")


class Pace:
    """Whether a search is paused: pure; it is given the log's head now and then."""

    def __init__(self, at: float, head: int, cores: int) -> None:
        self._at, self._head, self._busy = at, head, _BUSY * cores
        self._until, self._since = at, at

    def is_paused(self, at: float, head: int) -> bool:
        """Whether it is from now on; `at` in seconds."""
        if head - self._head > self._busy * (at - self._at):
            self._since = at if at >= self._until else self._since
            self._until = at + _LULL
        self._at, self._head = at, head
        return at < self._until and (at - self._since) % (_LONGEST + _TURN) < _LONGEST


@contextmanager
def search_process(name: str, start: Start, job: Job) -> Iterator[Child]:
    """A child with this job, in a session of its own, so that Ctrl-C is not for it; killed at the end."""
    (command, environment), pipe = command_of(name), subprocess.PIPE
    child = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True, env=environment)
    try:
        with suppress(BrokenPipeError):
            stdin: Any = child.stdin
            stdin.write(to_frame(start) + to_frame(job))
            stdin.flush()
        yield child
    finally:
        child.kill()
        child.wait()
        for end in (child.stdin, child.stdout):
            with suppress(BrokenPipeError):
                if end is not None:
                    end.close()


def read_notes(child: Child, head: Callable[[], int]) -> Iterator[Any]:
    """What the job finds, until its end or the child's; None at each silence. Paused while the log grows fast.

    `head`: reads the log's newest position.
    """
    stdout: Any = child.stdout
    text, paused = b"", False
    pace, looked = Pace(monotonic(), head(), os.cpu_count() or 1), monotonic()
    with selectors.DefaultSelector() as selector:
        selector.register(stdout, selectors.EVENT_READ)
        while True:
            if (at := monotonic()) - looked >= _LOOK:
                before, looked, paused = paused, at, pace.is_paused(at, head())
                if paused != before:
                    child.send_signal(signal.SIGSTOP if paused else signal.SIGCONT)
            if not selector.select(_LOOK):
                yield None
                continue
            if not (more := os.read(stdout.fileno(), 65_536)):
                return
            text += more
            while len(text) >= LENGTH and len(text) >= (end := LENGTH + int.from_bytes(text[:LENGTH], "big")):
                outcome, value = pickle.loads(text[LENGTH:end])
                if outcome == "done":
                    return
                yield value
                text = text[end:]


class Search(NamedTuple):
    """One kind of job, for one thread of a worker.

    `run` does the next job that is due, if any; whether there was one. `poll`: seconds between two looks for one.
    `rest`: it rests so many times as long as it worked. `lock`: an advisory lock, by which one worker of a database
    does these jobs; None: each job has a lease.
    """

    name: str
    niceness: int
    run: Callable[["SearchThread", Connection[Any]], bool]
    poll: float = 0.5
    rest: int = 0
    lock: int | None = None
    is_on: Callable[[Settings], object] = lambda _: True


class SearchThread:
    """Does jobs of one kind until it is stopped, and connects again after errors; a job broken off is done anew."""

    def __init__(self, conninfo: str, settings: Settings, search: Search) -> None:
        self.conninfo, self.settings, self._search = conninfo, settings, search
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def is_stopping(self) -> bool:
        return self._stopping.is_set()

    def start(self) -> None:
        """Run in a thread of this process, if the settings ask for such jobs."""
        if self._search.is_on(self.settings):
            self._thread = start_thread(self._run, self._search.name)

    def stop(self) -> None:
        """Stop, and wait for the end."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def notes_of(self, connection: Connection[Any], job: Job) -> Iterator[Any]:
        """What this job finds in a child, None at each silence, until its end or ours."""
        start = Start(min(self._search.niceness, self.settings.search_niceness), is_search=True)
        with search_process(self._search.name, start, job) as child:
            for note in read_notes(child, partial(read_head, connection)):
                JOB_STEPS(self._search.name).inc(note is not None)
                yield note
                if self.is_stopping:
                    return

    def _run(self) -> None:
        while not self.is_stopping:
            try:
                with (
                    open_connection(self.conninfo, self._search.name) as connection,
                    left_once_replaced(connection, self.conninfo),
                ):
                    self._work(connection)
            except (Error, StoreUnavailable) as error:
                _log.warning("jobs interrupted", kind=self._search.name, error=str(error))
            self._stopping.wait(_STOP)

    def _work(self, connection: Connection[Any]) -> None:
        search = self._search
        if search.lock is not None and not self._acquire_lock(connection, search.lock):
            return
        while not self.is_stopping:
            began = monotonic()
            least = 0.0 if search.run(self, connection) and not search.rest else search.poll
            JOB_STEPS(search.name).inc()
            self._stopping.wait(max(least, search.rest * (monotonic() - began)))

    def _acquire_lock(self, connection: Connection[Any], lock: int) -> bool:
        """Wait for this advisory lock; False if stopped before."""
        while not self.is_stopping:
            row = connection.execute("SELECT pg_try_advisory_lock(%s)", [lock]).fetchone()
            if row and row[0]:
                return True
            JOB_STEPS(self._search.name).inc()
            self._stopping.wait(_STOP)
        return False
