"""Packing: games that are over for good leave the rows of the log and become one row each.

Insert and delete are one transaction, batch by batch: a packer that dies at any instant has packed whole batches. It
deletes the rows that it has read and no others, so that what is recorded meanwhile stands behind the packed game.
Idempotency keys of old games go (`keys.py`); signatures and all else that is kept beside the log stay as they are: they
name games and versions.
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
from service.event_store.packing.blob import Packed, encoded, packed, unpacked
from service.event_store.reading.decoding import of_the_log, withheld
from service.event_store.reading.multi_query import answered
from service.event_store.reading.recorded import Recorded
from service.keys.sealing.errors import BrokenSeal

LOCK = 0x7061636B  # "pack": one packs at a time, by an advisory lock of each batch's transaction
BATCH = 50
"""Games in one transaction: their rows are locked for a fraction of a second."""
# By the index events_feed alone: a game that can be packed has been revealed.
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


_log = structlog.get_logger("packing")


class Batch(NamedTuple):
    """What one transaction packed, the position up to which the log was looked through for it, and how many keys went.

    Where nothing is left to be packed it is keys alone, of games packed earlier.
    """

    games: int
    records: int
    bytes: int
    failed: int
    reached: int
    keys: int = 0


class _Game(NamedTuple):
    """A game as it is read to be packed: how many rows of the log it has, and all of its records."""

    rows: int
    placed: list[Recorded]


class Packer:
    """Packs the games of one database that every one of these projections has passed, and that changed last before.

    `projections`: names; one that has no build yet has passed nothing.
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
        """Pack batch by batch until nothing is left that did not change after `before`.

        Ends at once while another packs. Raises StoreUnavailable; whatever is raised undoes its own batch only.
        """
        self._reached, self._swept = 0, keys.NOBODY
        while (batch := self.batch(connection, before, most)) is not None:
            yield batch

    def batch(self, connection: Connection[Any], before: Micros, most: int = BATCH) -> Batch | None:
        """One transaction behind what was looked through last; None at the end, from where the next begins anew."""
        with unavailability(), connection.transaction():
            connection.execute("SET LOCAL lock_timeout = '5s'")
            if connection.execute("SELECT pg_try_advisory_xact_lock(%s)", (LOCK,)).fetchone() != (True,):
                return None
            self._floor = _passed(connection, self._projections)
            ended = self._next(connection, most)
            streams = {one.record.stream for one in ended if one.record.time < before}
            batch = (
                self._packed(connection, streams, before, ended[-1].position) if streams else self._sweep(connection)
            )
        self._reached = batch.reached if batch else 0
        return batch

    def _next(self, connection: Connection[Any], most: int) -> list[Recorded]:
        """Endings behind the last ones looked at; times run with positions, so recent ones end the search."""
        with connection.cursor(binary=True) as cursor:
            rows = cursor.execute(_ENDED, (self._reached, self._floor, most)).fetchall()
        return answered(connection, of_the_log(rows, self._codec))

    def _packed(self, connection: Connection[Any], streams: set[UUID], before: Micros, reached: int) -> Batch:
        """What cannot be read, or would not come back, stays as it is, and keeps nothing else from being packed."""
        found, rows, failed = [], [], 0
        for read in self._games(connection, streams):
            try:
                game = read()
                if self._over(game.placed, before):
                    rows.append(self._checked(game.placed))
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
        """The keys that games have left behind which were packed earlier; None at their end."""
        swept = keys.sweep(connection, self._swept, self._now())
        self._swept = swept.reached if swept else keys.NOBODY
        return Batch(0, 0, 0, 0, self._reached, swept.keys) if swept else None

    def _games(self, connection: Connection[Any], streams: set[UUID]) -> Iterator[Callable[[], _Game]]:
        """What reads each of these games whole: what is packed of it already, and its rows."""
        with connection.cursor(binary=True) as cursor:
            early = {row[0]: Packed(*row) for row in cursor.execute(_PACKED, (list(streams),))}
            rows = cursor.execute(_ROWS, (list(streams),)).fetchall()
        for game, late in groupby(rows, key=itemgetter(0)):
            yield partial(self._game, connection, early.get(game), [row[1:] for row in late])

    def _game(self, connection: Connection[Any], early: Packed | None, rows: Rows) -> _Game:
        placed = answered(connection, of_the_log(rows, self._codec))
        return _Game(len(rows), [*(unpacked(early, self._codec) if early else ()), *placed])

    def _over(self, game: list[Recorded], before: Micros) -> bool:
        """Whether it is a whole game, over and revealed, and nothing came to it lately, or is still to be folded."""
        kinds = {type(one.record.event) for one in game}
        whole = [one.record.version for one in game] == list(range(1, len(game) + 1)) and ev.Opened in kinds
        over = ev.Revealed in kinds and not kinds.isdisjoint({ev.Finished, ev.Voided})
        last = game[-1]
        return whole and over and not withheld(game) and last.record.time < before and last.position <= self._floor

    def _checked(self, game: list[Recorded]) -> Packed:
        """The row of this game; raises ValueError if other bytes would come out of it than went in."""
        row = packed(game)
        back = unpacked(row, self._codec)
        if [place for place, _ in back] != [place for place, _ in game] or encoded(back) != encoded(game):
            raise ValueError(f"Game {row.game} would not come back as it was packed.")
        return row

    def _put(self, connection: Connection[Any], games: list[_Game], rows: list[Packed]) -> None:
        """The packed games come, the rows that were read go; raises ValueError if others had gone before."""
        with connection.cursor() as cursor:
            cursor.executemany(_KEEP, rows)
            cursor.executemany(_ENDINGS, [ending for game in games for ending in _endings(game.placed)])
            cursor.execute(_DELETE, ([row.game for row in rows], [row.last_version for row in rows]))
            gone = cursor.rowcount
            cursor.execute(_UNKEEP, ([row.game for row in rows],))
            if gone != sum(game.rows for game in games):
                raise ValueError(f"{gone} rows went where others had been read.")


def _passed(connection: Connection[Any], projections: frozenset[str]) -> int:
    """The position that every one of these projections has passed, and every build there is."""
    ((names, position),) = connection.execute(_FLOOR).fetchall()
    return int(position or 0) if projections <= set(names or ()) else 0


def _endings(game: list[Recorded]) -> Iterator[tuple[int, UUID, int]]:
    for position, record in game:
        if isinstance(record.event, ev.Revealed | ev.Voided):
            yield position, record.stream, record.version
