"""Leases as processes look at them: what went away and came back between two looks counts as gained anew."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from service.cluster import leases, roster
from service.cluster.leases import Leases
from service.event_store.errors import StoreUnavailable
from service.live.slots import SLOTS, id_in
from tests.service.event_store.made import on_a_loop


@pytest.fixture(autouse=True)
def _no_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sign of life never grows too old: whatever happens here has another reason."""
    monkeypatch.setattr(leases, "TRUST", 3600.0)
    monkeypatch.setattr(roster, "SILENT", 3600.0)


class Member:
    """One process of a database: its leases, and the slots that it was told of."""

    def __init__(self, conninfo: str, address: str) -> None:
        self.leases = Leases(conninfo, address)
        self.gained: list[frozenset[int]] = []
        self.leases.on_gain = self.gained.append

    @property
    def held(self) -> frozenset[int]:
        return self.leases.held


@asynccontextmanager
async def two(conninfo: str) -> AsyncIterator[tuple[Member, Member]]:
    """Two processes that have shared the slots between them."""
    one, other = Member(conninfo, "127.0.0.1:1"), Member(conninfo, "127.0.0.1:2")
    await one.leases.refresh()
    await other.leases.refresh()
    for member in (one, other, one, other):
        await member.leases.refresh()
    assert one.held | other.held == set(range(SLOTS))
    assert one.held
    assert other.held
    try:
        yield one, other
    finally:
        await other.leases.close()
        await one.leases.close()


@on_a_loop
async def test_a_process_that_comes_later_takes_its_share_and_each_is_told_once(database: str) -> None:
    async with two(database) as (one, other):
        assert one.gained[0] == set(range(SLOTS))
        assert frozenset().union(*one.gained[1:]) <= one.held
        for _ in range(3):
            told = len(one.gained), len(other.gained)
            await one.leases.refresh()
            await other.leases.refresh()
        assert (len(one.gained), len(other.gained)) == told


@on_a_loop
async def test_slots_that_were_away_between_two_looks_are_gained_anew(database: str) -> None:
    async with two(database) as (one, other):
        held = one.held
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s"
                " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
                [one.leases.number],
            )
        await other.leases.refresh()
        assert other.held == set(range(SLOTS))
        await one.leases._roster.enter()  # it lives again, and has not looked yet
        await other.leases.refresh()
        one.gained.clear()
        await one.leases.refresh()
        assert one.held == held
        assert one.gained == [held]


@on_a_loop
async def test_who_cannot_ask_believes_its_memory_only_where_it_is_alone(database: str) -> None:
    async with two(database) as (one, other):
        game = UUID(int=id_in(one.held).int)
        assert one.leases.holds(game)
        one.leases.start()
        with shut(database):
            async with asyncio.timeout(60):  # by a look that fails: long before its last sign of life is too old
                while one.leases.holds(game):
                    await asyncio.sleep(0.02)
        while not one.leases.holds(game):
            await asyncio.sleep(0.05)
        assert one.held
        assert other.leases.number > one.leases.number


@on_a_loop
async def test_alone_it_goes_on_to_believe(database: str) -> None:
    member = Member(database, "127.0.0.1:1")
    await member.leases.refresh()
    try:
        with shut(database):
            with pytest.raises(StoreUnavailable):
                await member.leases.refresh()
            member.leases._on_unavailable()
            assert member.leases.holds(id_in(member.held))
    finally:
        await member.leases.close()


class shut:  # noqa: N801  reads as a word
    """While nobody can connect to this database, and nobody is."""

    def __init__(self, conninfo: str) -> None:
        self._name = psycopg.conninfo.conninfo_to_dict(conninfo)["dbname"]
        self._elsewhere = psycopg.conninfo.make_conninfo(conninfo, dbname="postgres")

    def __enter__(self) -> None:
        self._allow("false")
        with psycopg.connect(self._elsewhere, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [self._name]
            )

    def __exit__(self, *_: object) -> None:
        self._allow("true")

    def _allow(self, said: str) -> None:
        with psycopg.connect(self._elsewhere, autocommit=True) as connection:
            connection.execute(
                sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(sql.Identifier(str(self._name)), sql.SQL(said))
            )
