"""Idempotency keys of packed games are deleted once the game has not changed for a week, as clients are told.

That happens in the transaction that packs the game, if it is old enough by then, else in a later sweep. Keys of what is
no game are deleted by age, while the worker is idle. Keys of NOBODY stay: they say which game is another's rematch or a
fixture's.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from domain.record import Micros
from service.event_store.errors import DamagedGame
from service.event_store.packing.blob import Packed, last_change

KEPT: Micros = 7 * 86_400_000_000
"""How long after a game's last change its keys are answered; `service/api/headers.py` tells clients so."""
NOBODY = UUID(int=0)
_STREAMS = 200
"""Streams in one transaction of a sweep: each packed one means decompressing some kilobytes."""
_FORGET = """
DELETE FROM idempotency_keys AS kept WHERE stream = ANY(%s) AND player <> %s
AND NOT EXISTS (SELECT FROM events WHERE events.stream = kept.stream)
"""
_NEXT = """
SELECT DISTINCT stream FROM idempotency_keys WHERE stream > %s AND stream < %s AND player <> %s ORDER BY stream LIMIT %s
"""
_PACKED = """
SELECT game, first_position, last_position, last_version, digest, body FROM packed_games WHERE game = ANY(%s)
"""

KEPT_DAYS = 30
"""Days for which a key of what is no game is answered; `service/live/idempotency.py` tells clients so."""
_AT_ONCE = 500
_PAUSE = 3600.0  # seconds between two searches
_BEGINNING = (datetime(1970, 1, 1, tzinfo=UTC), NOBODY, "", "")
# The index by age has what names no target: openings of games too, which stay with their games.
_DELETE_OLD = f"""
WITH old AS (
    SELECT kept_at, player, operation, key, stream FROM idempotency_keys
    WHERE target = '{NOBODY}' AND (kept_at, player, operation, key) > (%s, %s, %s, %s) AND kept_at < %s
    ORDER BY kept_at, player, operation, key LIMIT {_AT_ONCE}
), gone AS (
    DELETE FROM idempotency_keys AS kept USING old
    WHERE kept.target = '{NOBODY}' AND kept.player <> '{NOBODY}'
    AND (kept.player, kept.operation, kept.key) = (old.player, old.operation, old.key)
    AND NOT EXISTS (SELECT FROM packed_games WHERE game = old.stream)
    AND NOT EXISTS (SELECT FROM events WHERE stream = old.stream AND version = 1 AND topic = 'game/opened')
)
SELECT kept_at, player, operation, key FROM old ORDER BY kept_at DESC, player DESC, operation DESC, key DESC LIMIT 1
"""


class SweepResult(NamedTuple):
    """How many keys were deleted, and the last stream that was searched."""

    keys: int
    reached: UUID


def forget(connection: Connection[Any], changed: Mapping[UUID, Micros], now: Micros) -> int:
    """Delete the keys of packed games that are old enough; how many keys.

    `changed`: game -> time of its last packed record. Games with rows in the log changed since: they keep their keys.
    """
    old = [game for game, at in changed.items() if at < now - KEPT]
    return connection.execute(_FORGET, (old, NOBODY)).rowcount if old else 0


def sweep(connection: Connection[Any], after: UUID, now: Micros) -> SweepResult | None:
    """`forget` for the next streams after this one; None after the last. Skips games opened too recently."""
    opened_later = UUID(int=(now - KEPT) // 1000 << 80)  # ids are UUIDv7
    with connection.cursor(binary=True) as cursor:
        streams = [one for (one,) in cursor.execute(_NEXT, (after, opened_later, NOBODY, _STREAMS))]
        rows = [Packed(*row) for row in cursor.execute(_PACKED, (streams,))] if streams else []
    changed = {row.game: at for row in rows if (at := _readable_last_change(row)) is not None}
    return SweepResult(forget(connection, changed, now), streams[-1]) if streams else None


def _readable_last_change(row: Packed) -> Micros | None:
    """The time of the last record; None for a damaged game: verification reports it, and its keys stay."""
    try:
        return last_change(row)
    except DamagedGame:
        return None


class KeyAging:
    """Deletes old keys on a worker's connection."""

    def __init__(self) -> None:
        self._reached: tuple[datetime, UUID, str, str] = _BEGINNING
        self._not_before = 0.0

    def __call__(self, connection: Connection[Any]) -> bool:
        """Search the next few; whether there may be more."""
        if monotonic() < self._not_before:
            return False
        before = datetime.now(UTC) - timedelta(days=KEPT_DAYS)
        for at, player, operation, key in connection.execute(_DELETE_OLD.encode(), (*self._reached, before)).fetchall():
            self._reached = (at, player, operation, key)
            return True
        self._reached, self._not_before = _BEGINNING, monotonic() + _PAUSE
        return False
