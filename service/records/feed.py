"""The feed: games that are over, in the order of the log, read from the log itself.

A game enters at the record that reveals its secrets: from there on its record is complete. A later void is an entry of
its own, as is a ruling by which it becomes void or counts again. Every entry shows the game as it stood then, so an
entry never changes. Positions are dense and in commit order (`event_store`): reading on after the last one misses
nothing.
"""

import asyncio
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Sequence
from operator import attrgetter
from typing import Any, Literal, NamedTuple
from uuid import UUID

from domain.game_type import Ending, Result
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, fold
from domain.play.open_record import Signature
from domain.record import Micros
from domain.rulings import STREAM_TYPE as SITE
from domain.rulings import GamesVoided, VoidsWithdrawn
from service.event_store.codec import Packed, PackedRecords, standard_codec
from service.event_store.store import EventStore
from service.jobs.process import WorkerPool
from service.jobs.stored_games import GameRef
from service.live import shapes
from service.records.exports import stored_record

PAGE = 200
"""Entries read per query."""
_RULINGS_PAGE = 500
_RULINGS = """
SELECT position, state FROM events WHERE topic IN ('ruling/games_voided', 'ruling/voids_withdrawn')
AND position > %s AND position <= %s ORDER BY position LIMIT %s
"""
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


class Place(NamedTuple):
    """A place in the feed: after everything at this position, or after this many `lines` of the ruling there."""

    position: int
    lines: int = 0

    def text(self) -> str:
        """The cursor."""
        return f"{self.position}.{self.lines}" if self.lines else str(self.position)


def read_place(text: str) -> Place:
    """The place of this cursor."""
    position, _, lines = text.partition(".")
    return Place(int(position), int(lines or 0))


class GameRuling(NamedTuple):
    """A ruling on one game: the `number`-th of the `of` games that it names; `shape` is its wire shape."""

    position: int
    number: int
    of: int
    game: UUID
    voids: bool
    shape: shapes.GameRuling

    @property
    def place(self) -> Place:
        """The place in the feed after this ruling."""
        return Place(self.position) if self.number == self.of else Place(self.position, self.number)


_order = attrgetter("position", "number")


class GameRulings:
    """The rulings on single games of one log, read once and held in memory: they are few."""

    def __init__(self) -> None:
        self._read_upto = 0
        self._all: list[GameRuling] = []
        self._of_games: defaultdict[UUID, list[GameRuling]] = defaultdict(list)
        self._lock = asyncio.Lock()

    async def read(self, store: EventStore, until: int) -> None:
        """Read on up to this position; raises StoreUnavailable."""
        async with self._lock:
            while self._read_upto < until:
                rows = await store.query(_RULINGS, (self._read_upto, until, _RULINGS_PAGE))
                for position, state in rows:
                    self._add(position, standard_codec().decode(state))
                self._read_upto = rows[-1][0] if len(rows) == _RULINGS_PAGE else until

    def _add(self, position: int, record: AnyRecord) -> None:
        event: GamesVoided | VoidsWithdrawn = record.event
        league, voids = None if record.type == SITE else record.stream, isinstance(event, GamesVoided)
        shape = shapes.GameRuling(league, record.version, shapes.moment(record.time), event.reason)
        for number, game in enumerate(event.games, 1):
            ruling = GameRuling(position, number, len(event.games), game, voids, shape)
            self._all.append(ruling)
            self._of_games[game].append(ruling)

    def between(self, after: Place, until: int) -> Sequence[GameRuling]:
        """The rulings after this place, up to this position, in order."""
        first = bisect_left(self._all, (after.position + (not after.lines), after.lines + 1), key=_order)
        return self._all[first : bisect_left(self._all, (until + 1, 0), key=_order)]

    def newest(self, game: UUID) -> GameRuling | None:
        """The newest ruling on the game."""
        return self._of_games[game][-1] if game in self._of_games else None

    def void(self, game: UUID, position: int, number: int = 0) -> GameRuling | None:
        """The ruling by which the game is void at this place, a moderator's before a league's; None: it is not void."""
        standing: dict[UUID | None, GameRuling] = {}
        for ruling in self._of_games.get(game, ()):
            if _order(ruling) > (position, number):
                break
            standing.pop(ruling.shape.league_id, None)
            if ruling.voids:
                standing[ruling.shape.league_id] = ruling
        return standing.get(None) or next(iter(standing.values()), None)


class Entry(NamedTuple):
    """A game that was over at this position. `last` is its newest record then, `signature` signs its digest.

    `result` is None where the game was declared void before it had ended; `ended_at` is the time of either.
    `moves`: how many were made. `ruling`: it makes the entry, or the game was void by it already.
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
        """The place in the feed after this entry."""
        if self.ruling is not None and self.ruling.position == self.position:
            return self.ruling.place
        return Place(self.position)


class Filter(NamedTuple):
    """Which entries match; None: any value. `since` <= the game's end < `until`."""

    game_type: str | None = None
    rated: bool | None = None
    ending: Ending | None = None
    player: UUID | None = None
    since: Micros | None = None
    until: Micros | None = None

    def matches(self, entry: Entry) -> bool:
        """Whether this entry matches; only public games do."""
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
    """The entries after one position up to another, page by page; raises StoreUnavailable.

    No connection is held between two pages.
    """
    while rows := await store.query(ENTRIES, (*(after, until, PAGE) * 2, PAGE)):
        for row in rows:
            if (entry := await _read_entry(store, row)) is not None:
                yield entry
        after = rows[-1][0]
        if len(rows) < PAGE:
            return


async def ruled_entries(store: EventStore, rulings: GameRulings, after: Place, until: int) -> AsyncIterator[Entry]:
    """The entries after a place up to a position, including entries of rulings; raises StoreUnavailable."""
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
    """The entries of the first waiting ruling, which is removed: for the games that it makes void, or valid.

    A game that is not in the feed yet enters it void; one that was declared void itself gets no entry.
    """
    position, batch = waiting[0].position, list[GameRuling]()
    while waiting and waiting[0].position == position:
        batch.append(waiting.popleft())
    games = [ruling.game for ruling in batch]
    rows = await store.query(_NEWEST_OF_GAMES, (games, position, games, position))
    ends = [entry for row in rows if (entry := await _read_entry(store, row)) is not None and entry.kind == "finished"]
    end_of = {end.opened.stream: end for end in ends}
    ruled: list[Entry] = []
    for ruling in batch:
        before = rulings.void(ruling.game, position, ruling.number - 1)
        after = rulings.void(ruling.game, position, ruling.number)
        if (end := end_of.get(ruling.game)) is not None and (before is None) != (after is None):
            kind: Kind = "restored" if after is None else "voided"
            ruled.append(end._replace(position=position, kind=kind, ruling=ruling))
    return ruled


async def _read_entry(store: EventStore, row: tuple[Any, ...]) -> Entry | None:
    """The entry of a row of ENTRIES; None if the game is voided but not revealed: it is not in the feed yet."""
    position, version, state, opened_state, finished_state, key, value, *packed = row
    signature, codec = None if key is None else Signature(key, bytes(value)), standard_codec()
    if packed[0] is None:
        opened, last = codec.decode(opened_state), codec.decode(state)
        finished = None if finished_state is None else codec.decode(finished_state)
    else:
        records_of_row = PackedRecords(game := Packed(*packed), codec)
        opened = records_of_row[0]
        last = records_of_row[version - 1] if state is None else codec.decode(state)  # a void after packing has a state
        newest_first = (records_of_row[at] for at in reversed(range(game.last_version)))
        finished = next((record for record in newest_first if isinstance(record.event, ev.Finished)), None)
    if finished is not None and opened.event.contest is None:
        end: ev.Finished = finished.event
        kind: Kind = "finished" if isinstance(last.event, ev.Revealed) else "voided"
        return Entry(position, kind, opened, last, end.players, end.result, finished.time, signature, end.moves)
    # A game voided before its end, or one of a contest, which ends long before it is revealed.
    records = [record for record in await store.records(opened.stream) if record.version <= last.version]
    folded = fold(records)
    if not folded.revealed:
        return None
    kind = "voided" if folded.status == "voided" else "finished"
    over = next(record for record in records if isinstance(record.event, ev.Finished | ev.Voided))
    return Entry(position, kind, opened, last, folded.players, folded.result, over.time, signature, folded.moves)


async def record_text(heavy: WorkerPool, entry: Entry) -> str:
    """The open record of the game as it stood at the entry; raises StoreUnavailable, or Refused if too busy."""
    ref = GameRef(entry.last.stream, entry.last.version)
    return (await heavy.ask(ref.game.bytes, stored_record, ref)).decode()
