"""Reading where it may lag: from a streaming replica, and from the primary while the replica is gone or too far behind.

An operation that may lag says so (`Operation.may_lag`); every other one reads the primary alone. A replica is a whole
copy of the database as it was a moment ago, so that all that one answer reads there belongs together.
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
from service.problems import Refused
from service.workers.reads import Reads

if TYPE_CHECKING:
    from service.http.operation import Call
    from service.http.services import Services

Handler = Callable[[Any], Awaitable[Any]]

LEAST = "Min-Log-Position"
"""A header of operations that may lag: the answer shall stand at this position at least, if it can be had soon."""
PATIENCE = 1.0
"""Seconds that a reader who names a position is kept waiting for it."""
_MISSING = "no_such_thing"
_DIGITS = 18  # of a position, at most
_PAUSE = 0.01  # seconds between the first two looks at how far it is
_SHUNNED = 2.0  # seconds in which a replica that did not answer is not asked again


class Replica:
    """A streaming replica of the database."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self._not_before = 0.0

    @property
    def usable(self) -> bool:
        """Whether it has answered when it was asked last, or that was a while ago."""
        return monotonic() >= self._not_before

    def shun(self) -> None:
        """It did not answer: it is left in peace for a moment."""
        self._not_before = monotonic() + _SHUNNED


class LaggingReads(Reads):
    """The read models on the first of these sides that has come as far as `at_least`, else on the last.

    `seen` is the lowest position at which something was read so far; None while nothing was.
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
        while not await self._reached(projection):
            if monotonic() > until:
                return self._sides[-1]
            await asyncio.sleep(pause)
            pause *= 1.5
        return self._sides[0]

    async def _reached(self, projection: Projection) -> bool:
        if not self._at_least:
            return True
        async with self._sides[0].of(projection) as found:
            return found.position >= self._at_least


class LaggingStore(EventStore):
    """The log as the replica has it, for one answer: once it was left for the primary it is not gone back to."""

    def __init__(self, primary: EventStore, replica: Replica) -> None:
        self._primary, self._replica, self._left = primary, replica, False
        self.codec, self.vouch = primary.codec, primary.vouch

    async def append(
        self, records: Sequence[Any], companions: Sequence[Companion] = (), slot: int | None = None
    ) -> int:
        return await self._primary.append(records, companions, slot)

    async def head(self, at_least: int = 0) -> int:
        """The newest position here; of the primary where the replica does not come as far as `at_least` in time."""
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


def aside(services: "Services", at_least: int) -> "Services | None":
    """These services where what is read may lag; None where there is no replica that answers."""
    replica = services.replica
    if replica is None or not replica.usable:
        return None
    reads = LaggingReads((replica.reads, services.reads), at_least)
    return replace(services, reads=reads, store=LaggingStore(services.store, replica))


def patient(services: "Services", at_least: int) -> "tuple[Services, LaggingReads]":
    """These services on the primary, whose read models are waited for a moment, too."""
    reads = LaggingReads((services.reads,), at_least)
    return replace(services, reads=reads), reads


def may_lag(handler: Handler) -> Handler:
    """The handler on the replica; on the primary where there is none, or where it does not answer or lags too far.

    What is not there is looked for once more where the read models had not come to the head of the log.
    """

    async def handle(call: "Call[Any, Any]") -> Any:
        at_least = _least(call)
        if (beside := aside(call.primary, at_least)) is not None:
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
    services, reads = patient(call.primary, at_least)
    try:
        return await handler(call.on(services))
    except Refused as refused:
        if refused.kind != _MISSING or reads.seen is None:
            raise
        head = await call.primary.store.head()
        if reads.seen >= head:
            raise
    services, reads = patient(call.primary, head)
    try:
        return await handler(call.on(services))
    except Refused as refused:
        if refused.kind == _MISSING and reads.seen is not None and reads.seen < head:
            raise _not_yet(refused, reads.seen, head) from refused
        raise


def _not_yet(refused: Refused, seen: int, head: int) -> Refused:
    """The same refusal, which says that what is asked for may come."""
    late = f"It may not be there yet: this is as of log position {seen}, and the log is at {head}."
    return Refused(_MISSING, f"{refused.problem.detail} {late} Ask again with {LEAST}: {head}.")


def _least(call: "Call[Any, Any]") -> int:
    """What the request names, or, where nothing is replicated, the caller's own newest change."""
    if (text := call.header(LEAST.lower().encode())) is None:
        return own_newest(call)
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise Refused("malformed", f"{LEAST} is no log position.")
    return int(text)


def own_newest(call: "Call[Any, Any]") -> int:
    """The newest log position that the caller has written here lately; 0 where a replica is there to be read."""
    primary = call.primary
    return 0 if call.caller is None or primary.replica else primary.writers.newest(call.caller.player)


def _shun(services: "Services") -> None:
    if services.replica is not None:
        services.replica.shun()
