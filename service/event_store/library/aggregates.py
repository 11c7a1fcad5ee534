"""Aggregates beside games, stored through the eventsourcing library: players, leagues, contests, rulings.

A change loads the aggregate, decides and saves the events; if somebody was faster it starts again. The library blocks,
so that each change runs in a thread; reads and inserts go through the event loop's own store. A change goes with the
request's idempotency key; a repeat of the request gets the aggregate as its first use left it.
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
from service.event_store.library.application import A, CardTable, Fold
from service.event_store.store import EventStore, count_tries
from service.event_store.writing.rows import Companion
from service.problems import Refused

MakeRecord = Callable[[UUID, int, Struct, UUID | None, Micros], AnyRecord]
"""Stream, version, event, actor and time -> the record."""
Beside = Callable[[A], Sequence[Companion]]
Accompany = Callable[[A, Sequence[AnyRecord]], Sequence[Companion]]
"""The aggregate before records, and these -> the statements beside them."""
_MOST_TRIES = 50


def no_companions(known: object) -> Sequence[Companion]:
    """No companions."""
    return ()


def nothing_beside(known: object, records: Sequence[AnyRecord]) -> Sequence[Companion]:
    """No companions of records."""
    return ()


class Aggregates(Generic[A]):
    """All aggregates of one kind in a store."""

    def __init__(
        self, store: EventStore, kind: str, fold: Fold[A], recorded: MakeRecord, *,
        empty: A | None = None, cached: int = 0, clock: Callable[[], Micros] = now,
        accompany: Accompany[A] = nothing_beside,
    ) -> None:  # fmt: skip
        """`empty`: the aggregate of a stream without records (None: Refused); `cached`: how many are kept folded.

        `accompany`: the statements that records of this kind always have beside them.
        """
        self._table = CardTable.over(store, cached)
        self._kind, self._fold, self._recorded, self._empty, self._clock = kind, fold, recorded, empty, clock
        self._accompany = accompany
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def of(self, stream: UUID) -> A:
        """The current aggregate; raises Refused where there is none."""
        return await asyncio.to_thread(self._load, stream)

    async def open(
        self, stream: UUID, events: Sequence[Struct], actor: UUID | None,
        beside: Beside[A] = no_companions, others: Sequence[AnyRecord] = (),
    ) -> A:  # fmt: skip
        """Save a new aggregate, with records of other streams; raises DuplicateCompanion, StaleVersion."""
        if (first := keyed_writes.first_use()) is not None:
            return await asyncio.to_thread(self._load, first.stream, first.last_version)
        records = self._records(stream, 0, events, actor)
        made = self._fold(records, None)
        await asyncio.to_thread(self._save, [*records, *others], beside(made))
        return self._keep_cached(stream, made)

    async def save(
        self, stream: UUID, version: int, events: Sequence[Struct], companions: Sequence[Companion] = ()
    ) -> None:
        """Append these events, of nobody in particular, after this version; raises StaleVersion."""
        await asyncio.to_thread(self._save, self._records(stream, version, events, None), companions)

    async def act(
        self, stream: UUID, decide: Callable[[A], Sequence[Struct]], actor: UUID | None,
        beside: Beside[A] = no_companions,
    ) -> A:  # fmt: skip
        """Decide on the current aggregate and save the events with companions; the aggregate afterwards.

        Raises Illegal, Refused, DuplicateCompanion.
        """
        async with self._lock(stream):
            return await asyncio.to_thread(self._act, stream, decide, actor, beside)

    def _lock(self, stream: UUID) -> asyncio.Lock:
        """This process's lock of the stream: of many at once some would lose every race, try after try."""
        return self._locks.setdefault(stream, asyncio.Lock())

    def _act(self, stream: UUID, decide: Callable[[A], Sequence[Struct]], actor: UUID | None, beside: Beside[A]) -> A:
        if (first := keyed_writes.first_use()) is not None and first.stream == stream:
            return self._load(stream, first.last_version or None)
        for _ in count_tries(_MOST_TRIES):
            known = self._load(stream)
            records = self._records(stream, known.version, decide(known), actor)
            if not records:
                return known
            with suppress(StaleVersion):
                self._save(records, [*beside(known), *self._accompany(known, records)])
                break
        return self._keep_cached(stream, self._fold(records, known))

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

    def _keep_cached(self, stream: UUID, aggregate: A) -> A:
        self._table.keep(stream, aggregate)
        return aggregate

    def _records(self, stream: UUID, version: int, events: Sequence[Struct], actor: UUID | None) -> list[AnyRecord]:
        at = self._clock()
        return [self._recorded(stream, version + place, event, actor, at) for place, event in enumerate(events, 1)]
