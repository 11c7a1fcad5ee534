"""The feed: games that are over, in the order of the log, read from the log itself.

A game enters at the record that reveals its secrets: from there on its record is complete. A later void is an entry of
its own. Every entry shows the game as it stood then, so an entry never changes.
Positions are dense and commit-ordered (`event_store`), so who continues after the last position misses nothing.
"""

from collections.abc import AsyncIterator
from typing import Any, Literal, NamedTuple
from uuid import UUID

from domain.game_type import Ending, Result
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, fold
from domain.play.open_record import Signature
from domain.record import Micros
from service.event_store.codec import standard_codec
from service.event_store.packing.blob import Packed, unpacked_records
from service.event_store.store import EventStore
from service.live.heavy import GameRef, Heavy
from service.records.exports import stored_record

PAGE = 200
"""Entries read per query."""
# One statement, one snapshot: an end is in the log or, once its game is packed, in packed_endings.
ENTRIES = """
WITH here AS (
    (SELECT position, stream, version, state FROM events
     WHERE topic IN ('game/revealed', 'game/voided') AND position > %s AND position <= %s
     ORDER BY position LIMIT %s)
    UNION ALL
    (SELECT position, game, version, NULL FROM packed_endings
     WHERE position > %s AND position <= %s ORDER BY position LIMIT %s)
    ORDER BY position LIMIT %s
)
SELECT here.position, here.version, here.state, opened.state, finished.state, signed.key, signed.value,
    packed.game, packed.first_position, packed.last_position, packed.last_version, packed.digest, packed.body
FROM here
LEFT JOIN events AS opened ON opened.stream = here.stream AND opened.version = 1
LEFT JOIN LATERAL (
    SELECT state FROM events WHERE stream = here.stream AND topic = 'game/finished' ORDER BY version DESC LIMIT 1
) AS finished ON true
LEFT JOIN LATERAL (
    SELECT key, value FROM signatures WHERE game = here.stream AND version = here.version LIMIT 1
) AS signed ON true
LEFT JOIN packed_games AS packed ON packed.game = here.stream
ORDER BY here.position
"""
Kind = Literal["finished", "voided"]


class Entry(NamedTuple):
    """A game that was over at this position. `last` is its newest record then, `signature` that of its digest.

    `result` is None where the game was declared void before it had ended; `ended_at` is when either happened.
    """

    position: int
    kind: Kind
    opened: AnyRecord
    last: AnyRecord
    players: tuple[UUID | None, ...]
    result: Result | None
    ended_at: Micros
    signature: Signature | None


class Filter(NamedTuple):
    """Which entries are wanted; None: any value. `since` <= the game's end < `until`."""

    game_type: str | None = None
    rated: bool | None = None
    ending: Ending | None = None
    player: UUID | None = None
    since: Micros | None = None
    until: Micros | None = None

    def wants(self, entry: Entry) -> bool:
        """Whether this entry is wanted; only public games ever are."""
        opened: ev.Opened = entry.opened.event
        return (
            opened.visibility == "public"
            and self.game_type in (None, opened.game_type)
            and self.rated in (None, opened.rated)
            and self.ending in (None, entry.result and entry.result.ending)
            and (self.player is None or self.player in entry.players)
            and (self.since is None or self.since <= entry.ended_at)
            and (self.until is None or entry.ended_at < self.until)
        )


async def entries(store: EventStore, after: int, until: int) -> AsyncIterator[Entry]:
    """The entries behind one position up to another, page by page; raises StoreUnavailable.

    No connection is held between two pages.
    """
    while rows := await store.query(ENTRIES, (*(after, until, PAGE) * 2, PAGE)):
        for row in rows:
            if (entry := await _entry(store, _decode_row(row))) is not None:
                yield entry
        after = rows[-1][0]
        if len(rows) < PAGE:
            return


class _FeedRow(NamedTuple):
    """A row of ENTRIES: an end or a void, with the game's opening and its finish, if it has one."""

    position: int
    opened: AnyRecord
    finished: AnyRecord | None
    last: AnyRecord
    signature: Signature | None


def _decode_row(row: tuple[Any, ...]) -> _FeedRow:
    position, version, here, opened, finished, key, value, *packed = row
    signature = None if key is None else Signature(key, bytes(value))
    if packed[0] is not None:
        return _decode_packed(position, version, here, Packed(*packed), signature)
    decode = standard_codec().decode
    return _FeedRow(position, decode(opened), None if finished is None else decode(finished), decode(here), signature)


def _decode_packed(position: int, version: int, here: Any, packed: Packed, signature: Signature | None) -> _FeedRow:
    """The row of a packed game; a void recorded after packing is in `here`."""
    codec = standard_codec()
    records = [placed.record for placed in unpacked_records(packed, codec)]
    last = records[version - 1] if here is None else codec.decode(here)
    finished = next((record for record in reversed(records) if isinstance(record.event, ev.Finished)), None)
    return _FeedRow(position, records[0], finished, last, signature)


async def _entry(store: EventStore, told: _FeedRow) -> Entry | None:
    end, last = told.finished, told.last
    if end is None or told.opened.event.contest is not None:
        records = await store.records(told.opened.stream)
        return _unusual_entry(told.position, told.opened, last, records, told.signature)
    kind: Kind = "finished" if isinstance(last.event, ev.Revealed) else "voided"
    return Entry(told.position, kind, told.opened, last, end.event.players, end.event.result, end.time, told.signature)


def _unusual_entry(
    position: int, opened: AnyRecord, last: AnyRecord, records: list[AnyRecord], signature: Signature | None
) -> Entry | None:
    """The entry of a game voided before its end, or of a contest's game, which ends long before it is revealed.

    None if the game is voided but not revealed: it has not entered the feed yet.
    """
    known = [record for record in records if record.version <= last.version]
    game = fold(known)
    if not game.revealed:
        return None
    kind: Kind = "voided" if game.status == "voided" else "finished"
    ended = next(record for record in known if isinstance(record.event, ev.Finished | ev.Voided))
    return Entry(position, kind, opened, last, game.players, game.result, ended.time, signature)


async def record_text(heavy: Heavy, entry: Entry) -> str:
    """The open record of the game as it stood at the entry; raises StoreUnavailable, or Refused if too busy."""
    asked = GameRef(entry.last.stream, entry.last.version)
    return (await heavy.ask(asked.game.bytes, stored_record, asked)).decode()
