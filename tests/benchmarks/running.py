"""What is measured, running: a durable private PostgreSQL, `kibitz serve`, and a server that answers constants."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from service.event_store.schema import migrate
from service.postgres import Server, private_server

ROOT = Path(__file__).parents[2]


@contextmanager
def durable_postgres() -> Iterator[Server]:
    """A private PostgreSQL as `kibitz serve` sets it, fsync and synchronous_commit on, with room for the baselines."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-bench-"))
    try:
        with private_server(folder, {"max_connections": "200"}) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(postgres: Server) -> Iterator[str]:
    """A migrated database for the length of a `with` block."""
    name = f"bench_{uuid4().hex}"
    conninfo = postgres.create_database(name)
    migrate(conninfo)
    try:
        yield conninfo
    finally:
        postgres.drop_database(name)


class Serving:
    """A server's process and its port."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self.process = process
        self.port = port

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def kibitz(conninfo: str, *words: str) -> Iterator[Serving]:
    """`kibitz serve` on this database, and on a free port."""
    program = [sys.executable, "-m", "service.cli", "serve", "--port", "0", "--log-level", "warning", *words]
    with (
        tempfile.TemporaryDirectory(prefix="kibitz-bench-") as keys,
        _process(program, _settings(conninfo, keys)) as process,
    ):
        yield Serving(process, int(_line(process).rpartition(":")[2]))


def _settings(conninfo: str, keys: str) -> dict[str, str]:
    set_here = {
        "DATABASE_URL": conninfo,
        "KIBITZ_SIGNING_KEYS": keys,
        "KIBITZ_RATE_LIMIT_PER_MINUTE": str(10**9),
        "KIBITZ_SAME_DEAL_DAYS": "false",
    }
    return {**os.environ, **set_here}


@contextmanager
def constants(played: bytes, looked: bytes) -> Iterator[Serving]:
    """The server of constants: one for a command, one for a look."""
    program = [sys.executable, "-m", "tests.benchmarks.constants"]
    with _process(program, dict(os.environ)) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps([played.decode(), looked.decode()]).encode() + b"\n")
        process.stdin.flush()
        yield Serving(process, int(_line(process)))


@contextmanager
def _process(program: list[str], environment: dict[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def _line(process: "subprocess.Popen[bytes]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().decode().strip()
