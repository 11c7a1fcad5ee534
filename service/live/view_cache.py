"""Looks as they were written lately: who looks again at what has not changed is answered with the same bytes."""

from collections import OrderedDict
from uuid import UUID

import msgspec

from domain.play.aggregate import Game
from domain.view import Seat, Viewer
from service.live import shapes
from service.telemetry.metrics.counts import LOOKUPS

_Key = tuple[UUID, int, bytes, Viewer, tuple[Seat, ...]]


class Looks:
    """Remembers so many looks, by the game as its records made it and whose eyes look."""

    def __init__(self, capacity: int = 5_000) -> None:
        self._capacity = capacity
        self._written: OrderedDict[_Key, bytes] = OrderedDict()

    def of(self, game: Game, viewer: Viewer, own: tuple[Seat, ...]) -> bytes:
        """The look as JSON; a game of one version and digest looks the same to the same eyes for ever."""
        key = (game.id, game.version, game.digest, viewer, own)
        written = self._written.get(key)
        if written is None:
            LOOKUPS["look", "miss"] += 1
            return self._write(key, game)
        LOOKUPS["look", "hit"] += 1
        self._written.move_to_end(key)
        return written

    def _write(self, key: _Key, game: Game) -> bytes:
        written = self._written[key] = msgspec.json.encode(shapes.look(game, key[3], key[4]))
        if len(self._written) > self._capacity:
            self._written.popitem(last=False)
        return written
