"""First attempts at puzzles: the ratings of player and puzzle, and the streaks.

An attempt is a game between the two: by OpenSkill, as on the ladders, each at full weight.
"""

from contextlib import suppress
from uuid import UUID

from msgspec import Struct
from psycopg.errors import UniqueViolation

from projections.ladders.ratings import FULL, START, Rating, Weight, rate_players
from service.event_store.ids import now
from service.event_store.store import EventStore, count_tries
from service.puzzles import collection
from service.puzzles.collection import Kept

_STANDING = """
SELECT mu, sigma, number, solved, streak, best_streak FROM puzzle_attempts WHERE player = %s
ORDER BY number DESC LIMIT 1
"""
_FIND = "SELECT is_solved FROM puzzle_attempts WHERE player = %s AND puzzle = %s"
# All or nothing: where the puzzle's rating has changed since it was read nothing is written, and where the player's
# has, the number is taken.
_COUNT = """
WITH rated AS (
    UPDATE puzzles SET mu = %s, sigma = %s, plays = plays + 1 WHERE puzzle = %s AND plays = %s
    AND EXISTS (SELECT FROM persons WHERE player = %s) RETURNING puzzle
)
INSERT INTO puzzle_attempts (player, number, puzzle, is_solved, mu, sigma, solved, streak, best_streak, tried_at)
SELECT %s, %s, puzzle, %s, %s, %s, %s, %s, %s, %s FROM rated RETURNING number
"""
_TRIES = 20
_WEIGHTS = (Weight(FULL, FULL),) * 2


class Standing(Struct, frozen=True):
    """How a player stands after so many first attempts."""

    rating: Rating = START
    attempts: int = 0
    solved: int = 0
    streak: int = 0
    best_streak: int = 0

    def after(self, rating: Rating, *, solved: bool) -> "Standing":
        """After one more."""
        streak = self.streak + 1 if solved else 0
        return Standing(rating, self.attempts + 1, self.solved + solved, streak, max(streak, self.best_streak))


async def standing_of(store: EventStore, player: UUID) -> Standing:
    """How this player stands."""
    rows = await store.query(_STANDING, (player,))
    return Standing(Rating(*rows[0][:2]), *rows[0][2:]) if rows else Standing()


async def is_solved(store: EventStore, player: UUID, puzzle: UUID) -> bool | None:
    """What came of the player's first attempt; None: there was none."""
    rows = await store.query(_FIND, (player, puzzle))
    return bool(rows[0][0]) if rows else None


async def count(store: EventStore, player: UUID, puzzle: Kept, *, solved: bool) -> bool:
    """Count this attempt, if it is the player's first, and not at a position of the player's own game."""
    for _ in count_tries(_TRIES):
        kept = await collection.find(store, puzzle.id)
        if kept is None or kept.player == player or await is_solved(store, player, kept.id) is not None:
            return False
        before = await standing_of(store, player)
        made, rated = rate_players((before.rating, kept.rating), (0, 1) if solved else (1, 0), _WEIGHTS)
        after = before.after(made, solved=solved)
        values = (
            rated.mu, rated.sigma, kept.id, kept.plays, player,
            player, after.attempts, solved, made.mu, made.sigma, after.solved, after.streak, after.best_streak, now(),
        )  # fmt: skip
        with suppress(UniqueViolation):
            if await store.query(_COUNT, values):
                return True
    raise AssertionError  # count_tries raises
