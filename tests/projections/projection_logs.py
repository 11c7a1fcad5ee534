"""Logs to fold: games of every game type played at random, and hand-made games that end as a test wants."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAME_TYPES, AnyGameType
from domain.games.bridge_solitaire.events import Bid, CloseRubber, Pass
from domain.play import events as ev
from domain.play.deciding import Act, legal_commands, play
from domain.play.table import Opening, open_game
from domain.record import Record
from projections.engine.contract import Placed, Projection, advance
from projections.engine.rows import DocumentRow
from tests.memory_documents import MemoryDocuments

START = 1_700_000_000_000_000
SECOND = 1_000_000
AnyRecord = Record[Any, Any]
T = TypeVar("T")

ADA, BEN, CYD = (UUID(int=0xA00 + number) for number in range(3))


def game_id(number: int) -> UUID:
    return UUID(int=0x6A3E0000 + number)


def placed(records: Iterable[AnyRecord], step: int = 10) -> list[Placed]:
    """The records at positions with gaps, so that others may be put between them."""
    return [Placed(number * step, record) for number, record in enumerate(records, 1)]


class Span(NamedTuple):
    """A stretch of a log, as a follower reads it."""

    records: Sequence[Placed]
    upto: int
    head: int


def span(log: Sequence[Placed], after: int, limit: int, topics: frozenset[str] | None = None) -> Span:
    """Up to so many records of these topics behind this position of the log."""
    head = log[-1].position if log else 0
    found = [one for one in log if one.position > after and (topics is None or topic_of(one.record) in topics)]
    return Span(found[:limit], found[limit - 1].position if len(found) >= limit else max(after, head), head)


def topic_of(record: AnyRecord) -> str:
    return str(type(record.event).__struct_config__.tag)


def without(log: Sequence[Placed], game: UUID) -> list[Placed]:
    """The log as if this game had never been; the others keep their positions."""
    return [one for one in log if one.record.stream != game]


def folded(projection: Projection, log: Iterable[Placed], documents: MemoryDocuments | None = None) -> MemoryDocuments:
    """The documents after this log, in one batch."""
    documents = MemoryDocuments() if documents is None else documents
    advance(projection, documents, 0, log)
    return documents


def present(document: T | None) -> T:
    """The document, which must be there."""
    assert document is not None
    return document


def restored(projection: Projection, rows: Iterable[DocumentRow]) -> MemoryDocuments:
    """Documents as they come back from where they were stored."""
    families = {family.name: family for family in projection.families}
    documents = MemoryDocuments()
    for name, key, sort, body in rows:
        family, *parts = name.split("/")
        documents.put(families[family](*parts), key, msgspec.msgpack.decode(body, type=families[family].document), sort)
    return documents


def event_record(game: UUID, version: int, event: Struct, time: int = START, kind: str = "klondike") -> AnyRecord:
    """A bare record, as a hand-made log holds them."""
    return Record(game, version, time, kind, 1, version, None, None, None, event)


def finish(**changes: Any) -> ev.Finished:
    """An ending: Ada has won a rated game alone with 50 moves."""
    won = ev.Finished(
        ending="won", reason="all_home", winners=(0,), scores=(), players=(ADA,), rated=True, opened_at=START, moves=50
    )
    return replace(won, **changes)


def opening_event(kind: str, players: tuple[UUID | None, ...], **changes: Any) -> ev.Opened:
    """The opening of a hand-made game."""
    seats = len(players)
    opened = ev.Opened(kind, 1, options={}, seats=seats, creator=None, commitment="", players=players)
    return replace(opened, **changes)


def life(
    number: int, end: ev.Finished | None, *later: Struct, kind: str = "klondike", **opening: Any
) -> list[AnyRecord]:
    """The records that boards read of one game: opened, finished a minute later, revealed unless of a contest."""
    opened = opening_event(kind, end.players if end else (ADA,), **opening)
    events: list[Struct] = [opened]
    if end is not None:
        events.append(end)
        events += [] if end.contest else [ev.Revealed(b"", b"")]
    events += later
    times = (START + (60 * SECOND if at else 0) for at in range(len(events)))
    return [
        event_record(game_id(number), version, event, time, kind)
        for version, (event, time) in enumerate(zip(events, times, strict=True), 1)
    ]


def played(kind: AnyGameType, number: int, players: tuple[UUID, ...], steps: int = 4000) -> list[AnyRecord]:
    """A game played at random from its listed commands (at bridge the lowest bids), given up after so many."""
    lots = Random(f"{kind.key} {number}")
    secret = ev.Sealed(sha256(b"deal %d" % number).digest(), sha256(b"key %d" % number).digest())
    opening = Opening(type=kind, options=kind.options(), players=players)
    step = open_game(game_id(number), opening, secret, Act(players[0], None, START))
    records = [*step.records]
    for at in range(steps):
        if step.game.status != "playing":
            break
        seat, command = _said(step.game, lots, resigning=at == steps - 1)
        step = play(step.game, command, Act(players[seat], seat, START + (at + 1) * SECOND))
        records += step.records
    return records


def _said(game: Any, lots: Random, *, resigning: bool) -> tuple[int, Struct]:
    said = [(seat, command) for seat in range(len(game.players)) for command in legal_commands(game, seat)]
    if resigning:
        return 0, ev.Resign()
    onward = [(seat, one) for seat, one in said if not isinstance(one, ev.Resign | CloseRubber)]
    bids = [(seat, one) for seat, one in onward if isinstance(one, Pass | Bid)]
    return bids[0] if bids else lots.choice(onward or said)


@cache
def real_log() -> tuple[Placed, ...]:
    """Games of every game type that is found, three of each, one after the other."""
    return tuple(placed(record for records in _real_games() for record in records))


def _real_games() -> Iterator[list[AnyRecord]]:
    numbers = iter(range(1, 1000))
    for kind in GAME_TYPES.values():
        for _ in range(3):
            seats = max(kind.seats[0], min(2, kind.seats[-1]))
            yield played(kind, next(numbers), (ADA, BEN, CYD)[:seats], 1500 if kind.key == "bridge_solitaire" else 60)


def season() -> list[Placed]:
    """Twenty-seven games of Ada's, two of them voided, the others won but for every fifth."""
    lost = {"ending": "lost", "reason": "stuck", "winners": ()}
    lives = [life(500 + at, finish(**(lost if at % 5 == 0 else {}))) for at in range(27)]
    voids = [event_record(game_id(number), 9999, ev.Voided("fault")) for number in (503, 505)]
    return placed([record for records in lives for record in records] + voids)
