"""The probe: it needs room each time, leaves none taken, and is not made more often than need be."""

import pytest
from psycopg import errors

from service.event_store import store as store_module
from service.event_store.connections import unavailability
from service.event_store.errors import StoreUnavailable
from service.event_store.store import EventStore, Writability

from .made import on_a_loop

SIZE = "SELECT pg_relation_size('write_probe')"


@on_a_loop
async def test_the_probe_takes_new_pages_and_keeps_as_few_as_before(database: str) -> None:
    async with EventStore(database) as store:
        found = []
        for _ in range(8):  # more often than psycopg repeats a statement before it prepares it
            store.writability = Writability(store._write_probe)
            assert await store.writability.complaint() is None
            found.append((await store.query(SIZE))[0][0])
    assert set(found) == {65536}


class Disk:
    """A database that may be full, and counts its probes."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.probes = 0

    async def probe(self) -> None:
        self.probes += 1
        with unavailability():
            if self.error is not None:
                raise self.error


def refusal(error: Exception) -> StoreUnavailable:
    """What an append tells of this."""
    with pytest.raises(StoreUnavailable) as found, unavailability():
        raise error
    return found.value


@on_a_loop
async def test_a_full_disk_is_found_without_an_append_and_an_append_tells_of_it_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk, now = Disk(), [1000.0]
    monkeypatch.setattr(store_module, "monotonic", lambda: now[0])
    writing = Writability(disk.probe)
    assert await writing.complaint() is None
    disk.error = errors.DiskFull("could not extend file")
    assert (await writing.complaint(), disk.probes) == (None, 1), "asked again only after a while"
    now[0] += 6
    assert "full" in str(await writing.complaint())
    disk.error = None
    now[0] += 2
    assert await writing.complaint() is None
    writing.note(refusal(errors.DiskFull("could not extend file")))
    assert "full" in str(await writing.complaint())
    writing.note(None)
    assert (await writing.complaint(), disk.probes) == (None, 3)
    writing.note(refusal(errors.AdminShutdown("terminating connection")))
    assert await writing.complaint() is None, "a server that went away has refused nothing"
