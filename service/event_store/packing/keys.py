"""Idempotency keys of packed games: they go once the game has not changed for a week, as clients are told.

With the game, in the transaction that packs it, if it is as old by then; else in a sweep over the keys that are left.
What stands under nobody's name stays: it says which game is another's rematch, or which are a fixture's.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from domain.record import Micros
from service.event_store.errors import DamagedGame
from service.event_store.packing.blob import Packed, last_change

KEPT: Micros = 7 * 86_400_000_000
"""So long after a game's last change its keys are answered: `service/api/headers.py` tells clients so."""
NOBODY = UUID(int=0)
_STREAMS = 200
"""Streams of a sweep's transaction: one decompresses some kilobytes for each that is packed."""
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


class Swept(NamedTuple):
    """How many keys went, and the stream up to which it was looked for them."""

    keys: int
    reached: UUID


def forget(connection: Connection[Any], changed: Mapping[UUID, Micros], now: Micros) -> int:
    """The keys of those games go that are packed and changed so long ago; how many keys.

    `changed`: when each was last, as far as it is packed; to a game with rows in the log something has come since.
    """
    old = [game for game, at in changed.items() if at < now - KEPT]
    return connection.execute(_FORGET, (old, NOBODY)).rowcount if old else 0


def sweep(connection: Connection[Any], after: UUID, now: Micros) -> Swept | None:
    """The same for the next streams behind this one; None behind the last. Games opened later cannot be old enough."""
    opened_later = UUID(int=(now - KEPT) // 1000 << 80)  # ids are UUIDv7
    with connection.cursor(binary=True) as cursor:
        streams = [one for (one,) in cursor.execute(_NEXT, (after, opened_later, NOBODY, _STREAMS))]
        rows = [Packed(*row) for row in cursor.execute(_PACKED, (streams,))] if streams else []
    changed = {row.game: at for row in rows if (at := _changed(row)) is not None}
    return Swept(forget(connection, changed, now), streams[-1]) if streams else None


def _changed(row: Packed) -> Micros | None:
    """None for a damaged game: verification tells of it, and nothing is deleted for it."""
    try:
        return last_change(row)
    except DamagedGame:
        return None
