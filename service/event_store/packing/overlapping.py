"""Packed games with records in a range of the log, and a cache of unpacked games.

A follower of the log meets the same game again and again, a few records at a time.
"""

from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from operator import itemgetter
from threading import Lock
from uuid import UUID

from cachetools import LRUCache

from service.event_store.codec import Codec
from service.event_store.packing.blob import Packed, unpacked_records
from service.event_store.reading.decoding import MultiQuery, Recorded

MOST_RECORDS = 200_000
Key = tuple[UUID, bytes]
"""A game and its digest: another body is another game."""


class UnpackedCache:
    """An LRU cache of games, up to `most` records in all; thread-safe."""

    def __init__(self, most: int = MOST_RECORDS) -> None:
        self._games: LRUCache[Key, list[Recorded]] = LRUCache(most, len)
        self._lock = Lock()

    def get(self, key: Key) -> list[Recorded] | None:
        """The records of this game, if cached."""
        with self._lock:
            return self._games.get(key)

    def keep(self, row: Packed, codec: Codec) -> list[Recorded]:
        """Unpack and cache this row; its records. Raises DamagedGame, UnknownTopic or UnreadableRecord."""
        game = unpacked_records(row, codec)
        with self._lock, suppress(ValueError):  # one game alone may exceed the capacity
            self._games[row.game, bytes(row.digest)] = game
        return game


UNPACKED = UnpackedCache()
"""The process's cache; entries stay valid, for records never change."""


_SPANS = (
    "SELECT game, digest FROM packed_games"
    " WHERE int8range(first_position, last_position, '[]') && int8range(%s, %s, '(]')"
)
_BODIES = (
    "SELECT game, first_position, last_position, last_version, digest, body FROM packed_games WHERE game = ANY(%s)"
)
_position = itemgetter(0)


def overlapping_records(after: int, until: int, codec: Codec) -> MultiQuery[list[Recorded]]:
    """Every packed record between these positions, in no order; cached games are not read again."""
    spans = yield _SPANS, (after, until)
    keys = [(game, bytes(digest)) for game, digest in spans]
    known = {key: game for key in keys if (game := UNPACKED.get(key)) is not None}
    missing = [key[0] for key in keys if key not in known]
    rows = (yield _BODIES, (missing,)) if missing else []
    games = [*known.values(), *(UNPACKED.keep(Packed(*row), codec) for row in rows)]
    return [placed for game in games for placed in _records_between(game, after, until)]


def _records_between(game: Sequence[Recorded], after: int, until: int) -> Sequence[Recorded]:
    return game[bisect_right(game, after, key=_position) : bisect_right(game, until, key=_position)]
