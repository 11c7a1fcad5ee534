"""A process that is frozen in mid-transaction holds the log's row: the others take it from it, on any PostgreSQL."""

import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from service.cluster.leases import Leases
from service.event_store.errors import StoreUnavailable
from service.event_store.schema import migrate
from service.event_store.store import EventStore
from service.postgres import Server
from service.postgres.folder import give, identity
from tests import forking
from tests.debian import program
from tests.service.cli.programs import ROOT
from tests.service.event_store.made import on_a_loop, record

_FIFTEEN = Path("/usr/lib/postgresql/15/bin")
"""Where Debian has its server programs."""


@pytest.fixture(scope="module")
def fifteen(postgres: Server) -> Iterator[str]:
    """A migrated database of the oldest PostgreSQL that Kibitz takes."""
    binaries = Path(program("postgresql-15", [str(_FIFTEEN / "postgres")])).parent
    folder = Path(tempfile.mkdtemp(prefix="kibitz-fifteen-"))
    give(folder, postgres.data.account)
    try:
        with _running(binaries, folder, postgres) as conninfo:
            migrate(conninfo)
            yield conninfo
    finally:
        shutil.rmtree(folder)


@contextmanager
def _running(binaries: Path, folder: Path, postgres: Server) -> Iterator[str]:
    def run(name: str, *words: str) -> None:
        command = [str(binaries / name), "-D", str(folder / "data"), *words]
        subprocess.run(command, check=True, capture_output=True, cwd=folder, **identity(postgres.data.account))

    run("initdb", "-U", "kibitz", "--auth=trust", "--no-sync", "--locale=C", "--encoding=UTF8")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    run("pg_ctl", "start", "--wait", "--silent", "-o", options, "-l", str(folder / "log"))
    try:
        yield f"host={folder} user=kibitz dbname=postgres"
    finally:
        run("pg_ctl", "stop", "--wait", "--mode=immediate")


@contextmanager
def frozen(conninfo: str, how: str) -> Iterator[None]:
    """A process that has taken the log's row and stands still."""
    command = [sys.executable, "-m", "tests.service.processes.frozen_writer", conninfo, how]
    with forking.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"sent\n"
            process.send_signal(signal.SIGSTOP)
            _await_held(conninfo)
            yield
        finally:
            process.kill()


def _await_held(conninfo: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        while True:
            try:
                connection.execute("SELECT FROM log FOR UPDATE NOWAIT")
            except psycopg.errors.LockNotAvailable:
                return


@pytest.mark.parametrize("server", ["database", "fifteen"])
@pytest.mark.parametrize("how", ["transaction", "pipeline"])
@on_a_loop
async def test_the_log_is_taken_from_a_frozen_process(server: str, how: str, request: pytest.FixtureRequest) -> None:
    conninfo = request.getfixturevalue(server)
    leases = Leases(conninfo, "127.0.0.1:1")
    await leases.refresh()
    leases.start()
    try:
        async with EventStore(conninfo) as store:
            with frozen(conninfo, how):
                assert await store.append([record(uuid4(), 1)]) > 0, "neither refused nor held up for good"
    finally:
        await leases.close()


@pytest.mark.parametrize("server", ["database", "fifteen"])
@on_a_loop
async def test_a_process_can_begin_although_another_is_frozen(server: str, request: pytest.FixtureRequest) -> None:
    conninfo = request.getfixturevalue(server)
    with frozen(conninfo, "pipeline"):
        leases = Leases(conninfo, "127.0.0.1:1")
        while not leases.number:
            with suppress(StoreUnavailable):  # told so while it waits
                await leases.refresh()
        await leases.close()
