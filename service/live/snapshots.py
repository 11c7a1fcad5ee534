"""Snapshots: games as they stood at every 16th version and at the end, and cold games, read with their help.

The law: a snapshot spares a reader the fold and is never the truth. It counts only if the digest of the record at its
version fits its state; for any fault the records replace it, and the table may be emptied at any time.
`domain/play/snapshot` makes and restores snapshots.

A snapshot is msgpack in the form of one revision of a game type, named by a hash of its fields, and sealed like the
records of a live game. It does not hold what undo could restore, so a command to a cold game reads all of it. A packed
game has none.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from typing import Any
from uuid import UUID

import msgspec
import structlog
from msgspec.structs import replace

from domain.games import REVISIONS
from domain.play import snapshot
from domain.play.aggregate import Game, fold
from domain.play.deciding import Step
from domain.play.events import Opened
from domain.play.snapshot import Snapshot, is_vouched_for, restored_game, restores_unread
from service.event_store.codec import PLACE, Codec
from service.event_store.connections import Rows
from service.event_store.errors import StoreUnavailable
from service.event_store.reading import MultiQuery, decode_stream_rows
from service.event_store.store import EventStore
from service.keys.sealing import BrokenSeal, SealingKeyMissing
from service.live.seats import NoSuchGame
from service.telemetry.background import start_task

_ENCODER = msgspec.msgpack.Encoder(uuid_format="bytes")


# The snapshot, then the record before it, its own, and the later ones; without a snapshot all records.
_SELECT = f"""
SELECT version, body AS state, NULL::bytea AS place, form FROM snapshots WHERE game = %s
UNION ALL
SELECT version, state, {PLACE}, NULL FROM events
WHERE stream = %s AND version >= coalesce((SELECT version - 1 FROM snapshots WHERE game = %s), 1)
ORDER BY form, version
"""


EVERY = 16
"""Versions between snapshots: a cold look folds half of them in some 70 microseconds; a write per some 8 commands."""
_PATIENCE = 3.0  # seconds for the last write, when the process ends
_PAUSE = 5.0  # seconds between writes: a game due several times is written once
_AT_ONCE = 5
"""Snapshots in one statement: commands wait while they are encoded, a fraction of a millisecond."""
_KEEP = """
WITH kept AS (
    INSERT INTO snapshots (game, version, form, body)
    SELECT * FROM unnest(%s::uuid[], %s::int[], %s::text[], %s::bytea[])
    ON CONFLICT (game) DO UPDATE SET version = excluded.version, form = excluded.form, body = excluded.body
    WHERE snapshots.version < excluded.version OR snapshots.form <> excluded.form
    RETURNING 1
)
SELECT count(*) FROM kept
"""
_log = structlog.get_logger("snapshots")


class Snapshots:
    """The snapshots of one process's games: noted when due, written some seconds later, read for a cold game.

    A lost snapshot only costs a longer fold.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._due: dict[UUID, Game] = {}
        self._task: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()

    async def read(self, game_id: UUID) -> Game | None:
        """The current game, perhaps without the states that undo restores; None where the records must be read."""
        return await self._store.run_queries(_read_current(game_id, self._store.codec))

    def note(self, before: Game | None, step: Step) -> None:
        """Note the game if a snapshot is due after this step."""
        if snapshot.is_due(before, step.records, EVERY):
            self._due[step.game.id] = step.game

    def start(self) -> None:
        """Write from now on."""
        self._task = start_task(self._keep_due, "snapshots")

    async def stop(self) -> None:
        """Write the due snapshots, if the database answers soon, and stop."""
        self._ended.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=_PATIENCE)
            self._task.cancel()

    async def _keep_due(self) -> None:
        last = False
        while not last:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), _PAUSE)
            last = self._ended.is_set()  # what falls due during this write is written in another round
            try:
                await self.keep()
            except Exception:  # noqa: BLE001  an error must not stop later writes
                _log.exception("snapshots not kept")

    async def keep(self) -> None:
        """Write the due snapshots."""
        due, self._due = list(self._due.values()), {}
        try:
            for first in range(0, len(due), _AT_ONCE):
                await self._store.query(_KEEP, self._make_columns(due[first : first + _AT_ONCE]))
        except StoreUnavailable as error:
            _log.info("snapshots not kept", games=len(due), error=str(error))

    def _make_columns(self, games: Sequence[Game]) -> tuple[list[object], ...]:
        """The columns game, version, form and body of these games' snapshots."""
        taken = [(game, stored) for game in games if (stored := snapshot.snapshot_of(game)) is not None]
        rows = [(game.id, stored.version, form_of(game.type.key, game.type.revision), stored) for game, stored in taken]
        bodies: list[object] = [
            encoded_snapshot(game, form, stored, self._store.codec) for game, _, form, stored in rows
        ]
        return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows], bodies


class ColdGames:
    """Reads a game in the cheapest way: new records only, a snapshot and later records, or all records."""

    def __init__(self, store: EventStore, snapshots: Snapshots) -> None:
        self._store, self._snapshots = store, snapshots

    async def read(self, game_id: UUID, older: Game | None, with_undo: bool) -> Game:
        """The game, from an `older` version if given; raises NoSuchGame where there is none.

        `with_undo`: with the states that undo restores, which no snapshot has.
        """
        if older is not None and ((with_undo and older.unread) or older.importers is not None):
            older = None
        game = None
        if older is not None:
            fresh = await self._store.since(older.id, older.version)
            if fresh is not None and not restores_unread(older, fresh):
                game = fold(fresh, older) if fresh else older
        if game is None and not with_undo:
            game = await self._snapshots.read(game_id)
        try:
            if game is None:
                records, importers = await self._store.find_stream(game_id)
                if not records or not isinstance(records[0].event, Opened):
                    raise NoSuchGame(hidden=False)
                game = replace(fold(records), importers=importers)
            return game
        except NoSuchGame:
            if with_undo:  # a missing game takes the same queries for everybody (see live/seats.py)
                await self._snapshots.read(game_id)
            raise


def _read_current(stream: UUID, codec: Codec) -> MultiQuery[Game | None]:
    """The current game; None where the records must be read: packed, imported, missing, no trusted snapshot."""
    rows = yield _SELECT, (stream, stream, stream)
    if not rows or rows[0][3] is None:
        records = yield from decode_stream_rows(_select_states(rows), stream, codec)
        is_complete = records and records[0].version == 1 and isinstance(records[0].event, Opened)
        return fold(records) if is_complete else None
    if not is_known_form(rows[0][3]):
        return None
    records = yield from decode_stream_rows(_select_states(rows[1:]), stream, codec)
    game = _restore_game(stream, rows[0], codec)
    if game is None or len(records) < 2 or not is_vouched_for(game, *records[:2]):
        _log.warning("snapshot not believed", game=str(stream), version=rows[0][0])
        return None
    return None if restores_unread(game, records[2:]) else fold(records[2:], game)


def _select_states(rows: Rows) -> Rows:
    return [row[1:3] for row in rows]


def _restore_game(stream: UUID, row: tuple[int, bytes, None, str], codec: Codec) -> Game | None:
    """The game of a snapshot; None for any fault in it, for the records suffice."""
    version, body, _, form = row
    try:
        return restored_game(stream, read_snapshot(stream, version, form, body, codec))
    except (msgspec.DecodeError, SealingKeyMissing, BrokenSeal):
        return None


@cache
def form_of(key: str, revision: int) -> str:
    """The form's name: `klondike/1/` and a hash of the fields. A program with another form reads the records."""
    fields = msgspec.json.encode(msgspec.json.schema(_find_type(key, revision)), order="sorted")
    return f"{key}/{revision}/{blake2b(fields, digest_size=8).hexdigest()}"


@cache
def is_known_form(form: str) -> bool:
    """Whether this program reads and writes snapshots in this form."""
    key, revision = _split_form(form)
    return (key, revision) in REVISIONS and form_of(key, revision) == form


@cache
def _make_decoder(form: str) -> "msgspec.msgpack.Decoder[Snapshot[Any]]":
    return msgspec.msgpack.Decoder(_find_type(*_split_form(form)))


def _split_form(form: str) -> tuple[str, int]:
    key, revision, _ = form.split("/")
    return key, int(revision)


def _find_type(key: str, revision: int) -> Any:
    return Snapshot[REVISIONS[key, revision].state]  # type: ignore[misc]


def encoded_snapshot(stream: UUID, form: str, snapshot: "Snapshot[Any]", codec: Codec) -> bytes:
    """The snapshot as it is stored."""
    return codec.seals.seal_if_sealing(_encode_place(stream, snapshot.version, form), _ENCODER.encode(snapshot))


def read_snapshot(stream: UUID, version: int, form: str, body: bytes, codec: Codec) -> "Snapshot[Any]":
    """The decoded snapshot, of a known form. Raises DecodeError, SealingKeyMissing or BrokenSeal."""
    return _make_decoder(form).decode(codec.seals.unseal_if_sealed(_encode_place(stream, version, form), body))


def _encode_place(stream: UUID, version: int, form: str) -> bytes:
    return stream.bytes + version.to_bytes(4, "big") + b"snapshot " + form.encode()
