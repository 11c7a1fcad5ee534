"""A standby takes the primary's place: a service whose address names both goes on there. (Who promotes it when, and
what that costs, is rehearsed by `python -m tests.soak.failover`.)"""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from service.event_store import connections
from service.event_store.connections import left_once_replaced, open_connection
from service.event_store.listener import Listener
from service.event_store.schema import check, migrate
from service.event_store.store import EventStore
from service.postgres import Server, private_server
from tests.service.event_store.made import on_a_loop, record, records
from tests.service.event_store.test_outage import PROBES, until_it_works

from .standby import FAST, replicated, standing_by


def of_both(first: Server, second: Server) -> str:
    """libpq's address of whichever of the two takes writes."""
    parts = [conninfo_to_dict(server.dsn) for server in (first, second)]
    both = {name: ",".join(str(part[name]) for part in parts) for name in ("host", "port")}
    return make_conninfo(**{**parts[0], **both, "target_session_attrs": "read-write"})


@on_a_loop
async def test_a_store_goes_on_at_whichever_of_two_servers_takes_writes() -> None:
    folder, stream = Path(tempfile.mkdtemp(prefix="kibitz-primary-")), uuid4()
    try:
        with private_server(folder, FAST) as primary:
            migrate(primary.dsn)
            with replicated(primary) as copy, standing_by(copy) as standby:
                both = of_both(standby.server, primary)
                check(both)
                async with EventStore(both, patience=0.3) as store:
                    listener = Listener(both)
                    listener.open()
                    await store.append(records(stream, 3))
                    standby.catch_up(primary)
                    await _changed_places(primary, standby.server)
                    await until_it_works(PROBES[0], store)
                    await until_it_works(PROBES[4], store)
                    changed = listener.changed
                    await store.append([record(stream, 4)])
                    await asyncio.wait_for(changed.wait(), 30)
                    assert await store.records(stream) == records(stream, 4)
                    await listener.close()
    finally:
        shutil.rmtree(folder)


def test_who_waits_for_a_server_that_hangs_leaves_it_once_another_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LOOK", 0.1)
    folder = Path(tempfile.mkdtemp(prefix="kibitz-primary-"))
    try:
        with private_server(folder, FAST) as hung, replicated(hung) as copy, standing_by(copy) as other:
            with open_connection(hung.dsn, "worker") as slow, left_once_replaced(slow, hung.dsn):
                slow.execute("SELECT pg_sleep(2)")
            with (
                open_connection(hung.dsn, "worker") as waiting, _stopped(waiting),
                left_once_replaced(waiting, other.server.dsn), pytest.raises(psycopg.OperationalError),
            ):  # fmt: skip
                waiting.execute("SELECT 1")
    finally:
        shutil.rmtree(folder)


@contextmanager
def _stopped(connection: psycopg.Connection[Any]) -> Iterator[None]:
    backend = psutil.Process(connection.info.backend_pid)
    backend.suspend()
    try:
        yield
    finally:
        backend.resume()


async def _changed_places(primary: Server, standby: Server) -> None:
    """The primary takes writes no more, and its connections end; the standby is promoted."""
    with psycopg.connect(primary.dsn, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'kibitz%'"
        )
    with psycopg.connect(standby.dsn, autocommit=True) as connection:
        await asyncio.to_thread(connection.execute, "SELECT pg_promote()")
