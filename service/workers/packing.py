"""Upkeep while nothing else is to do: erasures brought into the files, games packed, partitions made and dropped."""

from datetime import UTC, datetime
from time import monotonic
from typing import Any

import structlog
from psycopg import Connection

from projections import PROJECTIONS
from service.event_store.codec import Codec
from service.event_store.ids import now
from service.event_store.packing import partitions
from service.event_store.packing.packer import Packer
from service.event_store.reading.unsealing import grace
from service.settings import Settings
from service.workers.rewriting import Rewriting

_AT_ONCE = 20
"""Games in one transaction: whoever waits for the worker waits for one of them."""
_PAUSE = 600.0
"""Seconds until it is looked again whether there is something to pack."""
_DAY = 86_400_000_000
_MIGRATION = 12

_log = structlog.get_logger("packing")


class Upkeep:
    """What a worker does with its connection while the log rests, a little each time."""

    def __init__(self, settings: Settings, codec: Codec) -> None:
        self._settings = settings
        self._packer = Packer(PROJECTIONS, codec)
        self._rewriting = Rewriting()
        self._not_before = 0.0

    def __call__(self, connection: Connection[Any]) -> bool:
        """One small step; whether there is more to do. Raises StoreUnavailable."""
        self._rewriting(connection)
        if not self._settings.pack_when_idle or monotonic() < self._not_before:
            return False
        if rollout(connection, self._settings) or not self._pack(connection):
            self._not_before = monotonic() + _PAUSE
            return False
        return True

    def _pack(self, connection: Connection[Any]) -> bool:
        """A few games, or the partitions where there are none; whether there may be more games."""
        batch = self._packer.batch(connection, before(self._settings.pack_after_days), _AT_ONCE)
        if batch is not None:
            _log.info("packed", games=batch.games, records=batch.records, bytes=batch.bytes)
            return True
        for change in changes(connection, self._settings):
            _log.info("partition", name=change.partition, what=change.what, moved=change.moved)
        return False


def rollout(connection: Connection[Any], settings: Settings) -> float:
    """Seconds in which programs may still run that cannot read packed games."""
    return grace(connection, settings.rollout_seconds, _MIGRATION)


def before(days: float) -> int:
    """The moment, in microseconds since 1970, so many days ago."""
    return now() - round(days * _DAY)


def changes(connection: Connection[Any], settings: Settings) -> list[partitions.Change]:
    """Partitions made ahead, and those dropped whose games are packed; raises StoreUnavailable."""
    at = datetime.now(UTC)
    made = partitions.make(connection, settings.partition_by, settings.partitions_ahead, at)
    return [*made, *partitions.drop(connection, at)]
