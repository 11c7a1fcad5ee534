"""Stored games as a child process reads them: own connection, a cache of the last few replays."""

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

EVENTS_PER_REQUEST = 1_000
"""So many events of a game count as one more heavy request; a job on more events is long."""
_BYTES_OF_AN_EVENT = 250
_CACHED = 8


class GameRef(NamedTuple):
    """A game up to this version. `imported`: the digest of an imported game, whose id another record may get."""

    game: UUID
    version: int
    imported: bytes | None = None


def game_ref(game: Game) -> GameRef:
    """The reference to the game at its current version."""
    return GameRef(game.id, game.version, None if game.importers is None else game.digest)


def count_events(arguments: Iterable[object]) -> int:
    """How many events a job with these arguments reads; records as text are estimated by their length."""
    games = [value.version for value in arguments if isinstance(value, GameRef)]
    return sum(games) + sum(len(value) for value in arguments if isinstance(value, bytes)) // _BYTES_OF_AN_EVENT


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

    def records(self, ref: GameRef) -> list[AnyRecord]:
        """The game's records up to the given version; raises StoreUnavailable, SealingKeyMissing."""
        try:
            records = self._read(ref)
        except SealingKeyMissing:  # a new key may have come since
            self._codec = self._current_codec()
            records = self._read(ref)
        if not records or records[-1].version < ref.version:
            raise StoreUnavailable("the game is not there as it was asked for")
        return [record for record in records if record.version <= ref.version]

    def _read(self, ref: GameRef) -> list[AnyRecord]:
        if ref.imported is not None:
            return read_imported(self.connection(), ref.game, self.ring.vouch)
        return read_stream(self.connection(), ref.game, codec=self._codec)


_reader: _Reader
_replays: LRUCache[tuple[Any, ...], Replay] = LRUCache(_CACHED)


def prepare(conninfo: str, settings: Settings) -> None:
    """Set where games are read from."""
    global _reader
    _reader = _Reader(conninfo, settings)


def replay_of(ref: GameRef) -> Replay:
    """The replay of the game, at least up to the given version; raises StoreUnavailable."""
    replay = _replays.setdefault((ref.game, ref.imported), Replay())
    if replay.version < ref.version:
        replay.extend([record for record in _reader.records(ref) if record.version > replay.version])
    return replay


def records_of(ref: GameRef) -> list[AnyRecord]:
    """The records of the game's replay; raises StoreUnavailable."""
    return [record for step in replay_of(ref).steps for record in step]


def game_of(ref: GameRef) -> Game:
    """The game at the given version; raises StoreUnavailable."""
    replay = replay_of(ref)
    return replay.after(bisect_left(replay.steps, ref.version, key=lambda step: step[-1].version))


def record_of(ref: GameRef) -> OpenRecord:
    """The game's record with the signature of the given version; raises StoreUnavailable."""
    records = _reader.records(ref)
    with unavailability():
        row = (
            _reader.connection()
            .execute("SELECT key, value FROM signatures WHERE game = %s AND version = %s", (ref.game, ref.version))
            .fetchone()
        )
    return OpenRecord(tuple(records), None if row is None else Signature(row[0], bytes(row[1])))


def sealed_record_of(ref: GameRef) -> OpenRecord:
    """The same in format 3, sealed by the service's key; raises StoreUnavailable."""
    return _reader.ring.seal(record_of(ref))


def text_of(ref: GameRef) -> bytes | None:
    """The original text of an imported game; None for any other; raises StoreUnavailable."""
    return None if ref.imported is None else read_imported_text(_reader.connection(), ref.game)
