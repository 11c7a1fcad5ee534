"""A cache of encoded views: an unchanged game is answered with the same bytes."""

from uuid import UUID

import msgspec
from cachetools import LRUCache

from domain.play.aggregate import Game
from domain.view import Seat, Viewer
from service.accounts.names import Names
from service.live import shapes
from service.telemetry.metrics import LOOKUPS

_Key = tuple[UUID, int, bytes, Viewer, tuple[Seat, ...], tuple[str | None, ...]]


class ViewCache:
    """Caches `capacity` views by game, version, digest, viewer, own seats and names."""

    def __init__(self, capacity: int = 5_000) -> None:
        self._encoded: LRUCache[_Key, bytes] = LRUCache(capacity)

    def of(self, game: Game, viewer: Viewer, own: tuple[Seat, ...], names: Names) -> bytes:
        """The view as JSON; it never changes for one version, digest, viewer and the names of its people, in order."""
        key = (game.id, game.version, game.digest, viewer, own, tuple(names.values()))
        view = self._encoded.get(key)
        LOOKUPS("look", "miss" if view is None else "hit").inc()
        if view is None:
            view = self._encoded[key] = msgspec.json.encode(shapes.look(game, viewer, own, names))
        return view
