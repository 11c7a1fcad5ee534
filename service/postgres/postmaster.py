"""PostgreSQL's main process: its settings, the socket it listens at, its launch and its readiness.

The socket lies in a folder of mode 0700, and there is no TCP port.
"""

import errno
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from service.postgres.binaries import USER, environment, make_cluster
from service.postgres.folder import DataFolder, PostgresUnavailable, StillStarting, identity

DATABASE, MAINTENANCE = "kibitz", "postgres"
"""The service's own database, and the one that every server has."""
SETTINGS: Mapping[str, str] = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "cluster_name": "kibitz",
    "unix_socket_permissions": "0700",
    "log_destination": "stderr",
    "logging_collector": "off",
    "log_checkpoints": "off",
    "log_statement": "none",
    # Secrecy holds for the log too: neither a statement nor a detail may carry a hidden card.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}
_LONGEST_SOCKET = 100  # bytes; the systems allow 104 to 108, see sockaddr_un in unix(7)
_PORT = 5432  # names the socket's file; no TCP port is opened
_PREFIX = "kibitz-"
_ALIVE = {0, errno.EAGAIN, errno.EACCES}
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "''"})
_PAUSE = 0.02  # seconds between two attempts to connect
_PAUSE_AFTER_REFUSAL = 0.25
_MOST_REFUSALS = 12  # after so many refusals while nothing listens, the pid file is stale
_PID_TAKEN, _MEMORY_TAKEN = '"postmaster.pid" already exists', "pre-existing shared memory block"


@dataclass(frozen=True)
class Address:
    """A folder with the server's socket, and the port that names the socket's file."""

    host: str
    port: int

    @property
    def listening(self) -> bool:
        """Whether a server listens there now, ready or not: proof of life that no stale or reused pid can fake."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(1)
            return probe.connect_ex(str(_socket(Path(self.host), self.port))) in _ALIVE

    def conninfo(self, database: str) -> str:
        """A libpq connection string for a database of the server."""
        return make_conninfo(host=self.host, port=self.port, user=USER, dbname=database)


def last_address(data: DataFolder) -> Address | None:
    """The last known address of this folder's server, which may have stopped."""
    with suppress(FileNotFoundError, ValueError):
        port, host = data.address.read_text("utf-8").split("\n", 1)
        return Address(host, int(port))
    return None


def choose_address(data: DataFolder) -> Address:
    """A place for a server to listen at, written into the data folder.

    Where the data folder is no part of a socket path, it is the short folder of the last start if that is still ours
    alone, else a new one with an unpredictable name."""
    last = last_address(data)
    if _fits(data.path / "sockets"):
        folder = data.make_private(data.path / "sockets")
    elif last is not None and _is_ours(Path(last.host), data):
        folder = data.make_private(Path(last.host))
    else:
        temporary = Path(tempfile.gettempdir())
        parent = temporary if _fits(temporary / f"{_PREFIX}12345678") else "/tmp"
        folder = data.make_private(Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent)))
    data.write_private(data.address, f"{_PORT}\n{folder}")
    return Address(str(folder), _PORT)


def _socket(folder: Path, port: int) -> Path:
    return folder / f".s.PGSQL.{port}"


def _fits(folder: Path) -> bool:
    # libpq takes a comma in `host` for the end of one of several hosts, and knows no way to quote it.
    return len(os.fsencode(_socket(folder, _PORT))) <= _LONGEST_SOCKET and "," not in str(folder)


def _is_ours(folder: Path, data: DataFolder) -> bool:
    if folder.is_symlink() or not folder.is_dir() or not folder.name.startswith(_PREFIX):
        return False
    owner = os.geteuid() if data.account is None else data.account.uid
    return folder.stat().st_uid == owner and folder.stat().st_mode & 0o777 == 0o700


@dataclass
class Launcher:
    """Brings up a server on a data folder; `process` is the one it launched, if that still runs."""

    data: DataFolder
    binaries: Path
    settings: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    refusals: int = 0
    log_start: int = 0

    def bring_up(self, patience: float) -> Address:
        """Adopt or launch a server and wait until it answers, `patience` seconds at most.

        After a crash it has to recover. If it is not ready in time, it goes on with that, and the next start adopts
        it; after any other error, the launched server is shut down again."""
        try:
            return wait_until_ready(self.data, patience, self._keep_alive)
        except StillStarting:
            raise
        except BaseException:
            if self.process is not None:
                self.process.send_signal(signal.SIGINT)
                self.process.wait()
            raise

    def _keep_alive(self, address: Address | None) -> None:
        if self.process is not None and self.process.poll() is not None:
            self._judge_exit()
        if self.process is None and not (address and address.listening):
            self._launch()

    def _launch(self) -> None:
        make_cluster(self.data, self.binaries, durable=self.settings.get("fsync") != "off")
        address = choose_address(self.data)
        # An element of a list: in double quotes, so that a comma or space in the path is no separator.
        folders = '"' + address.host.replace('"', '""') + '"'
        place = {"unix_socket_directories": folders, "listen_addresses": "", "port": str(address.port)}
        values = {**SETTINGS, **self.settings, **place}
        text = "".join(f"{name} = '{value.translate(_ESCAPES)}'\n" for name, value in values.items())
        self.data.write_private(self.data.cluster / "postgresql.conf", text)
        with self.data.open_log() as log:
            self.log_start = log.seek(0, 2)
            self.process = subprocess.Popen(
                [str(self.binaries / "postgres"), "-D", str(self.data.cluster)],
                cwd=self.data.path,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C reaches the service, which then stops PostgreSQL in good order
                **identity(self.data.account),
            )

    def _judge_exit(self) -> None:
        """Return if the server exited because of another server, alive or dead; else raise PostgresUnavailable."""
        self.process = None
        with self.data.log.open("rb") as log:
            log.seek(self.log_start)
            lines = log.read().decode(errors="replace").splitlines() or ["it said nothing"]
        fatal = next((line for line in lines if "FATAL:" in line), lines[-1])
        reason = fatal.rpartition("FATAL:")[2].strip()
        if _PID_TAKEN not in reason and _MEMORY_TAKEN not in reason:
            raise PostgresUnavailable(f"PostgreSQL did not start: {reason} (see {self.data.log}).")
        self.refusals += 1
        if self.refusals > _MOST_REFUSALS and _PID_TAKEN in reason:
            # A reused pid, as after the crash of a container. Safe: the shared memory block still keeps a second
            # server out.
            (self.data.cluster / "postmaster.pid").unlink(missing_ok=True)
        time.sleep(_PAUSE_AFTER_REFUSAL)


def wait_until_ready(data: DataFolder, patience: float, otherwise: Callable[[Address | None], None]) -> Address:
    """The address where the folder's server answers; until it does, `otherwise` is called again and again.

    Raises StillStarting after `patience` seconds."""
    deadline = time.monotonic() + patience
    while True:
        address, complaint = last_address(data), "nothing listens"
        if address is not None and address.listening:
            try:
                psycopg.connect(address.conninfo(MAINTENANCE), connect_timeout=5).close()
                return address
            except psycopg.OperationalError as error:
                complaint = str(error).strip()
        if time.monotonic() > deadline:
            raise StillStarting(f"PostgreSQL on {data.path} is not ready after {patience:g} seconds: {complaint}.")
        otherwise(address)
        time.sleep(_PAUSE)
