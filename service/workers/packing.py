"""Maintenance while the worker is idle: rewriting after erasures, old idempotency keys, packing games."""

from time import monotonic
from typing import Any

import structlog
from psycopg import Connection

from projections import PROJECTIONS
from service.event_store.codec import Codec
from service.event_store.ids import now
from service.event_store.packing import KeyAging, Packer
from service.event_store.unsealing import grace
from service.settings import Settings
from service.workers.rewriting import Rewriting

_AT_ONCE = 20
"""Games in one transaction: the worker's other work waits that long."""
_PAUSE = 600.0
"""Seconds between two searches for games to pack."""
_DAY = 86_400_000_000
_MIGRATION = 12

_log = structlog.get_logger("packing")


class IdleMaintenance:
    """What an idle worker does on its connection, in small steps."""

    def __init__(self, settings: Settings, codec: Codec) -> None:
        self._settings = settings
        self._packer = Packer(PROJECTIONS, codec)
        self._rewriting = Rewriting()
        self._key_aging = KeyAging()
        self._not_before = 0.0

    def __call__(self, connection: Connection[Any]) -> bool:
        """One small step; whether there is more to do. Raises StoreUnavailable."""
        self._rewriting(connection)
        if self._key_aging(connection):
            return True
        if not self._settings.pack_when_idle or monotonic() < self._not_before:
            return False
        if rollout(connection, self._settings) or not self._pack(connection):
            self._not_before = monotonic() + _PAUSE
            return False
        return True

    def _pack(self, connection: Connection[Any]) -> bool:
        """Pack a few games; whether there may be more."""
        batch = self._packer.batch(connection, days_ago(self._settings.pack_after_days), _AT_ONCE)
        if batch is None:
            return False
        _log.info("packed", games=batch.games, records=batch.records, bytes=batch.bytes)
        return True


def rollout(connection: Connection[Any], settings: Settings) -> float:
    """Seconds in which programs that cannot read packed games may still run."""
    return grace(connection, settings.rollout_seconds, _MIGRATION)


def days_ago(days: float) -> int:
    """The moment `days` ago, in microseconds since 1970."""
    return now() - round(days * _DAY)
