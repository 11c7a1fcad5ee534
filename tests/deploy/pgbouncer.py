"""A pgbouncer in transaction mode before the run's own PostgreSQL; on a machine without one Debian's is installed."""

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from time import sleep

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from service.postgres import Server
from service.postgres.folder import give, identity
from tests.debian import program

_PACKAGE = "pgbouncer"
_DEPLOYED = Path(__file__).parents[2] / "deploy" / "pgbouncer" / "pgbouncer.ini"
_NAMES = ("pgbouncer", "/usr/sbin/pgbouncer")
PORT = 6432
"""Names the socket's file; no TCP port is opened."""
CONNECTIONS = 2
"""To the database, for all clients together: so few that no client keeps the one it had."""


def executable() -> str:
    """The path of a pgbouncer, installed first where there is none; raises NotThere."""
    return program(_PACKAGE, _NAMES)


@contextmanager
def pooling(server: Server) -> Iterator["Pooler"]:
    """A pgbouncer for the length of a `with` block, as the account whose socket PostgreSQL listens on."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-pool-"))
    give(folder, server.data.account)
    try:
        (folder / "users").write_text(f'"{conninfo_to_dict(server.dsn)["user"]}" ""\n')
        (folder / "ini").write_text(_configuration(server, folder))
        with Pooler(server, folder).running() as pooler:
            yield pooler
    finally:
        shutil.rmtree(folder)


def _configuration(server: Server, folder: Path) -> str:
    """The ini that is deployed, but for where it listens, whom it trusts, and how few connections it waits for."""
    deployed = ConfigParser()
    deployed.read(_DEPLOYED, "utf-8")
    deployed["databases"] = {"*": f"host={server.address.host} port={server.address.port}"}
    deployed["pgbouncer"].update({
        "unix_socket_dir": str(folder), "unix_socket_mode": "0700", "listen_addr": "", "listen_port": str(PORT),
        "auth_type": "trust", "auth_file": f"{folder}/users", "default_pool_size": str(CONNECTIONS),
        "stats_users": str(conninfo_to_dict(server.dsn)["user"]), "server_round_robin": "1",
        "query_wait_timeout": "60",
    })  # fmt: skip
    text = StringIO()
    deployed.write(text)
    return text.getvalue()


class Pooler:
    """A pgbouncer whose socket lies in this folder."""

    def __init__(self, server: Server, folder: Path) -> None:
        self._server, self._folder = server, folder

    @contextmanager
    def running(self) -> Iterator["Pooler"]:
        command = [executable(), "--quiet", str(self._folder / "ini")]
        how = identity(self._server.data.account)
        process = subprocess.Popen(command, stderr=subprocess.PIPE, cwd="/", **how)
        try:
            while not self._listens():
                assert process.poll() is None, process.stderr and process.stderr.read()
                sleep(0.01)
            yield self
        finally:
            process.terminate()
            process.communicate(timeout=60)

    def _listens(self) -> bool:
        """The socket's file is there before anybody listens."""
        with socket.socket(socket.AF_UNIX) as asking:
            return asking.connect_ex(str(self._folder / f".s.PGSQL.{PORT}")) == 0

    def before(self, conninfo: str) -> str:
        """The address of the same database through the pooler."""
        parts = conninfo_to_dict(conninfo)
        return make_conninfo(host=str(self._folder), port=PORT, user=parts["user"], dbname=parts["dbname"])

    def transactions(self, conninfo: str) -> int:
        """How many transactions on this database have gone through the pooler."""
        console = make_conninfo(self.before(conninfo), dbname="pgbouncer")
        with psycopg.connect(console, autocommit=True) as connection:
            cursor = psycopg.ClientCursor(connection).execute("SHOW STATS_TOTALS")
            assert cursor.description is not None
            at = [column.name for column in cursor.description].index("xact_count")
            name = conninfo_to_dict(conninfo)["dbname"]
            return next((int(row[at]) for row in cursor.fetchall() if row[0] == name), 0)
