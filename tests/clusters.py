"""PostgreSQL's data, made and migrated once for a run and then copied: a copy takes a fifth of what making it takes."""

import atexit
import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import psycopg
from psycopg.conninfo import make_conninfo

from service.event_store.schema import migrate
from service.postgres import private_server
from service.postgres.binaries import run, usable_binaries, wheel_binaries
from service.postgres.folder import DataFolder

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_wal_size": "256MB"} | {
    "max_connections": "400"  # every process of the run serves several at once
}
MADE = "KIBITZ_TESTS_CLUSTER"
"""Names the folder to runs that tests start."""
_PREFIX, _ALIVE = "kibitz-cluster-", "alive"
_shared: list[Path] = []


class Elsewhere(NamedTuple):
    """A server that is not this run's: each database is migrated, since not every server copies one."""

    dsn: str

    def create_database(self, name: str, template: str | None = None) -> str:
        """Make a database, with the whole schema if it is to be like the template, and return its address."""
        conninfo = make_conninfo(self.dsn, dbname=name)
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        if template is not None:
            migrate(conninfo)
        return conninfo

    def drop_database(self, name: str) -> None:
        """Remove it."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}"'.encode())


def fill(folder: Path) -> Path:
    """Make this a data folder that was served before, its database with the whole schema and no rows."""
    subprocess.run(["cp", "-a", made() / "cluster", folder], check=True)
    return folder


def run_program(name: str, *arguments: str, data: DataFolder) -> "subprocess.CompletedProcess[str]":
    """Run one of PostgreSQL's programs as the folder's account, from where that account can reach it.

    A checkout may lie where only root may enter: the program is a copy then, as the service's own are.
    """
    return run(usable_binaries(wheel_binaries(), data) / name, *arguments, data=data)


def made() -> Path:
    """The folder that is copied; a run that a test starts copies that of its own run."""
    path = os.environ.get(MADE)
    return _shared[0] if _shared else Path(path) if path else _own()


def share(folder: Path) -> None:
    """From now on this is what is copied: another process of the run has made it."""
    _shared[:] = [folder]


@contextmanager
def kept() -> Iterator[Path]:
    """A folder to be copied, for the length of a `with` block; a file in it is locked as long as it is in use."""
    for file in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_ALIVE}"):
        with suppress(OSError), open(file) as dead:
            fcntl.flock(dead, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(file.parent)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    try:
        with private_server(folder, FAST) as server:
            migrate(server.dsn)
        with open(folder / _ALIVE, "w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield folder
    finally:
        shutil.rmtree(folder)


@cache
def _own() -> Path:
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(kept())
