"""Reading a game by its snapshot: what the newest one has, and the records from there on."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
import structlog

from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.events import Opened
from domain.play.snapshot import restored, restores_unread, vouched
from service.event_store.codec import PLACE, Codec
from service.event_store.connections import Rows
from service.event_store.reading.decoding import of_a_stream
from service.event_store.reading.multi_query import Asked
from service.keys.sealing.errors import BrokenSeal, SealingKeyMissing
from service.live.snapshots import forms

# The snapshot first, then the record before it, its own, and those that followed; without a snapshot all there are.
_SELECT = f"""
SELECT version, body AS state, NULL::bytea AS place, form FROM snapshots WHERE game = %s
UNION ALL
SELECT version, state, {PLACE}, NULL FROM events
WHERE stream = %s AND version >= coalesce((SELECT version - 1 FROM snapshots WHERE game = %s), 1)
ORDER BY form, version
"""
_log = structlog.get_logger("snapshots")


def game_of(stream: UUID, codec: Codec) -> Asked[Game | None]:
    """The game as it stands; None where it must be read otherwise: packed, imported, missing, no snapshot to trust."""
    rows = yield _SELECT, (stream, stream, stream)
    if not rows or rows[0][3] is None:
        return _whole((yield from of_a_stream(_states(rows), stream, codec)))
    if not forms.known(rows[0][3]):
        return None
    records = yield from of_a_stream(_states(rows[1:]), stream, codec)
    game = _restored(stream, rows[0], codec)
    if game is None or len(records) < 2 or not vouched(game, *records[:2]):
        _log.warning("snapshot not believed", game=str(stream), version=rows[0][0])
        return None
    return None if restores_unread(game, records[2:]) else fold(records[2:], game)


def _states(rows: Rows) -> Rows:
    return [row[1:3] for row in rows]


def _whole(records: Sequence[AnyRecord]) -> Game | None:
    return fold(records) if records and records[0].version == 1 and isinstance(records[0].event, Opened) else None


def _restored(stream: UUID, row: tuple[int, bytes, None, str], codec: Codec) -> Game | None:
    """None whatever is wrong with the snapshot: the records tell the same."""
    version, body, _, form = row
    try:
        return restored(stream, forms.read(stream, version, form, body, codec))
    except (msgspec.DecodeError, SealingKeyMissing, BrokenSeal):
        return None
