"""Read models on a machine of their own: the log goes there by PostgreSQL's logical replication, and a worker beside it
keeps them. They are exact, whichever of the two servers and the worker is killed."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import httpx
import psycopg
import pytest

from projections import PROJECTIONS
from projections.engine.builds import live_fingerprint
from service.event_store.connections import open_connection
from service.event_store.errors import StoreUnavailable
from service.event_store.reading import read_head
from service.event_store.schema import migrate
from service.postgres import Server, guard_server, start, stop
from tests import clusters, forking
from tests.conftest import on_disk
from tests.faults.faults import kill_postmaster
from tests.faults.judge import judge
from tests.faults.load import load
from tests.faults.world import KIBITZ, Program, World, installed_on, until

LOGGED = (
    "log, events, packed_games, packed_endings, unsealed, sealing_keys, imports, importers, signatures, persons,"
    " player_keys"
)
"""What read models are folded from, and what replays of games that are over are read from."""
_UNREADY = "SELECT FROM pg_subscription_rel WHERE srsubstate <> 'r'"
_STANDS = "SELECT coalesce(min(position), 0) FROM positions WHERE live"


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[Server]:
    """A guarded server with the schema."""
    server = start(folder, settings)
    try:
        with guard_server(server):
            migrate(server.dsn)
            yield server
    finally:
        stop(server)


def subscribe(publisher: Server, subscriber: Server) -> None:
    """Before anything else is written there; returns when every table follows: until then the head may be ahead."""
    with psycopg.connect(publisher.dsn, autocommit=True) as connection:
        connection.execute(f"CREATE PUBLICATION kibitz FOR TABLE {LOGGED} WITH (publish_via_partition_root)".encode())
    with psycopg.connect(subscriber.dsn, autocommit=True) as connection:
        connection.execute("DELETE FROM log")
        connection.execute(f"CREATE SUBSCRIPTION kibitz CONNECTION '{publisher.dsn}' PUBLICATION kibitz".encode())
        until(lambda: connection.execute(_UNREADY).fetchone() is None, "every table follows")


@pytest.fixture
def other_folder() -> Iterator[Path]:
    """The subscriber's data folder."""
    folder = on_disk("kibitz-test-")
    yield clusters.fill(folder)
    shutil.rmtree(folder)


def test_read_models_beside_a_subscriber_are_exact_after_a_kill_of_either(
    data_folder: Path, other_folder: Path
) -> None:
    with ExitStack() as stack:
        publisher = stack.enter_context(served(data_folder, wal_level="logical"))
        subscriber = stack.enter_context(served(other_folder))
        addresses = {"DATABASE_URL": publisher.dsn, "KIBITZ_REPLICA_URL": subscriber.dsn}
        world = stack.enter_context(installed_on(publisher, **addresses))
        worker = Program(other_folder, "worker", "--database-url", subscriber.dsn, KIBITZ_DATA_FOLDER=str(data_folder))
        with load(world, clients=4) as running:
            running.grow(40)
            subscribe(publisher, subscriber)
            worker.start()
            stack.callback(worker.end, signal.SIGTERM)
            for kill in (kill_postmaster, lambda world: kill_server(subscriber), lambda world: kill_worker(worker)):
                running.grow(40)
                kill(world)
            until(lambda: any(client.finished for client in running.clients), "a game is over")
            pack(world)
            world.worker.end()  # from now on only the other's read models move
            running.grow(100)
        head = _head(publisher)
        until(lambda: _stands_at(subscriber, head), "the subscriber's read models stand at the head")
        lists = partial(httpx.get, f"{world.url}/v1/games", headers={"min-log-position": str(head)})
        until(lambda: lists().json()["log_position"] == str(head), "lists are read there")
        theirs = _fingerprints(subscriber)
        judge(world).hold()  # folds the publisher's own once more
        assert theirs == _fingerprints(publisher)


def pack(world: World) -> None:
    """Pack what is over: rows are deleted from the log then, and stand in another table."""
    around = {**world.api.environment, "KIBITZ_ROLLOUT_SECONDS": "0"}
    ran = forking.run([*KIBITZ, "pack", "--after-days", "0"], env=around, timeout=200)
    assert ran.returncode == 0, ran.stderr
    assert "Games packed: 0" not in ran.stdout


def kill_server(server: Server) -> None:
    """kill -9 of its main process; its guard brings it back."""
    os.kill(server.pid, signal.SIGKILL)


def kill_worker(worker: Program) -> None:
    """kill -9, and a new one in its place."""
    worker.end()
    worker.start()


def _head(server: Server) -> int:
    with open_connection(server.dsn, "test") as connection:
        return read_head(connection)


def _stands_at(server: Server, head: int) -> bool:
    """Whether every read model there stands at this position; a server that was killed may still be starting."""
    with suppress(StoreUnavailable), open_connection(server.dsn, "test") as connection:
        return connection.execute(_STANDS).fetchone() == (head,)
    return False


def _fingerprints(server: Server) -> dict[str, str]:
    with open_connection(server.dsn, "test") as connection:
        return {name: live_fingerprint(connection, projection) for name, projection in PROJECTIONS.items()}
