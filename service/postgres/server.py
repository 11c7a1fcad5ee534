"""A running private PostgreSQL, as the rest of the service sees it."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from service.postgres.address import Address
from service.postgres.cluster import USER
from service.postgres.folder import DataFolder
from service.postgres.lock import FolderLock

DATABASE = "kibitz"
MAINTENANCE = "postgres"


def conninfo(data: DataFolder, address: Address, database: str) -> str:
    """A libpq connection string for a database of the server; the password is in it on TCP only."""
    password = None if address.is_socket else data.password.read_text("utf-8")
    return make_conninfo(host=address.host, port=address.port, user=USER, password=password, dbname=database)


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
    def adopted(self) -> bool:
        """Whether it already ran when this process came."""
        return self.process is None

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
        return conninfo(self.data, self.address, database)

    def create_database(self, name: str, template: str | None = None) -> str:
        """Make a database, as a copy of `template` if given, and tell its connection string.

        Raises psycopg.errors.DuplicateDatabase, and ObjectInUse while somebody is connected to the template."""
        copied = sql.SQL(" TEMPLATE {}").format(sql.Identifier(template)) if template else sql.SQL("")
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
