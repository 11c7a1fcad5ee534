"""Reads that may lag: from a streaming replica, or from the primary while the replica is gone or too far behind.

Only operations with `Operation.may_lag` use the replica. It is a whole copy of the database as of a moment ago, so that
all reads of one answer fit together.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from projections.engine.contract import Projection
from projections.engine.reading import Snapshot
from service.event_store.connections import NOT_THERE, Rows
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.problems import Refused, refused_header
from service.workers.reads import Reads

if TYPE_CHECKING:
    from service.http.operation import Call
    from service.http.services import Services

Handler = Callable[[Any], Awaitable[Any]]

LEAST = "Min-Log-Position"
"""A header of operations that may lag: the answer should be at least as of this position, if reached soon."""
PATIENCE = 1.0
"""Seconds to wait for a position that the reader names."""
_MISSING = "no_such_thing"
_DIGITS = 18  # of a position, at most
_PAUSE = 0.01  # seconds between the first two checks of its position
_SHUNNED = 2.0  # seconds in which a replica that did not answer is not asked again


class Replica:
    """A streaming replica of the database."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self._not_before = 0.0

    @property
    def usable(self) -> bool:
        """Whether the replica answered its last query, or the failure is some time ago."""
        return monotonic() >= self._not_before

    def shun(self) -> None:
        """Note that the replica did not answer: do not use it for a moment."""
        self._not_before = monotonic() + _SHUNNED


class RecentReads(Reads):
    """Reads on the first side, once it has reached `at_least` within PATIENCE, else on the last side.

    The sides are the replica and the primary, or the primary alone.

    `seen`: the lowest position read at so far; None before the first read.
    """

    def __init__(self, sides: Sequence[Reads], at_least: int = 0) -> None:
        self._sides, self._at_least = sides, at_least
        self.seen: int | None = None

    @asynccontextmanager
    async def of(self, projection: Projection) -> AsyncIterator[Snapshot]:
        side = await self._side(projection)
        async with side.of(projection) as found:
            self.seen = found.position if self.seen is None else min(self.seen, found.position)
            yield found

    async def _side(self, projection: Projection) -> Reads:
        until, pause = monotonic() + PATIENCE, _PAUSE
        while not await self._has_reached(projection):
            if monotonic() > until:
                return self._sides[-1]
            await asyncio.sleep(pause)
            pause *= 1.5
        return self._sides[0]

    async def _has_reached(self, projection: Projection) -> bool:
        if not self._at_least:
            return True
        async with self._sides[0].of(projection) as found:
            return found.position >= self._at_least


class ReplicaStore(EventStore):
    """The log on the replica, for one answer; after a failure there it stays with the primary."""

    def __init__(self, primary: EventStore, replica: Replica) -> None:
        self._primary, self._replica, self._left = primary, replica, False
        self.codec, self.vouch, self.newest_position = primary.codec, primary.vouch, primary.newest_position

    async def append(
        self, records: Sequence[Any], companions: Sequence[Companion] = (), slot: int | None = None
    ) -> int:
        return await self._primary.append(records, companions, slot)

    async def head(self, at_least: int = 0) -> int:
        """The newest position; the primary's if the replica does not reach `at_least` in time."""
        until = monotonic() + PATIENCE
        while (head := await super().head()) < at_least and not self._left:
            self._left = monotonic() > until
            await asyncio.sleep(_PAUSE)
        return head

    async def _select(self, sql: str, params: Sequence[Any] = (), *, often: bool = False) -> Rows:
        if not self._left:
            try:
                return await self._replica.reads.rows(sql, params)
            except NOT_THERE:
                self._left = True
                self._replica.shun()
        return await self._primary.query(sql, params)


def replica_services(services: "Services", at_least: int) -> "Services | None":
    """These services with reads from the replica; None without a replica that answers."""
    replica = services.replica
    if replica is None or not replica.usable:
        return None
    reads = RecentReads((replica.reads, services.reads), at_least)
    return replace(services, reads=reads, store=ReplicaStore(services.store, replica))


def primary_services(services: "Services", at_least: int) -> "tuple[Services, RecentReads]":
    """These services on the primary, and their reads, which wait a moment for `at_least`."""
    reads = RecentReads((services.reads,), at_least)
    return replace(services, reads=reads), reads


def may_lag(handler: Handler) -> Handler:
    """The handler on the replica; on the primary if there is none, it does not answer or it lags too far.

    What is not found is looked for once more if the read models had not reached the log's head.
    """

    async def handle(call: "Call[Any, Any]") -> Any:
        at_least = _least_position(call)
        if (beside := replica_services(call.primary, at_least)) is not None:
            try:
                return await handler(call.on(beside))
            except NOT_THERE:
                _shun(call.primary)
            except Refused as refused:
                if refused.kind not in ("unavailable", _MISSING):
                    raise
        return await _on_primary(handler, call, at_least)

    return handle


async def _on_primary(handler: Handler, call: "Call[Any, Any]", at_least: int) -> Any:
    services, reads = primary_services(call.primary, at_least)
    try:
        return await handler(call.on(services))
    except Refused as refused:
        if refused.kind != _MISSING or reads.seen is None:
            raise
        head = await call.primary.store.head()
        if reads.seen >= head:
            raise
    services, reads = primary_services(call.primary, head)
    try:
        return await handler(call.on(services))
    except Refused as refused:
        if refused.kind == _MISSING and reads.seen is not None and reads.seen < head:
            raise _not_yet_refusal(refused, reads.seen, head) from refused
        raise


def _not_yet_refusal(refused: Refused, seen: int, head: int) -> Refused:
    """The refusal with a hint that the read models lag, and what to ask."""
    late = f"It may not be there yet: this is as of log position {seen}, and the log is at {head}."
    return Refused(_MISSING, f"{refused.problem.detail} {late} Ask again with {LEAST}: {head}.")


def _least_position(call: "Call[Any, Any]") -> int:
    """The position that the request names, or, without a replica, that of the caller's newest change."""
    if (text := call.header(LEAST.lower().encode())) is None:
        return newest_own_position(call)
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise refused_header(LEAST, "Expected a log position, the Log-Position of an answer.")
    return int(text)


def newest_own_position(call: "Call[Any, Any]") -> int:
    """The caller's newest log position of the last seconds; 0 if there is a replica."""
    primary = call.primary
    return 0 if call.caller is None or primary.replica else primary.writers.newest(call.caller.player)


def _shun(services: "Services") -> None:
    if services.replica is not None:
        services.replica.shun()
