"""Packing: finished games leave the rows of the log and become one row each.

A batch is inserted and deleted in one transaction, so that a packer that dies leaves whole batches. It deletes only the
rows that it has read: what is recorded meanwhile stays in the log, after the packed game. Idempotency keys of old games
are deleted (`keys.py`); signatures and other tables stay: they refer to games and versions.
"""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

import structlog
from psycopg import Connection

from domain.play import events as ev
from domain.record import Micros
from service.event_store import ids
from service.event_store.codec import PLACE, Codec, standard_codec
from service.event_store.connections import Rows, unavailability
from service.event_store.errors import UnknownTopic, UnreadableRecord
from service.event_store.packing import keys
from service.event_store.packing.blob import Packed, encoded_records, packed_row, unpacked_records
from service.event_store.reading.decoding import Recorded, decode_log_rows, run_query, withheld_streams
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
SELECT game, first_position, last_position, last_version, digest, body FROM packed_games WHERE game = ANY(%s) FOR UPDATE
"""
_KEEP = """
INSERT INTO packed_games (game, first_position, last_position, last_version, digest, body)
VALUES (%s, %s, %s, %s, %b, %b)
ON CONFLICT (game) DO UPDATE SET last_position = excluded.last_position, last_version = excluded.last_version,
    digest = excluded.digest, body = excluded.body
"""
_ENDINGS = "INSERT INTO packed_endings (position, game, version) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_DELETE = """
DELETE FROM events USING unnest(%s::uuid[], %s::int[]) AS gone (stream, version)
WHERE events.stream = gone.stream AND events.version <= gone.version
"""
_UNKEEP = "DELETE FROM snapshots WHERE game = ANY(%s)"
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
    placed: list[Recorded]


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
        self._swept = keys.NOBODY

    def batches(self, connection: Connection[Any], before: Micros, most: int = BATCH) -> Iterator[Batch]:
        """Pack all games that did not change after `before`, batch by batch.

        Ends at once while another packer works. Raises StoreUnavailable; an error undoes its own batch only.
        """
        self._reached, self._swept = 0, keys.NOBODY
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
            ended = self._next(connection, most)
            streams = {one.record.stream for one in ended if one.record.time < before}
            batch = (
                self._pack_streams(connection, streams, before, ended[-1].position)
                if streams
                else self._sweep(connection)
            )
        self._reached = batch.reached if batch else 0
        return batch

    def _next(self, connection: Connection[Any], most: int) -> list[Recorded]:
        """The next endings; as times grow with positions, a batch of recent ones ends the search."""
        with connection.cursor(binary=True) as cursor:
            rows = cursor.execute(_ENDED, (self._reached, self._floor, most)).fetchall()
        return run_query(connection, decode_log_rows(rows, self._codec))

    def _pack_streams(self, connection: Connection[Any], streams: set[UUID], before: Micros, reached: int) -> Batch:
        """Pack these games; one that cannot be read, or would not unpack equal, is logged and left as it is."""
        found, rows, failed = [], [], 0
        for read in self._games(connection, streams):
            try:
                game = read()
                if self._is_packable(game.placed, before):
                    rows.append(self._checked_row(game.placed))
                    found.append(game)
            except (ValueError, UnknownTopic, UnreadableRecord, BrokenSeal) as error:
                _log.warning("game not packed", error=str(error))
                failed += 1
        self._put(connection, found, rows)
        records, size = sum(game.rows for game in found), sum(len(row.body) for row in rows)
        lasts = {last.stream: last.time for last in (game.placed[-1].record for game in found)}
        gone = keys.forget(connection, lasts, self._now())
        return Batch(len(rows), records, size, failed, reached, gone)

    def _sweep(self, connection: Connection[Any]) -> Batch | None:
        """Delete old keys of games packed earlier; None when all were searched."""
        swept = keys.sweep(connection, self._swept, self._now())
        self._swept = swept.reached if swept else keys.NOBODY
        return Batch(0, 0, 0, 0, self._reached, swept.keys) if swept else None

    def _games(self, connection: Connection[Any], streams: set[UUID]) -> Iterator[Callable[[], _Game]]:
        """For each of these games a function that reads all of it: its packed part and its rows."""
        with connection.cursor(binary=True) as cursor:
            early = {row[0]: Packed(*row) for row in cursor.execute(_PACKED, (list(streams),))}
            rows = cursor.execute(_ROWS, (list(streams),)).fetchall()
        for game, late in groupby(rows, key=itemgetter(0)):
            yield partial(self._game, connection, early.get(game), [row[1:] for row in late])

    def _game(self, connection: Connection[Any], early: Packed | None, rows: Rows) -> _Game:
        placed = run_query(connection, decode_log_rows(rows, self._codec))
        return _Game(len(rows), [*(unpacked_records(early, self._codec) if early else ()), *placed])

    def _is_packable(self, game: list[Recorded], before: Micros) -> bool:
        """Whether the game is whole, over, revealed, unchanged since `before` and folded by all projections."""
        kinds = {type(one.record.event) for one in game}
        whole = [one.record.version for one in game] == list(range(1, len(game) + 1)) and ev.Opened in kinds
        over = ev.Revealed in kinds and not kinds.isdisjoint({ev.Finished, ev.Voided})
        last = game[-1]
        return (
            whole and over and not withheld_streams(game) and last.record.time < before and last.position <= self._floor
        )

    def _checked_row(self, game: list[Recorded]) -> Packed:
        """The packed row of this game; raises ValueError if it does not unpack to the same records."""
        row = packed_row(game)
        back = unpacked_records(row, self._codec)
        if [place for place, _ in back] != [place for place, _ in game] or encoded_records(back) != encoded_records(
            game
        ):
            raise ValueError(f"Game {row.game} would not come back as it was packed.")
        return row

    def _put(self, connection: Connection[Any], games: list[_Game], rows: list[Packed]) -> None:
        """Insert the packed games and delete the rows read; raises ValueError if the number of rows differs."""
        with connection.cursor() as cursor:
            cursor.executemany(_KEEP, rows)
            placed = (recorded for game in games for recorded in game.placed)
            endings = [(at, end.stream, end.version) for at, end in placed if isinstance(end.event, _ENDS)]
            cursor.executemany(_ENDINGS, endings)
            cursor.execute(_DELETE, ([row.game for row in rows], [row.last_version for row in rows]))
            gone = cursor.rowcount
            cursor.execute(_UNKEEP, ([row.game for row in rows],))
            if gone != sum(game.rows for game in games):
                raise ValueError(f"{gone} rows went where others had been read.")
