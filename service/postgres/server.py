"""The private PostgreSQL of a data folder: started, joined, guarded and stopped."""

import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import psycopg
import structlog
from psycopg import sql

from service.postgres.binaries import require_version, run, usable_binaries, wheel_binaries
from service.postgres.folder import (
    DataFolder,
    NotOwner,
    PostgresError,
    PostgresUnavailable,
    StillStarting,
    existing_data_folder,
    lock_folder,
    make_data_folder,
)
from service.postgres.postmaster import DATABASE, MAINTENANCE, Address, Launcher, wait_until_ready
from service.telemetry.background import start_thread

RECOVERY = 300.0  # seconds: the write-ahead log to be read again is bounded by max_wal_size, 1 GB
_CHECK = 0.2  # seconds between two checks of a server that lives
_PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0)  # seconds before the first, second, ... attempt
_HEALTHY = 60.0  # seconds after which a server counts as healthy, and the pauses start from the first again
_log = structlog.get_logger("postgres")


@dataclass
class Server:
    """A server that answers: started or adopted (`lock` is held), or joined (`lock` is None, so not ours to stop).

    `process` is there only if this process launched it; a guard that launches it again renews it. `settings` go over
    ours. `lock` is the descriptor of the folder's lock."""

    data: DataFolder
    address: Address
    binaries: Path | None = None
    lock: int | None = field(default=None, repr=False)
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def folder(self) -> Path:
        """The data folder."""
        return self.data.path

    @property
    def pid(self) -> int:
        """The process id of PostgreSQL's main process."""
        return int((self.data.cluster / "postmaster.pid").read_text("ascii").split("\n", 1)[0])

    @property
    def dsn(self) -> str:
        """The connection string of the service's own database, which every server has."""
        return self.conninfo(DATABASE)

    def conninfo(self, database: str) -> str:
        """The connection string of a database by name."""
        return self.address.conninfo(database)

    def create_database(self, name: str, template: str | None = None) -> str:
        """Make a database, empty or as a copy of `template`, and return its connection string.

        Raises psycopg.errors.DuplicateDatabase, and ObjectInUse while the template has connections."""
        # Page by page through the log of writes, PostgreSQL's default, takes three times as long.
        copy = sql.SQL(" TEMPLATE {} STRATEGY FILE_COPY")
        copied = copy.format(sql.Identifier(template)) if template else sql.SQL("")
        self._execute(sql.SQL("CREATE DATABASE {}{}").format(sql.Identifier(name), copied))
        return self.conninfo(name)

    def drop_database(self, name: str) -> None:
        """Remove a database if it exists, and close the connections to it."""
        self._execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def has_database(self, name: str) -> bool:
        """Whether there is a database of that name."""
        with psycopg.connect(self.conninfo(MAINTENANCE)) as connection:
            return connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.conninfo(MAINTENANCE), autocommit=True) as connection:
            connection.execute(statement)


def start(
    folder: Path,
    settings: Mapping[str, str] | None = None,
    *,
    patience: float = RECOVERY,
    binaries: Path | None = None,
) -> Server:
    """Take the data folder for this process and bring up its server: a new one, or one that still runs.

    `settings` go over ours (an adopted server keeps its own); `patience` is in seconds.
    Raises FolderInUse, WrongPostgresVersion, PostgresUnavailable."""
    data = make_data_folder(folder)
    lock = lock_folder(data)
    try:
        if data.cluster.exists():
            require_version(data)
        launcher = Launcher(data, usable_binaries(binaries or wheel_binaries(), data), settings or {})
        address = launcher.bring_up(patience)
        server = Server(data, address, launcher.binaries, lock, launcher.process, launcher.settings)
        if not server.has_database(DATABASE):
            server.create_database(DATABASE)
    except BaseException:
        os.close(lock)
        raise
    return server


def join(folder: Path, *, patience: float = 30.0) -> Server:
    """The server that runs on the data folder; raises PostgresUnavailable where none does. `patience` in seconds."""
    try:
        data = existing_data_folder(folder)
        absent = PostgresUnavailable(
            f"No PostgreSQL runs on the data folder {data.path}: start it with `kibitz serve`."
        )

        def require_listening(address: Address | None) -> None:
            if address is None or not address.listening:
                raise absent

        if not data.cluster.exists():
            raise absent
        require_version(data)
        return Server(data, wait_until_ready(data, patience, require_listening))
    except PermissionError as error:
        raise PostgresUnavailable(f"The data folder {folder} belongs to another user.") from error


def stop(server: Server, *, patience: float = 60.0) -> None:
    """Shut the server down and unlock the folder; raises NotOwner if it was only joined. `patience` in seconds.

    A fast shutdown: open transactions are rolled back, everything committed is on disk."""
    data, address = server.data, server.address
    if server.lock is None or server.binaries is None:
        raise NotOwner(f"The PostgreSQL on the data folder {data.path} was joined, and is not ours to stop.")
    if address.listening:
        arguments = ("stop", "--mode=fast", "--wait", f"--timeout={patience:.0f}", f"--pgdata={data.cluster}")
        stopped = run(server.binaries / "pg_ctl", *arguments, data=data)
        if stopped.returncode and address.listening:
            raise PostgresUnavailable(
                f"PostgreSQL on the data folder {data.path} did not stop: {stopped.stderr.strip()}"
            )
    if server.process is not None:
        server.process.wait(patience)
    data.address.unlink(missing_ok=True)
    with suppress(OSError):
        Path(address.host).rmdir()
    os.close(server.lock)


@contextmanager
def private_server(folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server for the length of a `with` block, stopped however it ends."""
    server = start(folder, settings)
    try:
        yield server
    finally:
        stop(server)


@contextmanager
def guard_server(server: Server) -> Iterator[None]:
    """Restart the server whenever it dies, for the length of a `with` block within the block that stops it."""
    guard = _Guard(server)
    thread = start_thread(guard.run, "postgres-guard")
    try:
        yield
    finally:
        guard.stopping.set()
        thread.join()


class _Guard:
    """Guards one server, in the process that started it: no other process may launch on its folder."""

    def __init__(self, server: Server) -> None:
        if server.lock is None or server.binaries is None:
            raise ValueError("a server that was only joined is not ours to guard")
        self.stopping = threading.Event()
        self._server = server
        self._launcher = Launcher(server.data, server.binaries, server.settings)
        self._well_since = monotonic()
        self._failures = 0

    def run(self) -> None:
        """Check the server until `stopping`: by the exit of our own child, or by the socket of an adopted server."""
        while not self.stopping.wait(_CHECK):
            process = self._server.process
            alive = self._server.address.listening if process is None else process.poll() is None
            if not alive:
                self._restart()

    def _restart(self) -> None:
        process = self._server.process
        _log.error("postgres died", exit_code=None if process is None else process.returncode)
        self._failures = self._failures + 1 if monotonic() - self._well_since < _HEALTHY else 0
        self._launcher.process, self._launcher.refusals = None, 0
        while not self.stopping.wait(self._pause()) and not self._try_bring_up():
            pass

    def _pause(self) -> float:
        """Seconds before the next attempt; none after a server that was healthy, and while a recovery goes on."""
        recovering = self._launcher.process is not None
        return 0.0 if recovering else _PAUSES[min(self._failures, len(_PAUSES) - 1)]

    def _try_bring_up(self) -> bool:
        """Try to bring the server up; whether it answers. Waits are short, so that the end does not take long."""
        try:
            self._launcher.bring_up(_CHECK)
        except StillStarting:
            return False
        except (PostgresError, OSError) as error:
            self._launcher.process, self._failures = None, self._failures + 1
            _log.error("postgres does not start", error=str(error), again_in_seconds=self._pause())
            return False
        finally:
            self._server.process = self._launcher.process
        self._well_since = monotonic()
        _log.warning("postgres is back")
        return True
