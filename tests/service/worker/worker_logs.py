"""A log to follow in a database: games, leagues and days with their endings, appended as the event store appends."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any
from uuid import UUID

import psycopg
from msgspec import Struct

from domain.contest import aggregate as contests
from domain.contest import events as ct
from domain.games import GAME_TYPES
from domain.games.bridge_solitaire.events import RubberClosed
from domain.league import decide
from domain.league.aggregate import fold
from domain.league.events import MemberJoined, SeasonClosed
from domain.league.rules import BOX, DAYS
from domain.play import events as ev
from domain.record import Record
from projections import PROJECTIONS
from projections.engine.builds import builds, live_fingerprint
from projections.engine.contract import Projection, advance
from projections.engine.rows import fingerprint
from service.event_store.codec import standard_codec
from service.event_store.reading import read_head, read_log
from service.event_store.writing.rows import NOTIFY, Row, write
from service.workers.worker import Worker
from tests.memory_documents import MemoryDocuments

AnyRecord = Record[Any, Any]
PLAYERS = tuple(UUID(int=0xA00 + number) for number in range(5))
START = 1_700_000_000_000_000


def lives(count: int, first: int = 0) -> Iterator[list[AnyRecord]]:
    """Games of one and two players, rubbers among them; each from its opening to its end."""
    for number in range(first, first + count):
        lots = Random(number)
        yield list(_life(UUID(int=0x6A3E000000 + number), lots.choice(("klondike", "bridge_solitaire")), lots))
        if number % 5 == 0:
            yield list(_season(UUID(int=0x1EA6000000 + number)))
            yield list(_day(UUID(int=0xDA1000000 + number), number))


def _life(game: UUID, kind: str, lots: Random) -> Iterator[AnyRecord]:
    players = tuple(lots.sample(PLAYERS, 2 if kind == "klondike" and lots.random() < 0.5 else 1))
    for version, event in enumerate(_events(kind, players, lots), 1):
        yield Record(game, version, START + version * 10**6, kind, 1, version, players[0], None, None, event)


def _events(kind: str, players: tuple[UUID, ...], lots: Random) -> Iterator[Struct]:
    yield ev.Opened(kind, 1, {}, len(players), players[0], "", players, rated=lots.random() < 0.9)
    if kind == "bridge_solitaire":
        yield RubberClosed("closed")
    ending = lots.choice(("won", "lost", "drawn"))
    yield ev.Finished(ending, "played", (0,) * (ending == "won"), (), players, True, START, lots.randrange(1, 99))
    yield ev.Revealed(b"seed", b"key")
    if lots.random() < 0.1:
        yield ev.Voided("fault")


def _season(league: UUID) -> Iterator[AnyRecord]:
    """A league of two, from its founding to the close of its season, with the one game that they play."""
    one, other = PLAYERS[:2]
    wanted = decide.Founding(name="Thursdays", game_type="spite_and_malice", rules=BOX.id)
    said: list[Struct] = [*decide.found_league(wanted, one), MemberJoined(one), MemberJoined(other)]
    made = fold(_recorded(league, "league", said))
    said += decide.open_season(made, START, START + 10**6, one)
    fixture = fold(_recorded(league, "league", said)).seasons[0].fixtures[0]
    yield from _recorded(league, "league", said)
    opened = ev.Opened("spite_and_malice", 1, {}, 2, one, "", fixture.players, fixture=fixture.id)
    won = ev.Finished("won", "played", (0,), (), fixture.players, True, START, 9)
    yield from _recorded(fixture.id, "spite_and_malice", [opened, won, ev.Revealed(b"", b"")])
    yield from [*_recorded(league, "league", [*said, SeasonClosed(1)])][len(said) :]


def _day(contest: UUID, number: int) -> Iterator[AnyRecord]:
    """A same-deal day with one attempt, from its announcement to its closing."""
    player, game = PLAYERS[number % 5], UUID(int=contest.int + (1 << 64))
    kind, day = GAME_TYPES["klondike"], f"2023-11-{number % 28 + 1:02}"
    wanted = contests.Announcement(
        game_type=kind.key,
        options=kind.options(),
        rules=DAYS,
        opens=START,
        closes=START + 10**9,
        seed=bytes(32),
        day=day,
    )
    said = [*contests.announce(contest, wanted), ct.Entered(player, game)]
    yield from _recorded(contest, "contest", said)
    won = ev.Finished("won", "played", (0,), (52,), (player,), True, START, 90, contest=contest)
    yield from _recorded(game, kind.key, [ev.Opened(kind.key, 1, {}, 1, player, "", (player,), contest=contest), won])
    yield from [*_recorded(contest, "contest", [*said, ct.Closed(), ct.Revealed(bytes(32))])][len(said) :]


def _recorded(stream: UUID, kind: str, events: Sequence[Struct]) -> Iterator[AnyRecord]:
    for version, event in enumerate(events, 1):
        yield Record(stream, version, START + version * 10**6, kind, 1, version, PLAYERS[0], None, None, event)


def records(count: int, first: int = 0) -> list[AnyRecord]:
    """The records of so many games, in one log."""
    return [record for life in lives(count, first) for record in life]


def append(database: str, appended: Iterable[AnyRecord], *, quietly: bool = False) -> None:
    """Put these records at the end of the log; quietly: without telling the followers."""
    codec = standard_codec()
    rows = [Row(record.stream, record.version, codec.topic(record), codec.encode(record)) for record in appended]
    with psycopg.connect(database, autocommit=True) as connection:
        row = connection.execute("SELECT epoch FROM log").fetchone()
        write(connection, int(row[0]) if row else 0, rows)
        if not quietly:
            connection.execute(NOTIFY)


def uninterrupted(database: str) -> dict[str, str]:
    """The fingerprints of the whole log folded in one go, by projection."""
    with psycopg.connect(database, autocommit=True) as connection:
        log = read_log(connection, 0, 10**6)
    return {name: _folded(projection, log) for name, projection in PROJECTIONS.items()}


def _folded(projection: Projection, log: list[Any]) -> str:
    documents = MemoryDocuments()
    advance(projection, documents, 0, log)
    return fingerprint(documents.rows())


def stored(database: str) -> dict[str, str]:
    """The fingerprints of what readers see, by projection."""
    with psycopg.connect(database, autocommit=True) as connection:
        return {name: live_fingerprint(connection, projection) for name, projection in PROJECTIONS.items()}


def lowest(database: str) -> int:
    """The position of the build that is furthest behind; 0 while there is none."""
    with psycopg.connect(database, autocommit=True) as connection:
        return min((build.position for build in builds(connection)), default=0)


def at_head(database: str) -> bool:
    """Whether every projection has a live build that has folded the whole log, and none grows."""
    with psycopg.connect(database, autocommit=True) as connection:
        found, head = builds(connection), read_head(connection)
    return len(found) == len(PROJECTIONS) and all(build.live and build.position == head for build in found)


@contextmanager
def working(database: str, **how: Any) -> Iterator[Worker]:
    """A worker in a thread, for as long as the block."""
    worker = Worker(database, **how)
    worker.start()
    try:
        yield worker
    finally:
        worker.stop()
