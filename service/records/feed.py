"""The feed: games that are over, in the order of the log, read from the log itself.

A game enters at the record that reveals its secrets: from there on its record is complete. A later void is an entry of
its own, as is a ruling by which it becomes void or counts again. Every entry shows the game as it stood then, so an
entry never changes.
Positions are dense and commit-ordered (`event_store`), so who continues after the last position misses nothing.
"""

from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Literal, NamedTuple
from uuid import UUID

from domain.game_type import Ending, Result
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, fold
from domain.play.open_record import Signature
from domain.record import Micros
from service.event_store.codec import Packed, standard_codec, unpacked_records
from service.event_store.store import EventStore
from service.live.heavy import GameRef, Heavy
from service.records.exports import stored_record
from service.records.game_rulings import GameRuling, GameRulings, Place

PAGE = 200
"""Entries read per query."""
# One statement, one snapshot: an end is in the log or, once its game is packed, in packed_endings.
_ENTRIES = """
WITH here AS ({here})
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
ENTRIES = _ENTRIES.format(
    here="""
    (SELECT position, stream, version, state FROM events
     WHERE topic IN ('game/revealed', 'game/voided') AND position > %s AND position <= %s
     ORDER BY position LIMIT %s)
    UNION ALL
    (SELECT position, game, version, NULL FROM packed_endings
     WHERE position > %s AND position <= %s ORDER BY position LIMIT %s)
    ORDER BY position LIMIT %s
"""
)
_NEWEST_OF_GAMES = _ENTRIES.format(
    here="""
    SELECT DISTINCT ON (stream) position, stream, version, state FROM (
        SELECT position, stream, version, state FROM events
        WHERE stream = ANY(%s) AND topic IN ('game/revealed', 'game/voided') AND position < %s
        UNION ALL
        SELECT position, game, version, NULL FROM packed_endings WHERE game = ANY(%s) AND position < %s
    ) AS ends ORDER BY stream, position DESC
"""
)
Kind = Literal["finished", "voided", "restored"]


class Entry(NamedTuple):
    """A game that was over at this position. `last` is its newest record then, `signature` that of its digest.

    `result` is None where the game was declared void before it had ended; `ended_at` is when either happened.
    `moves`: how many were made. `ruling`: the one that makes the entry, or by which the game was void already.
    """

    position: int
    kind: Kind
    opened: AnyRecord
    last: AnyRecord
    players: tuple[UUID | None, ...]
    result: Result | None
    ended_at: Micros
    signature: Signature | None
    moves: int
    ruling: GameRuling | None = None

    @property
    def place(self) -> Place:
        """The place in the feed behind this entry."""
        own = self.ruling is not None and self.ruling.position == self.position
        return self.ruling.place if self.ruling is not None and own else Place(self.position)


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


async def ruled_entries(
    store: EventStore, rulings: GameRulings, after: Place, until: int
) -> AsyncIterator[Entry]:  # fmt: skip
    """The entries behind a place up to a position, with those of rulings among them; raises StoreUnavailable."""
    await rulings.read(store, until)
    waiting = deque(rulings.between(after, until))
    async for entry in entries(store, after.position, until):
        while waiting and waiting[0].position < entry.position:
            for ruled in await _entries_of_ruling(store, rulings, waiting):
                yield ruled
        void = rulings.void(entry.opened.stream, entry.position) if entry.kind == "finished" else None
        yield entry if void is None else entry._replace(kind="voided", ruling=void)
    while waiting:
        for ruled in await _entries_of_ruling(store, rulings, waiting):
            yield ruled


async def _entries_of_ruling(store: EventStore, rulings: GameRulings, waiting: deque[GameRuling]) -> list[Entry]:
    """The entries of the first of the waiting rulings, which is taken away: of the games that it makes void, or valid.

    A game that is not in the feed yet enters it void; of one that was declared void itself nothing changes.
    """
    position, named = waiting[0].position, list[GameRuling]()
    while waiting and waiting[0].position == position:
        named.append(waiting.popleft())
    games = [ruling.game for ruling in named]
    rows = await store.query(_NEWEST_OF_GAMES, (games, position, games, position))
    ends = [await _entry(store, _decode_row(row)) for row in rows]
    known = {end.opened.stream: end for end in ends if end is not None and end.kind == "finished"}
    found: list[Entry] = []
    for ruling in named:
        before = rulings.void(ruling.game, position, ruling.number - 1)
        after = rulings.void(ruling.game, position, ruling.number)
        if (end := known.get(ruling.game)) is not None and (before is None) != (after is None):
            kind: Kind = "restored" if after is None else "voided"
            found.append(end._replace(position=position, kind=kind, ruling=ruling))
    return found


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
        return _unusual_entry(told, await store.records(told.opened.stream))
    kind: Kind = "finished" if isinstance(last.event, ev.Revealed) else "voided"
    return Entry(
        told.position, kind, told.opened, last, end.event.players, end.event.result, end.time, told.signature,
        end.event.moves,
    )  # fmt: skip


def _unusual_entry(told: _FeedRow, records: list[AnyRecord]) -> Entry | None:
    """The entry of a game voided before its end, or of a contest's game, which ends long before it is revealed.

    None if the game is voided but not revealed: it has not entered the feed yet.
    """
    known = [record for record in records if record.version <= told.last.version]
    game = fold(known)
    if not game.revealed:
        return None
    kind: Kind = "voided" if game.status == "voided" else "finished"
    ended = next(record for record in known if isinstance(record.event, ev.Finished | ev.Voided))
    return Entry(
        told.position, kind, told.opened, told.last, game.players, game.result, ended.time, told.signature, game.moves
    )  # fmt: skip


async def record_text(heavy: Heavy, entry: Entry) -> str:
    """The open record of the game as it stood at the entry; raises StoreUnavailable, or Refused if too busy."""
    asked = GameRef(entry.last.stream, entry.last.version)
    return (await heavy.ask(asked.game.bytes, stored_record, asked)).decode()
