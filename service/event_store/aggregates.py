"""Aggregates other than games, stored through the eventsourcing library: players, leagues, contests, rulings.

A change loads the aggregate, decides and saves the events; if another writer was faster it starts again. The library
blocks, so each change runs in a thread, and its reads and inserts are tasks of the event loop's own store. A change
goes with the request's idempotency key; a repeat of the request gets the aggregate as its first use left it.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Generic
from uuid import UUID
from weakref import WeakValueDictionary

from eventsourcing.application import AggregateNotFoundError
from msgspec import Struct

from domain.record import Micros
from service.event_store import keyed_writes
from service.event_store.codec import AnyRecord
from service.event_store.errors import StaleVersion
from service.event_store.ids import now
from service.event_store.library import A, CardTable, Fold
from service.event_store.store import EventStore, count_tries
from service.event_store.writing.rows import Companion
from service.problems import Refused

MakeRecord = Callable[[UUID, int, Struct, UUID | None, Micros], AnyRecord]
"""Stream, version, event, actor and time -> the record."""
Companions = Callable[[A], Sequence[Companion]]
"""The aggregate before a change (of a new one: after it) -> the change's companions."""
Accompany = Callable[[A, Sequence[AnyRecord]], Sequence[Companion]]
"""The aggregate before records, and these -> the records' companions."""
_MOST_TRIES = 50


class Aggregates(Generic[A]):
    """All aggregates of one kind in a store."""

    def __init__(
        self, store: EventStore, kind: str, fold: Fold[A], record: MakeRecord, *,
        empty: A | None = None, cached: int = 0, clock: Callable[[], Micros] = now,
        accompany: Accompany[A] = lambda aggregate, records: (),
    ) -> None:  # fmt: skip
        """`empty`: the aggregate of a stream without records (None: Refused); `cached`: how many are kept folded.

        `accompany`: the companions that records of this kind always have.
        """
        self._table = CardTable.over(store, cached)
        self._kind, self._fold, self._record, self._empty, self._clock = kind, fold, record, empty, clock
        self._accompany = accompany
        # One lock a stream: of many changes at once some would lose every race, try after try.
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def of(self, stream: UUID) -> A:
        """The current aggregate; raises Refused where there is none."""
        return await asyncio.to_thread(self._load, stream)

    async def open(
        self, stream: UUID, events: Sequence[Struct], actor: UUID | None,
        companions: Companions[A] = lambda aggregate: (), others: Sequence[AnyRecord] = (),
    ) -> A:  # fmt: skip
        """Save a new aggregate, with records of other streams; raises DuplicateCompanion, StaleVersion."""
        if (first := keyed_writes.first_use()) is not None:
            return await asyncio.to_thread(self._load, first.stream, first.last_version)
        records = self._records(stream, 0, events, actor)
        aggregate = self._fold(records, None)
        await asyncio.to_thread(self._save, [*records, *others], companions(aggregate))
        self._table.keep(stream, aggregate)
        return aggregate

    async def save(
        self, stream: UUID, version: int, events: Sequence[Struct], companions: Sequence[Companion] = ()
    ) -> None:
        """Append these events, without an actor, after this version; raises StaleVersion."""
        await asyncio.to_thread(self._save, self._records(stream, version, events, None), companions)

    async def act(
        self, stream: UUID, decide: Callable[[A], Sequence[Struct]], actor: UUID | None,
        companions: Companions[A] = lambda aggregate: (),
    ) -> A:  # fmt: skip
        """Decide on the current aggregate and save the events with companions; the aggregate afterwards.

        Raises Illegal, Refused, DuplicateCompanion.
        """
        async with self._locks.setdefault(stream, asyncio.Lock()):
            return await asyncio.to_thread(self._act, stream, decide, actor, companions)

    def _act(
        self, stream: UUID, decide: Callable[[A], Sequence[Struct]], actor: UUID | None, companions: Companions[A]
    ) -> A:
        if (first := keyed_writes.first_use()) is not None and first.stream == stream:
            return self._load(stream, first.last_version or None)
        for _ in count_tries(_MOST_TRIES):
            before = self._load(stream)
            records = self._records(stream, before.version, decide(before), actor)
            if not records:
                return before
            with suppress(StaleVersion):
                self._save(records, [*companions(before), *self._accompany(before, records)])
                break
        after = self._fold(records, before)
        self._table.keep(stream, after)
        return after

    def _save(self, records: Sequence[AnyRecord], companions: Sequence[Companion]) -> None:
        first, own = records[0], [record for record in records if record.stream == records[0].stream]
        keyed = keyed_writes.companions(first.stream, first.version, own[-1].version)
        self._table.save_records(records, (*companions, *keyed))

    def _load(self, stream: UUID, version: int | None = None) -> A:
        try:
            return self._table.load(stream, self._kind, self._fold, version)
        except AggregateNotFoundError as missing:
            if self._empty is not None:
                return self._empty
            raise Refused("no_such_thing", f"There is no such {self._kind}.") from missing

    def _records(self, stream: UUID, version: int, events: Sequence[Struct], actor: UUID | None) -> list[AnyRecord]:
        at = self._clock()
        return [self._record(stream, number, event, actor, at) for number, event in enumerate(events, version + 1)]
