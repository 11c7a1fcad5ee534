"""What is measured, running: a durable private PostgreSQL, `kibitz serve`, and a server that answers constants."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from domain.play.aggregate import AnyRecord
from service.event_store.codec import Recorded, standard_codec
from service.event_store.reading import read_log
from service.event_store.schema import migrate
from service.postgres import Server, private_server

from .programs import Program, running

Connection = psycopg.Connection[Any]

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

    def __init__(self, program: Program, port: str) -> None:
        self.process, self.port, self.url = program.process, int(port), f"http://127.0.0.1:{port}"


@contextmanager
def kibitz(conninfo: str, *words: str, program: str = "service.cli", **settings: str) -> Iterator[Serving]:
    """`kibitz serve` on this database, and on a free port; its log, a line for every command, goes to a file.

    `settings`: variables of the environment, beside those that all benchmarks have. `program`: the module that is run.
    """
    serve, env = ["-m", program, "serve", "--port", "0", *words], _settings(conninfo, _KEYS.name) | settings
    with tempfile.TemporaryFile() as log, running(serve, env, log) as started:
        yield Serving(started, started.line().rpartition(":")[2])


def _settings(conninfo: str, keys: str) -> dict[str, str]:
    set_here = {
        "DATABASE_URL": conninfo, "KIBITZ_SIGNING_KEYS": keys, "KIBITZ_RATE_LIMIT_PER_MINUTE": str(10**9),
        "KIBITZ_MAX_STREAMS_PER_SENDER": str(10**6), "KIBITZ_SAME_DEAL_DAYS": "false", "KIBITZ_CERTIFIED_DEALS": "0",
    }  # fmt: skip
    return {**os.environ, **set_here}


@contextmanager
def constants(played: bytes, looked: bytes) -> Iterator[Serving]:
    """The server of constants: one for a command, one for a look."""
    with running(["-m", "tests.benchmarks.constants"]) as program:
        program.write(json.dumps([played.decode(), looked.decode()]).encode() + b"\n")
        yield Serving(program, program.line())


@contextmanager
def stock(conninfo: str) -> Iterator[Serving]:
    """The eventsourcing library as it comes, behind the same HTTP."""
    with running(["-m", "tests.benchmarks.stock", conninfo]) as program:
        yield Serving(program, program.line())


@contextmanager
def shared_keys() -> Iterator[None]:
    """One folder of sealing keys for all processes: a database remembers whose keys it was sealed with."""
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        os.environ["KIBITZ_SEALING_KEYS"] = folder
        try:
            yield
        finally:
            del os.environ["KIBITZ_SEALING_KEYS"]


def fill_log(connection: Connection, records: Iterable[AnyRecord]) -> None:
    """The log, as if these had been recorded."""
    codec, columns, position = standard_codec(), "(stream, version, position, topic, state)", 0
    with connection.cursor() as cursor, cursor.copy(f"COPY events {columns} FROM STDIN (FORMAT binary)") as copy:
        copy.set_types(["uuid", "int4", "int8", "text", "bytea"])
        for position, record in enumerate(records, 1):
            copy.write_row((record.stream, record.version, position, codec.topic(record), codec.encode(record)))
    connection.execute("UPDATE log SET head = %s", (position,))
    connection.execute("ANALYZE events")


def read_whole_log(connection: Connection, batch: int) -> list[Recorded]:
    """Every record there is, read so many at a time."""
    log: list[Recorded] = []
    while found := read_log(connection, log[-1].position if log else 0, batch):
        log += found
    return log


def one_value(connection: Connection, sql: str, *values: object) -> Any:
    """The first column of the first row; None without rows."""
    row = connection.execute(sql.encode(), values or None).fetchone()
    return row[0] if row else None
