"""The puzzles in PostgreSQL: keeping, choosing, finding and forgetting them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID, uuid4

import msgspec
from psycopg import Connection

from domain.games import AnyGameType
from domain.record import Micros
from projections.ladders.ratings import START, Rating
from service.analysis.kinds import Report, command_type
from service.analysis.report import PatienceReport
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.live.heavy import GameRef
from service.puzzles.themes import Theme

_COLUMNS = "puzzle, game, step, player, game_type, themes, line, mu, sigma, plays"
_TO_MINE = """
SELECT game, version, report FROM analyses WHERE report IS NOT NULL AND imported IS NULL AND NOT mined
ORDER BY asked_at LIMIT 1
"""
_MINED = "UPDATE analyses SET mined = true WHERE game = %s"
_PUT = f"""
INSERT INTO puzzles ({_COLUMNS}, mined_at)
SELECT %s, %s, %s, %s, %s, %s, %s, %s, %s, 0, %s WHERE EXISTS (SELECT FROM persons WHERE player = %s)
ON CONFLICT DO NOTHING
"""
_FULL = "SELECT game_type FROM puzzles GROUP BY game_type HAVING count(*) >= %s"
_FIND = f"SELECT {_COLUMNS} FROM puzzles WHERE puzzle = %s"
_FITTING = "game_type = coalesce(%s, game_type) AND themes @> %s::text[] AND mu BETWEEN %s AND %s"
# What has come since the day began is behind what was there, and behind what came before it: no puzzle of the day gives
# way to a newer one, on the first day neither.
_OF_DAY = f"""
SELECT {_COLUMNS} FROM puzzles WHERE {_FITTING} ORDER BY greatest(mined_at, %s), md5(puzzle::text || %s), puzzle LIMIT 1
"""
_NEXT = f"""
SELECT {_COLUMNS} FROM puzzles WHERE {_FITTING} AND player <> %s
AND NOT EXISTS (SELECT FROM puzzle_attempts a WHERE a.player = %s AND a.puzzle = puzzles.puzzle)
ORDER BY abs(mu - %s), puzzle LIMIT 1
"""
_FORGET = "DELETE FROM puzzles WHERE game = %s"


Band = Literal["easier", "harder"]
"""Rated clearly below a player, or above."""
_APART, _FAR = 10**6, 2**62


class Wanted(NamedTuple):
    """Which puzzles are meant; None: any."""

    game_type: str | None = None
    theme: Theme | None = None
    rating: Band | None = None

    def beside(self, rating: Rating) -> tuple[str | None, list[Theme], int, int]:
        """The values of `_FITTING` for a player of this rating."""
        least = rating.mu + _APART if self.rating == "harder" else -_FAR
        most = rating.mu - _APART if self.rating == "easier" else _FAR
        return self.game_type, [] if self.theme is None else [self.theme], least, most


class Kept(NamedTuple):
    """A puzzle as it is kept; `line` as JSON."""

    id: UUID
    game: UUID
    step: int
    player: UUID
    game_type: str
    themes: tuple[Theme, ...]
    line: bytes
    rating: Rating
    plays: int

    def solution(self, kind: AnyGameType) -> tuple[tuple[Any, ...], ...]:
        """For each move the commands that make it."""
        commands: Any = command_type(kind)
        return msgspec.json.decode(self.line, type=tuple[tuple[commands, ...], ...])


class ToMine(NamedTuple):
    """An analysed game that nobody has looked through, and its last step that could be won; None: it tells of none."""

    ref: GameRef
    last: int | None


def next_to_mine(connection: Connection[Any]) -> ToMine | None:
    """The game whose analysis was asked for first."""
    if (row := connection.execute(_TO_MINE).fetchone()) is None:
        return None
    report: Report = msgspec.json.decode(row[2], type=Report)
    last = report.last_winnable_step if isinstance(report, PatienceReport) else None
    return ToMine(GameRef(UUID(str(row[0])), row[1]), last)


def note_mined(connection: Connection[Any], game: UUID) -> None:
    """It is not looked through again."""
    connection.execute(_MINED, (game,))


def are_contests_due(connection: Connection[Any]) -> bool:
    """Whether there is a contest that is not revealed."""
    return connection.execute("SELECT FROM contests_due LIMIT 1").fetchone() is not None


def full_types(connection: Connection[Any], most: int) -> tuple[str, ...]:
    """The game types of which there are `most` puzzles."""
    return tuple(row[0] for row in connection.execute(_FULL, (most,)).fetchall())


def put(
    connection: Connection[Any], game: UUID, player: UUID, game_type: str, step: int, themes: Sequence[Theme],
    line: Iterable[Iterable[Any]],
) -> None:  # fmt: skip
    """Keep a puzzle, unless its player was erased. Its id tells nothing: neither of the game nor of the time."""
    text = msgspec.json.encode(line)
    values = (uuid4(), game, step, player, game_type, list(themes), text, START.mu, START.sigma, now(), player)
    connection.execute(_PUT, values)


async def find(store: EventStore, puzzle: UUID) -> Kept | None:
    """This puzzle."""
    return _first(await store.query(_FIND, (puzzle,)))


async def find_of_day(store: EventStore, day: str, wanted: Wanted) -> Kept | None:
    """The puzzle of this day (`2026-11-26`, UTC) among those that are meant, beside a new player's rating."""
    return _first(await store.query(_OF_DAY, (*wanted.beside(START), _micros(day), day)))


async def find_next(store: EventStore, player: UUID, rating: Rating, wanted: Wanted) -> Kept | None:
    """The puzzle nearest to this rating that the player has neither tried nor played."""
    return _first(await store.query(_NEXT, (*wanted.beside(rating), player, player, rating.mu)))


async def forget(store: EventStore, game: UUID) -> None:
    """Delete the puzzles of this game."""
    await store.append([], [Companion(_FORGET, (game,))])


def _first(rows: Sequence[Sequence[Any]]) -> Kept | None:
    if not rows:
        return None
    puzzle, game, step, player, game_type, themes, line, mu, sigma, plays = rows[0]
    return Kept(puzzle, game, step, player, game_type, tuple(themes), bytes(line), Rating(mu, sigma), plays)


def _micros(day: str) -> Micros:
    return round(datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp()) * 10**6
