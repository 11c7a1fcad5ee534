"""Packed games that were read lately: who follows the log meets each of them again and again, a few records a time."""

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from service.event_store.codec import Codec
from service.event_store.packing.blob import Packed, unpacked
from service.event_store.reading.recorded import Recorded

MOST_RECORDS = 200_000
Key = tuple[UUID, bytes]
"""A game and its digest: another body is another game."""


class Unpacked:
    """The games read lately, up to so many records in all; used from any thread."""

    def __init__(self, most: int = MOST_RECORDS) -> None:
        self._most = most
        self._count = 0
        self._games: OrderedDict[Key, list[Recorded]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> list[Recorded] | None:
        """The records of this game, if they are here."""
        with self._lock:
            if (game := self._games.get(key)) is not None:
                self._games.move_to_end(key)
            return game

    def keep(self, row: Packed, codec: Codec) -> list[Recorded]:
        """The records of this row, here from now on; raises DamagedGame, UnknownTopic or UnreadableRecord."""
        game = unpacked(row, codec)
        with self._lock:
            if self._games.setdefault((row.game, bytes(row.digest)), game) is game:
                self._count += len(game)
            while self._count > self._most and len(self._games) > 1:
                self._count -= len(self._games.popitem(last=False)[1])
        return game


UNPACKED = Unpacked()
"""One for the process: records never change."""
