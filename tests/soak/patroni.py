"""PostgreSQL under Patroni on this machine: two nodes with the settings of deploy/failover, and one etcd."""

import secrets
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
import yaml
from psycopg.conninfo import make_conninfo

from service.postgres.binaries import environment, usable_binaries, wheel_binaries
from service.postgres.folder import Account, give, make_data_folder
from service.postgres.postmaster import MAINTENANCE
from tests.debian import from_pip, program
from tests.faults.world import ROOT, until
from tests.ports import free_ports

from .watchdog import ends_of_logs

SHIPPED = ROOT / "deploy" / "failover" / "patroni.yaml"
NODES = ("one", "two")  # names, and folders of data
_FOLLOWED = "SELECT FROM pg_stat_replication WHERE state = 'streaming' AND (sync_state = 'sync') = %s"


def _as_account(account: Account | None) -> list[str]:
    """What goes before a command; root's own Python, which Patroni runs on, may be read as well."""
    if account is None:
        return []
    reading = [f"--{kind}-caps=+dac_read_search" for kind in ("inh", "ambient")]
    return ["setpriv", f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups", *reading]


class Node:
    """One PostgreSQL and the Patroni that keeps it."""

    def __init__(self, cluster: "Cluster", name: str, port: int) -> None:
        self.name, self.port, self.rest = name, port, f"http://127.0.0.1:{port + 1}"
        self._cluster, self._data = cluster, cluster.data
        self.folder = cluster.data.make_private(cluster.folder / name)
        self._settings = self.folder / "patroni.yaml"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start Patroni, which starts PostgreSQL; nothing where it runs."""
        if self._process is not None and self._process.poll() is None:
            return
        self._data.write_private(self._settings, yaml.safe_dump(self._cluster.settings_of(self)))
        self._process = self._cluster.started("patroni", str(self._settings), log=f"{self.name}.log")

    def processes(self) -> list[psutil.Process]:
        """Everything that belongs to it: Patroni, the postmaster and its children."""
        heads = [self._process.pid] if self._process is not None else []
        with suppress(OSError, ValueError):
            heads.append(self.pid)
        found: list[psutil.Process] = []
        for head in heads:
            with suppress(psutil.NoSuchProcess):
                process = psutil.Process(head)
                found += [process, *process.children(recursive=True)]
        return found

    @property
    def pid(self) -> int:
        """The postmaster's number; raises OSError while there is none."""
        return int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])

    def kill(self) -> None:
        """kill -9 of all of it, as when its machine dies."""
        for process in self.processes():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        if self._process is not None:
            self._process.wait()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """All of it stands still for the length of a `with` block, and its sockets stay open: a machine that hangs."""
        stopped: list[psutil.Process] = []
        while found := [one for one in self.processes() if one not in stopped]:
            for one in found:
                with suppress(psutil.NoSuchProcess):
                    one.suspend()
            stopped += found
        try:
            yield
        finally:
            for one in stopped:
                with suppress(psutil.NoSuchProcess):
                    one.resume()

    def stop(self) -> None:
        """End it in good order, or else at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(20)
        self.kill()

    def is_(self, role: str) -> bool:
        """Whether Patroni says of this node that it is `primary` or `synchronous`."""
        with suppress(httpx.HTTPError):
            return httpx.get(f"{self.rest}/{role}", timeout=5).status_code == 200
        return False


class Cluster:
    """Two nodes and an etcd; to an installation it stands where a private server does."""

    def __init__(self, folder: Path, synchronous: bool) -> None:
        self.data = make_data_folder(folder)
        self._binaries = usable_binaries(wheel_binaries(), self.data)
        self._programs = {"etcd": program("etcd-server", ["etcd"]), "patroni": from_pip("patroni", "failover")}
        self._passwords = {role: secrets.token_urlsafe(24) for role in ("superuser", "replication")}
        self._etcd = free_ports(6)  # etcd's two, and two of each node: PostgreSQL and Patroni's REST API
        self._synchronous = synchronous
        self.nodes = [Node(self, name, self._etcd + 2 + 2 * n) for n, name in enumerate(NODES)]
        self._keeper: subprocess.Popen[bytes] | None = None

    @property
    def folder(self) -> Path:
        return self.data.path

    @property
    def pid(self) -> int:
        """The primary's postmaster, as the nodes' folders tell it; raises ProcessLookupError while there is none."""
        for node in self.nodes:
            with suppress(OSError, ValueError, psutil.NoSuchProcess):
                alive = psutil.Process(node.pid).status() != psutil.STATUS_ZOMBIE
                if alive and not (node.folder / "data" / "standby.signal").exists():
                    return node.pid
        raise ProcessLookupError("no node is the primary")

    @property
    def dsn(self) -> str:
        """libpq's address of the service's database on whichever node takes writes."""
        return self.conninfo("kibitz")

    def conninfo(self, database: str) -> str:
        """The same of any database."""
        return make_conninfo(
            host=",".join("127.0.0.1" for _ in self.nodes), port=",".join(str(node.port) for node in self.nodes),
            user="kibitz", password=self._passwords["superuser"], dbname=database, target_session_attrs="read-write",
        )  # fmt: skip

    def settings_of(self, node: Node) -> dict[str, Any]:
        """The shipped settings, with what differs on this machine."""
        told: dict[str, Any] = yaml.safe_load(SHIPPED.read_text("utf-8"))
        users = told["postgresql"]["authentication"]
        for role, password in self._passwords.items():
            users[role]["password"] = password
        users["superuser"]["username"] = "kibitz"
        place, etcd, rest = (f"127.0.0.1:{port}" for port in (node.port, self._etcd, node.port + 1))
        told |= {"name": node.name, "etcd3": {"hosts": [etcd]}, "restapi": {"listen": rest, "connect_address": rest}}
        told["bootstrap"]["dcs"]["synchronous_mode"] = self._synchronous
        told["postgresql"] |= {
            "listen": place, "connect_address": place, "data_dir": str(node.folder / "data"),
            "bin_dir": str(self._binaries), "pgpass": str(node.folder / "pgpass"),
            "parameters": {"unix_socket_directories": ""},
        }  # fmt: skip
        return told

    def started(self, name: str, *arguments: str, log: str) -> subprocess.Popen[bytes]:
        """One of the programs, as PostgreSQL's account."""
        with open(self.folder / log, "ab") as file:
            return subprocess.Popen(
                [*_as_account(self.data.account), self._programs[name], *arguments], cwd=self.folder, umask=0o077,
                env=dict(environment()), stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True,
            )  # fmt: skip

    def start(self) -> None:
        """Bring it all up, with the service's database."""
        self.start_etcd()
        self.mend()
        with psycopg.connect(self.conninfo(MAINTENANCE), autocommit=True) as connection:
            connection.execute("CREATE DATABASE kibitz")

    def start_etcd(self) -> None:
        """Start it, or start it again."""
        folder = str(self.data.make_private(self.folder / "etcd"))
        client, peers = (f"http://127.0.0.1:{self._etcd + n}" for n in (0, 1))
        self._keeper = self.started(
            "etcd", "--data-dir", folder, "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers,
            "--initial-cluster", f"default={peers}", "--enable-v2=false", log="etcd.log",
        )  # fmt: skip

    def stop_etcd(self) -> None:
        """kill -9 of it."""
        if self._keeper is not None:
            self._keeper.kill()
            self._keeper.wait()

    def mend(self) -> None:
        """Start what has died, and wait until the standby stands by again."""
        for node in self.nodes:
            node.start()
        until(self.is_whole, lambda: f"the standby stands by\n{ends_of_logs(self.folder)}")

    def primary(self) -> Node:
        """The node that takes writes, waited for."""
        until(
            lambda: any(node.is_("primary") for node in self.nodes),
            lambda: f"there is a primary\n{ends_of_logs(self.folder)}",
        )
        return next((node for node in self.nodes if node.is_("primary")), self.nodes[0])

    def standby(self) -> Node:
        """The other."""
        primary = self.primary()
        return next(node for node in self.nodes if node is not primary)

    def is_whole(self) -> bool:
        """Whether the standby stands by: as Patroni saw it last, and as PostgreSQL sees it now."""
        standing_by = "synchronous" if self._synchronous else "replica?lag=1MB"
        if any(one.is_("primary") and other.is_(standing_by) for one, other in (self.nodes, self.nodes[::-1])):
            with suppress(psycopg.OperationalError), psycopg.connect(self.conninfo(MAINTENANCE)) as connection:
                return connection.execute(_FOLLOWED, [self._synchronous]).fetchone() is not None
        return False

    def switch_over(self) -> None:
        """What `patronictl switchover` asks for: the two change places."""
        leader, heir = self.primary(), self.standby()
        asked = {"leader": leader.name, "candidate": heir.name}
        answer = httpx.post(f"{leader.rest}/switchover", json=asked, timeout=60)
        assert answer.status_code == 200, answer.text

    def stop(self) -> None:
        """End every process."""
        for node in self.nodes:
            node.stop()
        self.stop_etcd()


@contextmanager
def clustered(folder: Path, synchronous: bool) -> Iterator[Cluster]:
    """A cluster for the length of a `with` block."""
    cluster = Cluster(folder, synchronous)
    give(folder, cluster.data.account)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
