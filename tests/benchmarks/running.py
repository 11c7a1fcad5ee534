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
from typing import IO
from uuid import uuid4

from service.event_store.schema import migrate
from service.postgres import Server, private_server

ROOT = Path(__file__).parents[2]
_KEYS = tempfile.TemporaryDirectory(prefix="kibitz-bench-keys-")
"""One folder of keys for every process of the run: what one has sealed the next can read."""

MOST_CONNECTIONS = {"max_connections": "200"}


@contextmanager
def durable_postgres() -> Iterator[Server]:
    """A private PostgreSQL as `kibitz serve` sets it, fsync and synchronous_commit on, with room for the baselines."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-bench-"))
    try:
        with private_server(folder, MOST_CONNECTIONS) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


_SLOW = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static int flush(const char *name, int fd) {
    usleep(%d);
    return ((int (*)(int)) dlsym(RTLD_NEXT, name))(fd);
}
int fdatasync(int fd) { return flush("fdatasync", fd); }
int fsync(int fd) { return flush("fsync", fd); }
"""


@contextmanager
def slow_postgres(microseconds: int) -> Iterator[Server]:
    """The same, every flush so much slower: a library that is loaded before the C library's own. Needs a C compiler."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-slow-"))
    folder.chmod(0o755)
    source, library = folder / "slow.c", folder / "slow.so"
    source.write_text(_SLOW % microseconds)
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], check=True)
    os.environ["LD_PRELOAD"] = str(library)
    try:
        with durable_postgres() as server:
            del os.environ["LD_PRELOAD"]
            yield server
    finally:
        os.environ.pop("LD_PRELOAD", None)
        shutil.rmtree(folder)


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
def kibitz(conninfo: str, *words: str, program: str = "service.cli", **settings: str) -> Iterator[Serving]:
    """`kibitz serve` on this database, and on a free port; its log, a line for every command, goes to a file.

    `settings`: variables of the environment, beside those that all benchmarks have. `program`: the module that is run.
    """
    serve = [sys.executable, "-m", program, "serve", "--port", "0", *words]
    with (
        tempfile.TemporaryFile() as log,
        _process(serve, _settings(conninfo, _KEYS.name) | settings, log) as process,
    ):
        yield Serving(process, int(_line(process).rpartition(":")[2]))


def _settings(conninfo: str, keys: str) -> dict[str, str]:
    set_here = {
        "DATABASE_URL": conninfo,
        "KIBITZ_SIGNING_KEYS": keys,
        "KIBITZ_RATE_LIMIT_PER_MINUTE": str(10**9),
        "KIBITZ_MAX_STREAMS_PER_SENDER": str(10**6),
        "KIBITZ_SAME_DEAL_DAYS": "false",
        "KIBITZ_CERTIFIED_DEALS": "0",
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
def stock(conninfo: str) -> Iterator[Serving]:
    """The eventsourcing library as it comes, behind the same HTTP."""
    program = [sys.executable, "-m", "tests.benchmarks.stock", conninfo]
    with _process(program, dict(os.environ)) as process:
        yield Serving(process, int(_line(process)))


@contextmanager
def _process(
    program: list[str], environment: dict[str, str], log: IO[bytes] | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=ROOT, env=environment
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def _line(process: "subprocess.Popen[bytes]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().decode().strip()
