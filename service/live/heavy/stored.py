"""Stored games as a process for heavy work reads them: own connection, a cache of the last few replays."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from cachetools import LRUCache
from psycopg import Connection

from domain.play.aggregate import AnyRecord, Game
from domain.play.open_record import OpenRecord, Signature
from service.event_store.codec import Codec, standard_codec
from service.event_store.connections import connect, unavailability
from service.event_store.errors import StoreUnavailable
from service.event_store.imported import read_imported, read_imported_text
from service.event_store.reading import read_stream
from service.keys.sealing import SealingKeyMissing, Seals
from service.keys.signing import Ring
from service.live.replay import Replay
from service.settings import Settings

WEIGHT = 1_000
"""Each so many events of a game count as one more heavy request; work on more events is long."""
_BYTES_OF_AN_EVENT = 250


class GameRef(NamedTuple):
    """A game up to this version. `imported`: the digest of an imported game, whose id another record may get."""

    game: UUID
    version: int
    imported: bytes | None = None


def game_ref(game: Game) -> GameRef:
    """The reference to the game at its current version."""
    return GameRef(game.id, game.version, None if game.importers is None else game.digest)


def size_of(given: Iterable[object]) -> int:
    """How many events work with these arguments reads; records as text are estimated by their length."""
    games = [one.version for one in given if isinstance(one, GameRef)]
    return sum(games) + sum(len(one) for one in given if isinstance(one, bytes)) // _BYTES_OF_AN_EVENT


_KEPT = 8


class _Reader:
    """The database and the keys that this process was started with."""

    def __init__(self, conninfo: str, settings: Settings) -> None:
        self._conninfo, self._settings = conninfo, settings
        self._codec = self._current_codec()
        self.ring = Ring(settings.keys_folder, settings.trusted_keys)
        self.ring.open()
        self._connection: Connection[Any] | None = None

    def _current_codec(self) -> Codec:
        return standard_codec().sealing(Seals(self._settings.sealing_folder).read())

    def connection(self) -> Connection[Any]:
        """The connection, made anew after it was lost; raises StoreUnavailable."""
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._conninfo, "heavy")
            self._connection.prepare_threshold = None  # there may be a pooler in between
        return self._connection

    def records(self, asked: GameRef) -> list[AnyRecord]:
        """The game's records up to the given version; raises StoreUnavailable, SealingKeyMissing."""
        try:
            found = self._records(asked)
        except SealingKeyMissing:  # a new key may have come since
            self._codec = self._current_codec()
            found = self._records(asked)
        if not found or found[-1].version < asked.version:
            raise StoreUnavailable("the game is not there as it was asked for")
        return [record for record in found if record.version <= asked.version]

    def _records(self, asked: GameRef) -> list[AnyRecord]:
        if asked.imported is not None:
            return read_imported(self.connection(), asked.game, self.ring.vouch)
        return read_stream(self.connection(), asked.game, codec=self._codec)


_reader: _Reader
_replays: LRUCache[tuple[Any, ...], Replay] = LRUCache(_KEPT)


def prepare(conninfo: str, settings: Settings) -> None:
    """Set where games are read from."""
    global _reader
    _reader = _Reader(conninfo, settings)


def replay_of(asked: GameRef) -> Replay:
    """The replay of the game, at least up to the given version; raises StoreUnavailable."""
    key = asked.game, asked.imported
    replay = _replays.setdefault(key, Replay())
    if replay.version < asked.version:
        replay.extend([record for record in _reader.records(asked) if record.version > replay.version])
    return replay


def game_of(asked: GameRef) -> Game:
    """The game at the given version; raises StoreUnavailable."""
    replay = replay_of(asked)
    number = bisect_left(replay.steps, asked.version, key=lambda step: step[-1].version)
    return replay.after(number)


def record_of(asked: GameRef) -> OpenRecord:
    """The game's record with the signature of the given version; raises StoreUnavailable."""
    return OpenRecord(tuple(_reader.records(asked)), _signature(asked))


def sealed_record_of(asked: GameRef) -> OpenRecord:
    """The same in format 3, sealed by the service's key; raises StoreUnavailable."""
    return _reader.ring.seal(record_of(asked))


def text_of(asked: GameRef) -> bytes | None:
    """The original text of an imported game; None for any other; raises StoreUnavailable."""
    return None if asked.imported is None else read_imported_text(_reader.connection(), asked.game)


def _signature(asked: GameRef) -> Signature | None:
    with unavailability():
        row = (
            _reader.connection()
            .execute("SELECT key, value FROM signatures WHERE game = %s AND version = %s", (asked.game, asked.version))
            .fetchone()
        )
    return None if row is None else Signature(row[0], bytes(row[1]))
