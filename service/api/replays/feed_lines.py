"""The lines of the feed: what is told of a game that is over, and the last line."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.game_type import Result
from domain.play import events as ev
from service.live import shapes
from service.records.feed import Entry, Kind


class FeedGame(Struct, frozen=True, kw_only=True):
    """A game as it stood when it entered the feed. `result` is None where it was declared void before it had ended."""

    id: UUID
    game_type: str
    revision: int
    options: dict[str, Any]
    seats: tuple[shapes.SeatHolder, ...]
    rated: bool
    origin: ev.Origin
    forked_from: ev.Branch | None
    result: Result | None
    opened_at: datetime
    finished_at: datetime
    steps: int
    version: int


class FeedLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line: a game that is over, or (`voided`) that counts for nothing, be it in the feed before or not.

    `record` is the text of the open record, if it was asked for.
    """

    cursor: str
    kind: Kind
    game: FeedGame
    record: str | None = None


class FeedEnd(Struct, frozen=True, kw_only=True):
    """The last line: how many there were, and the cursor from which to go on later."""

    end: bool = True
    count: int
    cursor: str


def feed_line(entry: Entry, record: str | None) -> bytes:
    """The line of this entry, with the text of its record if there is one."""
    return _line(FeedLine(cursor=str(entry.position), kind=entry.kind, game=_game(entry), record=record))


def end(count: int, after: int) -> bytes:
    """The last line."""
    return _line(FeedEnd(count=count, cursor=str(after)))


def _line(part: Struct) -> bytes:
    return msgspec.json.encode(part) + b"\n"


def _game(entry: Entry) -> FeedGame:
    opened: ev.Opened = entry.opened.event
    return FeedGame(
        id=entry.opened.stream,
        game_type=opened.game_type,
        revision=opened.revision,
        options=opened.options,
        seats=tuple(shapes.SeatHolder(seat, player) for seat, player in enumerate(entry.players)),
        rated=opened.rated,
        origin=opened.origin,
        forked_from=opened.forked_from,
        result=entry.result,
        opened_at=shapes.moment(entry.opened.time),
        finished_at=shapes.moment(entry.ended_at),
        steps=entry.last.step,
        version=entry.last.version,
    )
