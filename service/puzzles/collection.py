"""The puzzles in PostgreSQL, and players' first attempts at them: the ratings of player and puzzle, and the streaks.

An attempt is a game between the two: by OpenSkill, as on the ladders, each at full weight.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID, uuid4

import msgspec
from msgspec import Struct
from psycopg import Connection
from psycopg.errors import UniqueViolation

from domain.games import AnyGameType
from domain.record import Micros
from projections.ladders.ratings import FULL, START, Rating, Weight, rate_players
from service.analysis.kinds import Report, command_type
from service.analysis.report import PatienceReport
from service.event_store.ids import now
from service.event_store.store import EventStore, count_tries
from service.event_store.writing.rows import Companion
from service.jobs.stored_games import GameRef
from service.puzzles.mining import Theme

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
_FIND_PUZZLE = f"SELECT {_COLUMNS} FROM puzzles WHERE puzzle = %s"
_FITTING = "game_type = coalesce(%s, game_type) AND themes @> %s::text[] AND mu BETWEEN %s AND %s"
# Puzzles mined since the day began come last, in the order of their coming: no puzzle of the day gives way to a newer
# one, on the first day neither.
_OF_DAY = f"""
SELECT {_COLUMNS} FROM puzzles WHERE {_FITTING} ORDER BY greatest(mined_at, %s), md5(puzzle::text || %s), puzzle LIMIT 1
"""
_NEXT = f"""
SELECT {_COLUMNS} FROM puzzles WHERE {_FITTING} AND player <> %s
AND NOT EXISTS (SELECT FROM puzzle_attempts a WHERE a.player = %s AND a.puzzle = puzzles.puzzle)
ORDER BY abs(mu - %s), puzzle LIMIT 1
"""
_FORGET = "DELETE FROM puzzles WHERE game = %s"
_STANDING = """
SELECT mu, sigma, number, solved, streak, best_streak FROM puzzle_attempts WHERE player = %s
ORDER BY number DESC LIMIT 1
"""
_FIND_ATTEMPT = "SELECT is_solved FROM puzzle_attempts WHERE player = %s AND puzzle = %s"
# All or nothing: if the puzzle's rating has changed since it was read nothing is written, and if the player's has, the
# number is taken.
_COUNT = """
WITH rated AS (
    UPDATE puzzles SET mu = %s, sigma = %s, plays = plays + 1 WHERE puzzle = %s AND plays = %s
    AND EXISTS (SELECT FROM persons WHERE player = %s) RETURNING puzzle
)
INSERT INTO puzzle_attempts (player, number, puzzle, is_solved, mu, sigma, solved, streak, best_streak, tried_at)
SELECT %s, %s, puzzle, %s, %s, %s, %s, %s, %s, %s FROM rated RETURNING number
"""
_MOST_TRIES = 20
_WEIGHTS = (Weight(FULL, FULL),) * 2
Band = Literal["easier", "harder"]
"""Rated clearly below a player, or above."""
_APART, _FAR = 10**6, 2**62


class Selection(NamedTuple):
    """Which puzzles to choose from; None: any."""

    game_type: str | None = None
    theme: Theme | None = None
    rating: Band | None = None

    def values(self, rating: Rating) -> tuple[str | None, list[Theme], int, int]:
        """The values of `_FITTING` for a player of this rating."""
        least = rating.mu + _APART if self.rating == "harder" else -_FAR
        most = rating.mu - _APART if self.rating == "easier" else _FAR
        return self.game_type, [] if self.theme is None else [self.theme], least, most


class StoredPuzzle(NamedTuple):
    """A stored puzzle; `line` as JSON."""

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
    """An analysed game that was not mined, and its last step that could be won; None: its report has none."""

    ref: GameRef
    last: int | None


class Standing(Struct, frozen=True):
    """A player's rating and counts after so many first attempts."""

    rating: Rating = START
    attempts: int = 0
    solved: int = 0
    streak: int = 0
    best_streak: int = 0

    def after(self, rating: Rating, *, solved: bool) -> "Standing":
        """After one more."""
        streak = self.streak + 1 if solved else 0
        return Standing(rating, self.attempts + 1, self.solved + solved, streak, max(streak, self.best_streak))


def next_to_mine(connection: Connection[Any]) -> ToMine | None:
    """The game whose analysis was asked for first."""
    if (row := connection.execute(_TO_MINE).fetchone()) is None:
        return None
    report: Report = msgspec.json.decode(row[2], type=Report)
    last = report.last_winnable_step if isinstance(report, PatienceReport) else None
    return ToMine(GameRef(UUID(str(row[0])), row[1]), last)


def note_mined(connection: Connection[Any], game: UUID) -> None:
    """Note that it needs no further search."""
    connection.execute(_MINED, (game,))


def are_contests_due(connection: Connection[Any]) -> bool:
    """Whether there is a contest that is not revealed."""
    return connection.execute("SELECT FROM contests_due LIMIT 1").fetchone() is not None


def full_types(connection: Connection[Any], most: int) -> tuple[str, ...]:
    """The game types that have `most` puzzles."""
    return tuple(row[0] for row in connection.execute(_FULL, (most,)).fetchall())


def put(
    connection: Connection[Any], game: UUID, player: UUID, game_type: str, step: int, themes: Sequence[Theme],
    line: Iterable[Iterable[Any]],
) -> None:  # fmt: skip
    """Store a puzzle, unless its player was erased. Its id tells neither the game nor the time."""
    text = msgspec.json.encode(line)
    values = (uuid4(), game, step, player, game_type, list(themes), text, START.mu, START.sigma, now(), player)
    connection.execute(_PUT, values)


async def find(store: EventStore, puzzle: UUID) -> StoredPuzzle | None:
    """This puzzle."""
    return _first(await store.query(_FIND_PUZZLE, (puzzle,)))


async def find_of_day(store: EventStore, day: str, selection: Selection) -> StoredPuzzle | None:
    """The puzzle of this day (`2026-11-26`, UTC) among those that match, for a new player's rating."""
    began: Micros = round(datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp()) * 10**6
    return _first(await store.query(_OF_DAY, (*selection.values(START), began, day)))


async def find_next(store: EventStore, player: UUID, rating: Rating, selection: Selection) -> StoredPuzzle | None:
    """The puzzle nearest to this rating that the player has neither tried nor played."""
    return _first(await store.query(_NEXT, (*selection.values(rating), player, player, rating.mu)))


async def forget(store: EventStore, game: UUID) -> None:
    """Delete the puzzles of this game."""
    await store.append([], [Companion(_FORGET, (game,))])


def _first(rows: Sequence[Sequence[Any]]) -> StoredPuzzle | None:
    if not rows:
        return None
    puzzle, game, step, player, game_type, themes, line, mu, sigma, plays = rows[0]
    return StoredPuzzle(puzzle, game, step, player, game_type, tuple(themes), bytes(line), Rating(mu, sigma), plays)


async def standing_of(store: EventStore, player: UUID) -> Standing:
    """This player's standing."""
    rows = await store.query(_STANDING, (player,))
    return Standing(Rating(*rows[0][:2]), *rows[0][2:]) if rows else Standing()


async def is_solved(store: EventStore, player: UUID, puzzle: UUID) -> bool | None:
    """Whether the player's first attempt solved it; None: there was none."""
    rows = await store.query(_FIND_ATTEMPT, (player, puzzle))
    return bool(rows[0][0]) if rows else None


async def count_attempt(store: EventStore, player: UUID, puzzle: StoredPuzzle, *, solved: bool) -> bool:
    """Count this attempt, if it is the player's first, and not at a position of the player's own game."""
    for _ in count_tries(_MOST_TRIES):
        stored = await find(store, puzzle.id)
        if stored is None or stored.player == player or await is_solved(store, player, stored.id) is not None:
            return False
        before = await standing_of(store, player)
        rating, rated = rate_players((before.rating, stored.rating), (0, 1) if solved else (1, 0), _WEIGHTS)
        after = before.after(rating, solved=solved)
        values = (
            rated.mu, rated.sigma, stored.id, stored.plays, player,
            player, after.attempts, solved, rating.mu, rating.sigma, after.solved, after.streak, after.best_streak,
            now(),
        )  # fmt: skip
        with suppress(UniqueViolation):
            if await store.query(_COUNT, values):
                return True
    raise AssertionError  # count_tries raises
