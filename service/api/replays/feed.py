"""The feed of games that are over: one line each, in the order of entry, resumable after any line."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar import Response
from litestar.response import Stream
from msgspec import Meta, Struct

from domain.game_type import Ending, Result
from domain.play import events as ev
from domain.record import Micros
from projections.leagues.league_projection import FIXTURE_OF, LEAGUES, LEAGUES_PROJECTION
from service import problems
from service.accounts.names import Names, person_if_any
from service.api import examples
from service.api.paging import GameTypeKey
from service.api.sse import Deadline
from service.api.viewing import fill_struct
from service.event_store.errors import StoreUnavailable
from service.http.operation import Answer, Call, operation
from service.http.replies import NDJSON
from service.http.representation import TEXT, choose_media_type
from service.jobs.process import JobParts
from service.live import shapes
from service.problems import Refused, refused_parameter
from service.records.feed import Entry, Filter, GameRulings, Kind, Place, read_place, record_text, ruled_entries
from service.records.summaries import Ended, end_summary, restored_summary

Cursor = Annotated[
    str, Meta(pattern=problems.LINE, description="Where to go on: the `cursor` of the last line that you have.")
]
Time = Annotated[datetime, Meta(tz=True)]
_CHUNK = 32_768
_LATER = 0.5  # seconds
_BATCH = 50


class FeedLeague(Struct, frozen=True):
    """The league, the season and the fixture that a game was played for; `name` is the league's current one."""

    id: UUID
    name: str
    season: int
    fixture_id: UUID


class FeedGame(Struct, frozen=True, kw_only=True):
    """A game as it stood when it entered the feed. `result` is None where it was declared void before it had ended.

    `summary` is one sentence to post, with the names of now: `Ada won Klondike in 131 moves.`
    """

    id: UUID
    game_type: str
    revision: int
    options: dict[str, Any]
    seats: tuple[shapes.SeatHolder, ...]
    league: FeedLeague | None
    rated: bool
    hints: bool
    origin: ev.Origin
    forked_from: shapes.ForkedFrom | None
    result: Result | None
    opened_at: shapes.Time
    finished_at: shapes.Time
    steps: int
    moves: int
    version: int
    summary: str


class FeedLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line: a game that is over, or (`voided`) that counts for nothing, be it in the feed before or not, or
    (`restored`) that counts again.

    `ruling`: the one that says so; left out where the game itself was declared void. `record` is the text of the open
    record, if it was asked for.
    """

    cursor: str
    kind: Kind
    game: FeedGame
    ruling: shapes.GameRuling | None = None
    record: str | None = None


class FeedEnd(Struct, frozen=True, kw_only=True):
    """The last line: how many there were, and the cursor from which to go on later."""

    end: bool = True
    count: int
    cursor: str


class FeedQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which games, from where, and how much of each."""

    cursor: Cursor = "0"
    limit: Annotated[int, Meta(ge=1, le=1_000_000, description="At most so many lines.")] | None = None
    include: Annotated[Literal["record"], Meta(description="Each line with the whole open record as text.")] | None = (
        None
    )
    game_type: GameTypeKey | None = None
    rated: Annotated[bool, Meta(description="Only rated games, or only the others.")] | None = None
    ending: Annotated[Ending, Meta(description="Only games that ended so.")] | None = None
    player_id: Annotated[UUID, Meta(description="Only games of this player.")] | None = None
    since: Annotated[Time, Meta(description="Only games that were over at this time or later.")] | None = None
    until: Annotated[Time, Meta(description="Only games that were over before this time.")] | None = None
    wait: Annotated[float, Meta(ge=0, le=60, description="Where no game is left, wait so many seconds for one.")] = 0


@operation(
    id="get_feed", may_lag=True, method="GET", path="/v1/feed", tag="replay", access="optional", query=FeedQuery,
    problems=("not_acceptable",), answers={200: Answer(
        type=str, lines=(FeedLine, FeedEnd), says="Lines of type FeedLine, and at last one of type FeedEnd.",
        media_types=(NDJSON, TEXT), example=examples.FEED,
    )},
)  # fmt: skip
async def feed_games(call: Call[None, FeedQuery]) -> Response[Any]:
    """Export games that are over, one a line, in the order in which they ended.

    `cursor` continues after a line: no game is missing and none comes twice, also while games are being finished. A
    line never changes, except for names: of players and leagues, also in `summary`, they are the current ones, and an
    erased player has none. A game enters when it is over and its deal is revealed. It gets another line when it is
    voided later, itself or by a ruling (`voided`), and when no ruling voids it any more (`restored`): its newest line
    says whether it counts. Only public games are listed. A text without its last line, `end`, was cut off: continue
    after the last whole line.
    """
    media_type = choose_media_type(call, NDJSON, TEXT)
    if call.query.wait:  # notifications of new games come from the primary only
        call = call.on(call.parts.reads, call.parts.store)
    after = read_place(call.query.cursor)
    head = await call.store.head(after.position)
    if after.position > head:
        raise refused_parameter("cursor", "No line has given it out.", "the `cursor` of a line")
    return Stream(_Export(call).chunks(head), media_type=media_type)


class _Export:
    """One client's export."""

    def __init__(self, call: Call[None, FeedQuery]) -> None:
        self.call, self.query = call, (query := call.query)
        since, until = _micros(query.since), _micros(query.until)
        self.filter = Filter(query.game_type, query.rated, query.ending, query.player_id, since, until)
        self.after = read_place(call.query.cursor)
        self.count = 0

    async def chunks(self, head: int) -> AsyncIterator[bytes]:
        """The lines, in chunks of about 32 KB. If database or process fail, it ends without its last line."""
        with suppress(StoreUnavailable):
            chunk = bytearray()
            async for line in self._awaited_lines() if self.query.wait else self._lines(head):
                chunk += line
                if len(chunk) >= _CHUNK:
                    yield bytes(chunk)
                    chunk.clear()
            if chunk:
                yield bytes(chunk)

    async def _awaited_lines(self) -> AsyncIterator[bytes]:
        """The head is read after registering as a listener, so that no game that ends in between is missed."""
        with self.call.room.listeners.open_feed():
            news = self.call.room.listeners.next_end()
            async for line in self._lines(await self.call.store.head(), news):
                yield line

    async def _lines(self, head: int, news: asyncio.Event | None = None) -> AsyncIterator[bytes]:
        deadline, news = Deadline(self.query.wait), news or self.call.room.listeners.next_end()
        while True:
            async for line in self._written_lines(head):
                if self.call.room.closing:
                    return
                yield line
            if self.count or deadline.passed:
                break
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), self.call.room.patience(deadline.within(60)))
            if self.call.room.closing:
                return
            news = self.call.room.listeners.next_end()
            head = await self.call.store.head()
        yield _line(FeedEnd(count=self.count, cursor=self.after.text()))

    async def _written_lines(self, head: int) -> AsyncIterator[bytes]:
        """The lines up to this position; the next call continues from there."""
        size = min(_BATCH, (self.query.limit or _BATCH) - self.count)
        entries = ruled_entries(self.call.store, self.call.area(GameRulings), self.after, head)
        async for batch in _batches(entries, self.filter, size):
            records = [await self._record(entry) for entry in batch]
            players = {player for entry in batch for player in entry.players if player}
            names, leagues = await self.call.accounts.names(list(players)), await self._leagues(batch)
            for entry, record in zip(batch, records, strict=True):
                self.after, self.count = entry.place, self.count + 1
                game, ruling = _game(entry, names, leagues), None if entry.ruling is None else entry.ruling.shape
                yield _line(
                    FeedLine(cursor=self.after.text(), kind=entry.kind, game=game, ruling=ruling, record=record)
                )
                if self.count == self.query.limit:
                    return
        self.after = Place(head)

    async def _leagues(self, batch: Sequence[Entry]) -> dict[UUID, FeedLeague]:
        """The leagues of these games by fixture.

        Raises StoreUnavailable where the read model does not have a fixture yet: a line never changes.
        """
        leagues: dict[UUID, FeedLeague] = {}
        if fixtures := {entry.opened.event.fixture for entry in batch} - {None}:
            async with self.call.reads.of(LEAGUES_PROJECTION) as snapshot:
                for fixture in fixtures:
                    if (place := await snapshot.document(FIXTURE_OF(), str(fixture))) is None:
                        raise StoreUnavailable("the leagues are behind the feed")
                    league = await snapshot.document(LEAGUES(), str(place.league))
                    assert league is not None
                    leagues[fixture] = FeedLeague(place.league, league.name, place.season, fixture)
        return leagues

    async def _record(self, entry: Entry) -> str | None:
        """The record of a line; retried while the heavy workers are busy."""
        while self.query.include is not None:
            try:
                return await record_text(self.call.area(JobParts).heavy, entry)
            except Refused:
                await asyncio.sleep(_LATER)
        return None


def _micros(time: datetime | None) -> Micros | None:
    return None if time is None else (time - shapes.moment(0)) // timedelta(microseconds=1)


def _line(part: Struct) -> bytes:
    return msgspec.json.encode(part) + b"\n"


async def _batches(entries: AsyncIterator[Entry], filter: Filter, size: int) -> AsyncIterator[list[Entry]]:
    """The entries that match, a few at a time: their names are looked up together."""
    batch: list[Entry] = []
    async for entry in entries:
        if filter.matches(entry):
            batch.append(entry)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _game(entry: Entry, names: Names, leagues: Mapping[UUID, FeedLeague]) -> FeedGame:
    opened: ev.Opened = entry.opened.event
    ended = Ended(opened.game_type, entry.players, entry.result, entry.moves, entry.kind == "voided")
    return fill_struct(
        FeedGame,
        opened,
        id=entry.opened.stream,
        forked_from=shapes.forked_from(opened.forked_from),
        seats=tuple(shapes.SeatHolder(seat, person_if_any(player, names)) for seat, player in enumerate(entry.players)),
        league=None if opened.fixture is None else leagues[opened.fixture],
        result=entry.result,
        opened_at=shapes.moment(entry.opened.time),
        finished_at=shapes.moment(entry.ended_at),
        steps=entry.last.step,
        moves=entry.moves,
        version=entry.last.version,
        summary=restored_summary(ended, names) if entry.kind == "restored" else end_summary(ended, names),
    )
