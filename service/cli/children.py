"""Child processes of `serve`: started with it, restarted when they die, and ended with it."""

import gc
import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic, sleep

import structlog

from service.settings import Settings
from service.telemetry import logs
from service.telemetry.background import start_thread

CHILD = "KIBITZ_CHILD"
"""Environment variable of a child: set, the child ends when its parent does."""
_TICK = 0.1  # seconds between two checks of the children
_PAUSES = (0.1, 0.5, 1.0, 2.0)  # seconds before the first, second, ... restart of a process that does not come up
_END_SECONDS = 20.0  # that a child has to end in good order
_log = structlog.get_logger("children")


def environment(settings: Settings, conninfo: str) -> dict[str, str]:
    """The settings as an environment, for a program on this very database."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
    ours = {
        f"KIBITZ_{name.upper()}": str(value).lower() if isinstance(value, bool) else str(value)
        for name in Settings.__struct_fields__
        if name != "database_url" and (value := getattr(settings, name)) is not None
    }
    return {**others, **ours, "DATABASE_URL": conninfo, CHILD: "1"}


def end_with_parent() -> None:
    """In a child, end when the parent has died: standard input is a pipe from the parent, closed however it died."""

    def wait_for_the_end() -> None:
        while os.read(0, 1):
            pass
        logs.drain()
        os._exit(1)

    if CHILD in os.environ:
        start_thread(wait_for_the_end, "parent")


def settle_garbage_collector() -> None:
    """Exempt all objects that exist at start-up, and collect the rest in small steps, so that no pause is long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 100)


class Child:
    """One process. `words` follow the interpreter; the sockets of `handed` stay open in it."""

    def __init__(self, words: Sequence[str], surroundings: Mapping[str, str], handed: Sequence[int] = ()) -> None:
        self.words = tuple(words)
        self._surroundings, self._handed = dict(surroundings), tuple(handed)
        self._process: subprocess.Popen[bytes]
        self._due = 0.0
        self._failures = 0
        self._refused = False
        self.up = False
        """Whether the process lives and has written its first line, as of the last `check`."""

    def start(self) -> None:
        """Start it, for the first time or again; raises OSError where the system has no process for it."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", *self.words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self._surroundings,
            pass_fds=self._handed,
        )  # fmt: skip

    def await_ready(self) -> bool:
        """Wait for the first line; False if the process exited without one. A killed process is restarted."""
        while not (self.up or self._refused):
            sleep(_TICK)
        return self.up

    def check(self) -> None:
        """Check whether the process is up; restart a dead one after a pause."""
        if self._process.poll() is None:
            if not self.up and self._process.stdout is not None:
                waiting = select.poll()
                waiting.register(self._process.stdout, select.POLLIN)
                self.up = bool(waiting.poll(0)) and bool(self._process.stdout.readline())
        elif not self._due:
            self._refused = not self.up and self._process.returncode >= 0
            pause, code = self._schedule_restart(), self._process.returncode
            _log.error("child died", child=self.words[0], exit_code=code, again_in_seconds=pause)
        elif monotonic() >= self._due:
            self._close_pipes()
            try:
                self.start()
                self._due = 0.0
            except (OSError, MemoryError) as error:  # no process, memory or file is left for it
                pause = self._schedule_restart()
                _log.error("child not started", child=self.words[0], error=str(error), again_in_seconds=pause)

    def _schedule_restart(self) -> float:
        """The pause in seconds, longer after each failure until the process is up again."""
        self._failures = 0 if self.up else self._failures + 1
        self.up = False
        pause = _PAUSES[min(self._failures, len(_PAUSES) - 1)]
        self._due = monotonic() + pause
        return pause

    def terminate(self) -> None:
        """Ask it to end in good order."""
        self._process.terminate()

    def end(self) -> None:
        """Wait until the process has ended; kill it after 20 seconds."""
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


@contextmanager
def running_children(children: Sequence[Child], before_the_end: Callable[[], object]) -> Iterator[None]:
    """Keep these children running for the length of a `with` block, then end them in order.

    `before_the_end` is called after the last restart and before the first child is told to end.
    """
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_TICK):
            for child in children:
                child.check()

    for child in children:
        child.start()
    watching = start_thread(watch, "children")
    try:
        yield
    finally:
        over.set()
        watching.join()
        before_the_end()
        for child in children:
            child.terminate()
        for child in children:
            child.end()
