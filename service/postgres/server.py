"""The private PostgreSQL of a data folder: started, joined and stopped, and as the rest of the service sees it."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg import sql

from service.postgres.address import DATABASE, MAINTENANCE, Address, conninfo
from service.postgres.binaries import require_version, usable_binaries, wheel_binaries
from service.postgres.errors import NotOwner, PostgresUnavailable
from service.postgres.folder import DataFolder, FolderLock, existing_data_folder, lock_folder, make_data_folder
from service.postgres.postmaster import Launcher, shut_down, wait_until_ready

RECOVERY = 300.0  # seconds: the write-ahead log to be read again is bounded by max_wal_size, 1 GB


@dataclass
class Server:
    """A server that answers: started or adopted (`lock` is held), or joined (`lock` is None, so not ours to stop).

    `process` is there only if this process launched it; a guard that launches it again renews it. `settings` are those
    that were given over ours."""

    data: DataFolder
    address: Address
    binaries: Path | None = None
    lock: FolderLock | None = field(default=None, repr=False)
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
        return conninfo(self.address, database)

    def create_database(self, name: str, template: str | None = None) -> str:
        """Make a database, as a copy of `template` if given, and tell its connection string.

        Raises psycopg.errors.DuplicateDatabase, and ObjectInUse while somebody is connected to the template."""
        # Page by page through the log of writes, PostgreSQL's default, takes three times as long.
        copy = sql.SQL(" TEMPLATE {} STRATEGY FILE_COPY")
        copied = copy.format(sql.Identifier(template)) if template else sql.SQL("")
        self._execute(sql.SQL("CREATE DATABASE {}{}").format(sql.Identifier(name), copied))
        return self.conninfo(name)

    def drop_database(self, name: str) -> None:
        """Remove a database if it exists; whoever is still connected to it is cut off."""
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

    `settings` go over ours (an adopted server keeps those it has); `patience` is in seconds.
    Raises FolderInUse, WrongPostgresVersion, PostgresUnavailable."""
    data = make_data_folder(folder)
    lock = lock_folder(data)
    try:
        return _bring_up_server(data, lock, binaries or wheel_binaries(), settings or {}, patience)
    except BaseException:
        lock.release()
        raise


def join(folder: Path, *, patience: float = 30.0) -> Server:
    """The server that runs on the data folder; raises PostgresUnavailable where none does. `patience` in seconds."""
    try:
        return _join_server(existing_data_folder(folder), patience)
    except PermissionError as error:
        raise PostgresUnavailable(f"The data folder {folder} belongs to another user.") from error


def stop(server: Server, *, patience: float = 60.0) -> None:
    """Shut the server down and let go of the folder; raises NotOwner if it was only joined. `patience` in seconds."""
    if server.lock is None or server.binaries is None:
        raise NotOwner(f"The PostgreSQL on the data folder {server.folder} was joined, and is not ours to stop.")
    shut_down(server.data, server.binaries, server.address, server.process, patience)
    server.lock.release()


@contextmanager
def private_server(folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server for the length of a `with` block, stopped however it ends."""
    server = start(folder, settings)
    try:
        yield server
    finally:
        stop(server)


def _bring_up_server(
    data: DataFolder, lock: FolderLock, binaries: Path, settings: Mapping[str, str], patience: float
) -> Server:
    if data.cluster.exists():
        require_version(data)
    launcher = Launcher(data, usable_binaries(binaries, data), settings)
    address = launcher.bring_up(patience)
    server = Server(data, address, launcher.binaries, lock, launcher.process, settings)
    if not server.has_database(DATABASE):
        server.create_database(DATABASE)
    return server


def _join_server(data: DataFolder, patience: float) -> Server:
    if not data.cluster.exists():
        raise _no_server_error(data)
    require_version(data)
    return Server(data, wait_until_ready(data, patience, lambda address: _require_running(data, address)))


def _require_running(data: DataFolder, address: Address | None) -> None:
    if address is None or not address.listening:
        raise _no_server_error(data)


def _no_server_error(data: DataFolder) -> PostgresUnavailable:
    return PostgresUnavailable(f"No PostgreSQL runs on the data folder {data.path}: start it with `kibitz serve`.")
