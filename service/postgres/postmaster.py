"""PostgreSQL's main process: launched, waited for, and shut down."""

import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import psycopg

from service.postgres.account import identity
from service.postgres.address import MAINTENANCE, Address, choose, conninfo, forget, last_address
from service.postgres.binaries import environment, make_cluster, run
from service.postgres.errors import PostgresUnavailable, StillStarting
from service.postgres.folder import DataFolder

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


Process = subprocess.Popen[bytes]
_PAUSE = 0.02  # seconds between two looks
_PAUSE_AFTER_REFUSAL = 0.25
_REFUSALS_OF_THE_LIVING = 12  # after so many refusals while nothing listens, the pid file is stale
_PID_TAKEN, _MEMORY_TAKEN = '"postmaster.pid" already exists', "pre-existing shared memory block"


@dataclass
class Launcher:
    """Brings up a server on a data folder; `process` is the one it launched, if that still runs."""

    data: DataFolder
    binaries: Path
    settings: Mapping[str, str]
    process: Process | None = None
    refusals: int = 0
    log_start: int = 0

    def bring_up(self, patience: float) -> Address:
        """Adopt or launch a server and wait until it answers, `patience` seconds at most.

        A crash before leaves it some recovery to do. One that is not ready in time goes on with it, for the next
        start to adopt; whatever else goes wrong, what was launched is shut down again."""
        try:
            return wait_until_ready(self.data, patience, self._keep_alive)
        except StillStarting:
            raise
        except BaseException:
            self._interrupt()
            raise

    def _keep_alive(self, address: Address | None) -> None:
        if self.process is not None and self.process.poll() is not None:
            self._judge_exit()
        if self.process is None and not (address and address.listening):
            self._launch()

    def _launch(self) -> None:
        make_cluster(self.data, self.binaries, durable=self.settings.get("fsync") != "off")
        place = choose(self.data)
        text = configuration(place, self.settings)
        self.data.write_private(self.data.cluster / "postgresql.conf", text)
        with self.data.open_log() as log:
            self.log_start = log.seek(0, 2)
            self.process = _launch_process(self.data, self.binaries, log.fileno())

    def _judge_exit(self) -> None:
        """Return if the server exited because of another server, alive or dead; else raise PostgresUnavailable."""
        self.process, reason = None, self._reason()
        if _PID_TAKEN not in reason and _MEMORY_TAKEN not in reason:
            raise PostgresUnavailable(f"PostgreSQL did not start: {reason} (see {self.data.log}).")
        self.refusals += 1
        if self.refusals > _REFUSALS_OF_THE_LIVING and _PID_TAKEN in reason:
            # A reused pid, as after the crash of a container. Safe: the shared memory block still keeps a second
            # server out.
            (self.data.cluster / "postmaster.pid").unlink(missing_ok=True)
        time.sleep(_PAUSE_AFTER_REFUSAL)

    def _reason(self) -> str:
        with self.data.log.open("rb") as log:
            log.seek(self.log_start)
            lines = log.read().decode(errors="replace").splitlines() or ["it said nothing"]
        fatal = next((line for line in lines if "FATAL:" in line), lines[-1])
        return fatal.rpartition("FATAL:")[2].strip()

    def _interrupt(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()


def wait_until_ready(data: DataFolder, patience: float, otherwise: Callable[[Address | None], None]) -> Address:
    """Where the folder's server answers; until it does, `otherwise` is called again and again.

    Raises StillStarting after `patience` seconds."""
    deadline = time.monotonic() + patience
    while (complaint := _complaint(data, address := last_address(data))) or address is None:
        if time.monotonic() > deadline:
            raise StillStarting(f"PostgreSQL on {data.path} is not ready after {patience:g} seconds: {complaint}.")
        otherwise(address)
        time.sleep(_PAUSE)
    return address


def shut_down(data: DataFolder, binaries: Path, address: Address, process: Process | None, patience: float) -> None:
    """Fast shutdown: open transactions are rolled back, everything committed is on disk; `patience` in seconds."""
    if address.listening:
        arguments = ("stop", "--mode=fast", "--wait", f"--timeout={patience:.0f}", f"--pgdata={data.cluster}")
        stopped = run(binaries / "pg_ctl", *arguments, data=data)
        if stopped.returncode and address.listening:
            raise PostgresUnavailable(
                f"PostgreSQL on the data folder {data.path} did not stop: {stopped.stderr.strip()}"
            )
    if process is not None:
        process.wait(patience)
    forget(data, address)


def _complaint(data: DataFolder, address: Address | None) -> str | None:
    if address is None or not address.listening:
        return "nothing listens"
    try:
        psycopg.connect(conninfo(address, MAINTENANCE), connect_timeout=5).close()
    except psycopg.OperationalError as error:
        return str(error).strip()
    return None


def _launch_process(data: DataFolder, binaries: Path, log: int) -> Process:
    # A session of its own: Ctrl-C at the terminal reaches the service, which then stops PostgreSQL in good order.
    return subprocess.Popen(
        [str(binaries / "postgres"), "-D", str(data.cluster)],
        cwd=data.path,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
        **identity(data.account),
    )


def configuration(address: Address, settings: Mapping[str, str]) -> str:
    """The text of `postgresql.conf`: our settings, then those given, then where to listen."""
    place = {
        "unix_socket_directories": _list_element(address.host), "listen_addresses": "", "port": str(address.port)
    }  # fmt: skip
    wanted = {**SETTINGS, **settings, **place}
    return "".join(f"{name} = {_quote_setting(value)}\n" for name, value in wanted.items())


def _list_element(folder: str) -> str:
    """One element of a list setting: in double quotes, so that a comma or space in the path is no separator."""
    return '"' + folder.replace('"', '""') + '"'


def _quote_setting(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
