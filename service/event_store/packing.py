"""Packing: finished games leave the rows of the log and become one row each; old idempotency keys are deleted.

A batch is inserted and deleted in one transaction, so that a packer that dies leaves whole batches. It deletes only the
rows that it has read: what is recorded meanwhile stays in the log, after the packed game. Signatures and other tables
stay: they refer to games and versions.

Keys of a packed game are deleted once the game has not changed for a week, as clients are told: in the transaction that
packs the game, or in a later sweep. Keys that belong to no game are deleted by age, while the worker is idle. Keys of
NOBODY stay: they say which game is another's rematch or a fixture's.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

import structlog
from psycopg import Connection

from domain.play import events as ev
from domain.record import Micros
from service.event_store import ids
from service.event_store.codec import (
    PLACE,
    Codec,
    Packed,
    Recorded,
    encoded_records,
    last_change,
    packed_row,
    standard_codec,
    unpacked_records,
)
from service.event_store.connections import unavailability
from service.event_store.errors import DamagedGame, UnknownTopic, UnreadableRecord
from service.event_store.reading import decode_log_rows, run_query, withheld_streams
from service.keys.sealing import BrokenSeal

LOCK = 0x7061636B  # "pack": an advisory lock in each batch's transaction: one packer at a time
BATCH = 50
"""Games in one transaction: their rows are locked for a fraction of a second."""
# Uses the index events_feed: every game that can be packed has been revealed.
_ENDED = f"""
SELECT position, state, {PLACE} FROM events
WHERE topic IN ('game/revealed', 'game/voided') AND position > %s AND position <= %s ORDER BY position LIMIT %s
"""
_FLOOR = "SELECT array_agg(DISTINCT projection), min(position) FROM positions"
_ROWS = f"SELECT stream, position, state, {PLACE} FROM events WHERE stream = ANY(%s) ORDER BY stream, version"
_PACKED = """
SELECT game, first_position, last_position, last_version, digest, body FROM packed_games WHERE game = ANY(%s)
"""
_INSERT = """
INSERT INTO packed_games (game, first_position, last_position, last_version, digest, body)
VALUES (%s, %s, %s, %s, %b, %b)
ON CONFLICT (game) DO UPDATE SET last_position = excluded.last_position, last_version = excluded.last_version,
    digest = excluded.digest, body = excluded.body
"""
_INSERT_ENDINGS = "INSERT INTO packed_endings (position, game, version) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_DELETE = """
DELETE FROM events USING unnest(%s::uuid[], %s::int[]) AS gone (stream, version)
WHERE events.stream = gone.stream AND events.version <= gone.version
"""
_DELETE_SNAPSHOTS = "DELETE FROM snapshots WHERE game = ANY(%s)"
_ENDS = ev.Revealed | ev.Voided
_log = structlog.get_logger("packing")


class Batch(NamedTuple):
    """What one transaction packed, the last position it searched, and how many keys it deleted.

    Once nothing is left to pack it only has keys, of games packed earlier.
    """

    games: int
    records: int
    bytes: int
    failed: int
    reached: int
    keys: int = 0


class _Game(NamedTuple):
    """A game to pack: how many rows of the log it has, and all its records."""

    rows: int
    records: list[Recorded]


class Packer:
    """Packs the games that all these projections have passed and that did not change recently.

    `projections`: names; one without a build has passed nothing.
    """

    def __init__(
        self, projections: Collection[str], codec: Codec | None = None, now: Callable[[], Micros] = ids.now
    ) -> None:
        self._projections = frozenset(projections)
        self._codec = codec or standard_codec()
        self._now = now
        self._reached = self._floor = 0
        self._swept = NOBODY

    def batches(self, connection: Connection[Any], before: Micros, most: int = BATCH) -> Iterator[Batch]:
        """Pack all games that did not change after `before`, batch by batch.

        Ends at once while another packer works. Raises StoreUnavailable; an error undoes its own batch only.
        """
        self._reached, self._swept = 0, NOBODY
        while (batch := self.batch(connection, before, most)) is not None:
            yield batch

    def batch(self, connection: Connection[Any], before: Micros, most: int = BATCH) -> Batch | None:
        """Pack the next batch in a transaction; None at the end, after which the search starts again."""
        with unavailability(), connection.transaction():
            connection.execute("SET LOCAL lock_timeout = '5s'")
            if connection.execute("SELECT pg_try_advisory_xact_lock(%s)", (LOCK,)).fetchone() != (True,):
                return None
            ((names, position),) = connection.execute(_FLOOR).fetchall()
            self._floor = int(position or 0) if self._projections <= set(names or ()) else 0
            with connection.cursor(binary=True) as cursor:
                rows = cursor.execute(_ENDED, (self._reached, self._floor, most)).fetchall()
            ended = run_query(connection, decode_log_rows(rows, self._codec))
            # Times grow with positions: a batch of recent endings ends the search.
            if streams := {record.stream for _, record in ended if record.time < before}:
                batch: Batch | None = self._pack_streams(connection, streams, before, ended[-1].position)
            else:
                batch = self._sweep(connection)
        self._reached = batch.reached if batch else 0
        return batch

    def _pack_streams(self, connection: Connection[Any], streams: set[UUID], before: Micros, reached: int) -> Batch:
        """Pack these games; one that cannot be read, or would not unpack equal, is logged and left as it is."""
        with connection.cursor(binary=True) as cursor:
            early = {row[0]: Packed(*row) for row in cursor.execute(f"{_PACKED} FOR UPDATE".encode(), (list(streams),))}
            rows = cursor.execute(_ROWS, (list(streams),)).fetchall()
        games, packed, failed = [], [], 0
        for stream, group in groupby(rows, key=itemgetter(0)):
            late = [row[1:] for row in group]
            try:
                records = unpacked_records(early[stream], self._codec) if stream in early else []
                records += run_query(connection, decode_log_rows(late, self._codec))
                if self._is_packable(records, before):
                    packed.append(self._checked_row(records))
                    games.append(_Game(len(late), records))
            except (ValueError, UnknownTopic, UnreadableRecord, BrokenSeal) as error:
                _log.warning("game not packed", error=str(error))
                failed += 1
        _store(connection, games, packed)
        count, size = sum(game.rows for game in games), sum(len(row.body) for row in packed)
        changed = {last.stream: last.time for last in (game.records[-1].record for game in games)}
        return Batch(len(packed), count, size, failed, reached, self._forget(connection, changed))

    def _sweep(self, connection: Connection[Any]) -> Batch | None:
        """Delete old keys of games packed earlier, a few streams at a time; None when all were searched."""
        opened_later = UUID(int=(self._now() - KEPT) // 1000 << 80)  # ids are UUIDv7
        with connection.cursor(binary=True) as cursor:
            streams = [stream for (stream,) in cursor.execute(_NEXT, (self._swept, opened_later, NOBODY, _STREAMS))]
            rows = [Packed(*row) for row in cursor.execute(_PACKED, (streams,))] if streams else []
        self._swept = streams[-1] if streams else NOBODY
        changed = dict[UUID, Micros]()
        for row in rows:
            with suppress(DamagedGame):  # verification reports it, and its keys stay
                changed[row.game] = last_change(row)
        return Batch(0, 0, 0, 0, self._reached, self._forget(connection, changed)) if streams else None

    def _forget(self, connection: Connection[Any], changed: Mapping[UUID, Micros]) -> int:
        """Delete the keys of packed games that are old enough; how many keys.

        `changed`: game -> time of its last packed record. Games with rows in the log changed since: their keys stay.
        """
        old = [game for game, at in changed.items() if at < self._now() - KEPT]
        return connection.execute(_FORGET, (old, NOBODY)).rowcount if old else 0

    def _is_packable(self, game: list[Recorded], before: Micros) -> bool:
        """Whether the game is complete, over, revealed, unchanged since `before` and folded by all projections."""
        kinds, last = {type(record.event) for _, record in game}, game[-1]
        return (
            [record.version for _, record in game] == list(range(1, len(game) + 1))
            and ev.Opened in kinds
            and ev.Revealed in kinds
            and not kinds.isdisjoint({ev.Finished, ev.Voided})
            and not withheld_streams(game)
            and last.record.time < before
            and last.position <= self._floor
        )

    def _checked_row(self, game: list[Recorded]) -> Packed:
        """The packed row of this game; raises ValueError if it does not unpack to the same records."""
        row = packed_row(game)
        back = unpacked_records(row, self._codec)
        positions = [position for position, _ in game]
        if [position for position, _ in back] != positions or encoded_records(back) != encoded_records(game):
            raise ValueError(f"Game {row.game} would not come back as it was packed.")
        return row


def _store(connection: Connection[Any], games: list[_Game], packed: list[Packed]) -> None:
    """Insert the packed games and delete the rows read; raises ValueError if the number of rows differs."""
    with connection.cursor() as cursor:
        cursor.executemany(_INSERT, packed)
        records = (recorded for game in games for recorded in game.records)
        endings = [(position, end.stream, end.version) for position, end in records if isinstance(end.event, _ENDS)]
        cursor.executemany(_INSERT_ENDINGS, endings)
        cursor.execute(_DELETE, ([row.game for row in packed], [row.last_version for row in packed]))
        deleted = cursor.rowcount
        cursor.execute(_DELETE_SNAPSHOTS, ([row.game for row in packed],))
        if deleted != sum(game.rows for game in games):
            raise ValueError(f"{deleted} rows went where others had been read.")


KEPT: Micros = 7 * 86_400_000_000
"""How long after a game's last change its keys are answered; `service/api/headers.py` tells clients so."""
KEPT_DAYS = 30
"""Days for which a key that belongs to no game is answered; `service/live/idempotency.py` tells clients so."""
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
