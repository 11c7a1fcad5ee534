"""What `kibitz doctor` says of a database server, a pooler and a replica."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from service.cli.doctor import Finding, check_replica, check_rights, server_findings
from service.event_store.schema import migrate
from service.postgres import Server, private_server
from service.settings import Settings

from .pgbouncer import pooling
from .standby import replicated, standing_by

SETTINGS = Settings(database_url="")


def found(settings: Settings, conninfo: str) -> dict[str, Finding]:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return {one.name: one for one in server_findings(replace(settings, database_url=conninfo), connection)}


@pytest.fixture(scope="module")
def durable() -> Iterator[Server]:
    """A server as `kibitz serve` starts it."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-doctor-"))
    try:
        with private_server(folder) as running:
            migrate(running.dsn)
            yield running
    finally:
        shutil.rmtree(folder)


def test_a_server_as_it_should_be_has_no_fault(durable: Server) -> None:
    seen = found(SETTINGS, durable.dsn)
    assert list(seen) == ["Server", "Durability", "Connections", "Rights", "Pooler"]
    assert [one for one in seen.values() if one.remedy] == []


def test_a_server_that_does_not_wait_for_its_disk_is_a_fault(database: str) -> None:
    told = found(SETTINGS, database)["Durability"]
    assert told.remedy
    assert all(name in told.state for name in ("fsync", "full_page_writes", "synchronous_commit"))


def test_more_processes_than_the_server_has_connections_for_are_a_fault(durable: Server) -> None:
    assert found(replace(SETTINGS, processes=6), durable.dsn)["Connections"].remedy is None
    assert found(replace(SETTINGS, processes=7), durable.dsn)["Connections"].remedy


def test_a_role_that_may_make_no_tables_is_told_so(durable: Server) -> None:
    with psycopg.connect(durable.dsn, autocommit=True) as connection:
        connection.execute("CREATE ROLE reader")
        connection.execute("SET ROLE reader")
        assert check_rights(connection).remedy


def test_a_pooler_is_seen_and_must_not_be_all_there_is(postgres: Server, database: str) -> None:
    with pooling(postgres) as pooler:
        before = pooler.before(database)
        assert found(SETTINGS, before)["Pooler"].remedy
        told = found(replace(SETTINGS, session_url=database), before)["Pooler"]
    assert told.remedy is None
    assert "past it" in told.state


def test_a_replica_tells_how_it_stands(durable: Server) -> None:
    assert check_replica(durable.dsn).remedy, "a primary is no replica"
    with replicated(durable) as folder:
        with standing_by(folder) as standby:
            standby.catch_up(durable)
            url = standby.of(durable.dsn)
            assert check_replica(url).remedy is None
            assert found(SETTINGS, url)["Server"].remedy, "it takes no writes"
            with standby.standing_still():
                assert "paused" in check_replica(url).state
        assert check_replica(url).remedy, "it is gone"
