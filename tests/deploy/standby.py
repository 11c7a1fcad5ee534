"""A streaming replica of a private PostgreSQL, which can be made to lag on purpose."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from service.postgres import Server, private_server
from service.postgres.folder import make_data_folder
from tests.clusters import run_program

FAST = {"fsync": "off", "full_page_writes": "off"}


class Standby:
    """A running replica."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def of(self, conninfo: str) -> str:
        """The address of the primary's database here."""
        name = conninfo_to_dict(conninfo)["dbname"]
        return make_conninfo(self.server.dsn, dbname=name)

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Whatever the primary commits meanwhile is received and not shown."""
        self._say("SELECT pg_wal_replay_pause()")
        while self._say("SELECT pg_get_wal_replay_pause_state()") != "paused":
            sleep(0.01)
        try:
            yield
        finally:
            self._say("SELECT pg_wal_replay_resume()")

    def catch_up(self, primary: Server) -> None:
        """Wait until everything that the primary has committed by now is shown."""
        with psycopg.connect(primary.dsn) as connection:
            row = connection.execute("SELECT pg_current_wal_lsn()").fetchone()
        assert row is not None
        while not self._say(f"SELECT pg_last_wal_replay_lsn() >= '{row[0]}'"):
            sleep(0.01)

    def _say(self, sql: str) -> object:
        with psycopg.connect(self.server.dsn, autocommit=True) as connection:
            row = connection.execute(sql.encode()).fetchone()
        return row and row[0]


@contextmanager
def replicated(primary: Server) -> Iterator[Path]:
    """The data folder of a replica that has not been started yet."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-standby-"))
    try:
        _copied(primary, folder)
        yield folder
    finally:
        shutil.rmtree(folder)


def _copied(primary: Server, folder: Path) -> None:
    data = make_data_folder(folder)
    data.make_private(data.cluster)
    host, port = primary.address.host, str(primary.address.port)
    how = ("--write-recovery-conf", "--checkpoint=fast", "--no-sync", f"--pgdata={data.cluster}")
    copied = run_program("pg_basebackup", "-h", host, "-p", port, "-U", "kibitz", *how, data=data)
    assert copied.returncode == 0, copied.stderr


@contextmanager
def standing_by(folder: Path) -> Iterator[Standby]:
    """The replica of this folder, running for the length of a `with` block."""
    with private_server(folder, FAST) as server:
        yield Standby(server)
