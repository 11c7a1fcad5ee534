"""Aggregates that are read whole and seldom changed, leagues and contests: one decides, appends, and if somebody was
faster decides again."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.record import Micros, Record
from service.event_store.errors import StaleVersion
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.problems import Refused

A = TypeVar("A")
AnyRecord = Record[Any, Any]
Recorded = Callable[[UUID, int, Struct, UUID | None, Micros], AnyRecord]
_TRIES = 50


class Aggregates(Generic[A]):
    """All aggregates of one kind."""

    def __init__(
        self, store: EventStore, kind: str, fold: Callable[[Iterable[AnyRecord]], A], recorded: Recorded
    ) -> None:
        self._store, self._kind, self._fold, self._recorded = store, kind, fold, recorded

    async def of(self, stream: UUID) -> A:
        """The aggregate as it stands; raises Refused where there is none."""
        return self._fold(await self._records(stream))

    async def _records(self, stream: UUID) -> list[AnyRecord]:
        records = await self._store.records(stream)
        if not records or records[0].type != self._kind:
            raise Refused("no_such_thing", f"There is no such {self._kind}.")
        return records

    async def open(
        self, stream: UUID, events: Sequence[Struct], actor: UUID | None, companions: Sequence[Companion] = ()
    ) -> A:
        """A new one, recorded; raises DuplicateCompanion."""
        records = self._written(stream, 0, events, actor)
        await self._store.append(records, companions)
        return self._fold(records)

    async def act(
        self, stream: UUID, decide: Callable[[A], Sequence[Struct]], actor: UUID | None,
        companions: Sequence[Companion] = (),
    ) -> A:  # fmt: skip
        """What is decided about it as it stands, recorded; raises Illegal, Refused, DuplicateCompanion."""
        for _ in range(_TRIES):
            known = await self._records(stream)
            written = self._written(stream, known[-1].version, decide(self._fold(known)), actor)
            with suppress(StaleVersion):
                if written or companions:
                    await self._store.append(written, companions)
                return self._fold([*known, *written])
        raise Refused("stale_version", "Others were faster, again and again.")

    def _written(self, stream: UUID, version: int, events: Sequence[Struct], actor: UUID | None) -> list[AnyRecord]:
        at = now()
        return [self._recorded(stream, version + place, event, actor, at) for place, event in enumerate(events, 1)]
