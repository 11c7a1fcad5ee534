"""The guard: watches the PostgreSQL that this process uses, and restarts it when it has died."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import structlog

from service.postgres.errors import PostgresError, StillStarting
from service.postgres.postmaster import Launcher
from service.postgres.server import Server
from service.telemetry.background import start_thread

_LOOK = 0.2  # seconds between two looks at a server that lives
_PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0)  # seconds before the first, second, ... attempt
_LASTED = 60.0  # seconds after which a server counts as healthy, and the pauses start from the first again
_log = structlog.get_logger("postgres")


class Guard:
    """A thread that guards one server, in the process that started it: no other process may launch on its folder."""

    def __init__(self, server: Server) -> None:
        if server.lock is None or server.binaries is None:
            raise ValueError("a server that was only joined is not ours to guard")
        self._server = server
        self._launcher = Launcher(server.data, server.binaries, server.settings)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._well_since = monotonic()
        self._failures = 0

    def start(self) -> None:
        """Begin to watch."""
        self._thread = start_thread(self._run, "postgres-guard")

    def stop(self) -> None:
        """Watch no longer; a server that dies from now on stays dead."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(_LOOK):
            if not self._is_alive:
                self._mend()

    @property
    def _is_alive(self) -> bool:
        """Whether the server lives: by the exit of our own child, or by the socket of an adopted server."""
        process = self._server.process
        return self._server.address.listening if process is None else process.poll() is None

    def _mend(self) -> None:
        process = self._server.process
        _log.error("postgres died", exit_code=None if process is None else process.returncode)
        self._failures = self._failures + 1 if monotonic() - self._well_since < _LASTED else 0
        self._launcher.process, self._launcher.refusals = None, 0
        while not self._stopping.wait(self._pause()) and not self._try_bring_up():
            pass

    def _pause(self) -> float:
        """Seconds before the next attempt; none after a server that had lasted, and while a recovery goes on."""
        recovering = self._launcher.process is not None
        return 0.0 if recovering else _PAUSES[min(self._failures, len(_PAUSES) - 1)]

    def _try_bring_up(self) -> bool:
        """Try to bring the server up; whether it answers. Waits are short, so that `stop` does not take long."""
        try:
            self._launcher.bring_up(_LOOK)
        except StillStarting:
            return False
        except (PostgresError, OSError) as error:
            self._note_failure(error)
            return False
        finally:
            self._server.process = self._launcher.process
        self._well_since = monotonic()
        _log.warning("postgres is back")
        return True

    def _note_failure(self, error: Exception) -> None:
        self._launcher.process, self._failures = None, self._failures + 1
        _log.error("postgres does not start", error=str(error), again_in_seconds=self._pause())


@contextmanager
def guard_server(server: Server) -> Iterator[Guard]:
    """The server watched for the length of a `with` block, within the block that stops it."""
    guard = Guard(server)
    guard.start()
    try:
        yield guard
    finally:
        guard.stop()
