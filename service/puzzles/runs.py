"""Runs of puzzles, each at least as hard as the one before: `rush` and `streak`, counted and timed by the server."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID, uuid4

from domain.record import DAY, Micros
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion

Mode = Literal["rush", "streak"]
"""`rush`: as many as can be solved in three minutes, three misses end it; `streak`: until the first miss."""
RUSH = 180 * 10**6
MISSES: dict[Mode, int] = {"rush": 3, "streak": 1}
_FIRST, _STEEP = 16_000_000, 500_000
"""The rating of the first puzzle, and how much more each solved one adds."""
_TRIED = 4_000_000
"""So much further off is a puzzle that the player has tried before."""
_KEPT = 7 * DAY
_COLUMNS = "run, player, mode, began_at, puzzles, solved, missed"
_BEGIN = """
INSERT INTO puzzle_runs (run, player, mode, began_at, puzzles)
SELECT %s, %s, %s, %s, '{}' WHERE %s::uuid IS NULL OR EXISTS (SELECT FROM persons WHERE player = %s)
"""
_FORGET = "DELETE FROM puzzle_runs WHERE began_at < %s"
_FIND = f"SELECT {_COLUMNS} FROM puzzle_runs WHERE run = %s"
# The nearest few, one of them by lot: two runs are not alike. One that the player has tried stands further off.
_DEAL = f"""
WITH near AS (
    SELECT puzzle FROM puzzles WHERE NOT puzzle = ANY(%s) AND player IS DISTINCT FROM %s
    AND mu >= coalesce((SELECT max(mu) FROM puzzles WHERE puzzle = ANY(%s)), 0)
    ORDER BY abs(mu - %s)
        + (EXISTS (SELECT FROM puzzle_attempts a WHERE a.player = %s AND a.puzzle = puzzles.puzzle))::int * %s, puzzle
    LIMIT 8
), chosen AS (SELECT puzzle FROM near ORDER BY md5(puzzle::text || %s) LIMIT 1)
UPDATE puzzle_runs SET puzzles = puzzles || chosen.puzzle FROM chosen
WHERE run = %s AND cardinality(puzzles) = solved + missed RETURNING {_COLUMNS}
"""
_SKIP = "UPDATE puzzle_runs SET puzzles = array_remove(puzzles, %s) WHERE run = %s RETURNING run"
_COUNT = """
UPDATE puzzle_runs SET solved = solved + %s, missed = missed + %s
WHERE run = %s AND solved + missed = %s AND cardinality(puzzles) > solved + missed RETURNING run
"""
_BEST = """
SELECT player, max(solved) FROM puzzle_runs WHERE mode = %s AND began_at >= %s AND player IS NOT NULL AND solved > 0
GROUP BY player ORDER BY 2 DESC, min(began_at) LIMIT 10
"""


class Run(NamedTuple):
    """A run as it stands."""

    id: UUID
    player: UUID | None
    mode: Mode
    began_at: Micros
    puzzles: tuple[UUID, ...]
    solved: int
    missed: int

    @property
    def ends_at(self) -> Micros | None:
        """When a rush is over."""
        return self.began_at + RUSH if self.mode == "rush" else None

    @property
    def current(self) -> UUID | None:
        """The puzzle under way; None: the run is over."""
        is_late = self.ends_at is not None and now() >= self.ends_at
        is_between = len(self.puzzles) == self.solved + self.missed
        return None if is_late or is_between or self.missed >= MISSES[self.mode] else self.puzzles[-1]


async def begin_run(store: EventStore, player: UUID | None, mode: Mode) -> Run:
    """A new run with its first puzzle, if there is one."""
    run, at = uuid4(), now()
    begin = Companion(_BEGIN, (run, player, mode, at, player, player))
    await store.append([], [begin, Companion(_FORGET, (at - _KEPT,))])
    return await _deal(store, Run(run, player, mode, at, (), 0, 0))


async def find_run(store: EventStore, run: UUID) -> Run | None:
    """This run."""
    rows = await store.query(_FIND, (run,))
    return _read(rows[0]) if rows else None


async def skip_puzzle(store: EventStore, run: Run) -> Run:
    """The run with another puzzle for one that was withdrawn."""
    await store.query(_SKIP, (run.puzzles[-1], run.id))
    return await _deal(store, run._replace(puzzles=run.puzzles[:-1]))


async def count_puzzle(store: EventStore, run: Run, *, solved: bool) -> Run:
    """The run after its current puzzle, with the next one; a repeat counts nothing."""
    tried = run.solved + run.missed
    if not await store.query(_COUNT, (int(solved), int(not solved), run.id, tried)):
        return await find_run(store, run.id) or run
    run = run._replace(solved=run.solved + solved, missed=run.missed + (not solved))
    return run if run.missed >= MISSES[run.mode] else await _deal(store, run)


async def _deal(store: EventStore, run: Run) -> Run:
    dealt = list(run.puzzles)
    target = _FIRST + _STEEP * run.solved
    values = (dealt, run.player, dealt, target, run.player, _TRIED, run.id.hex, run.id)
    rows = await store.query(_DEAL, values)
    return _read(rows[0]) if rows else run


def _read(row: Sequence[Any]) -> Run:
    run, player, mode, began_at, puzzles, solved, missed = row
    return Run(run, player, mode, began_at, tuple(puzzles), solved, missed)


async def best_of_day(store: EventStore, mode: Mode, day: str) -> list[tuple[UUID, int]]:
    """The players who have solved most in one run of this day of UTC, and how many."""
    began = round(datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp()) * 10**6
    return [(player, solved) for player, solved in await store.query(_BEST, (mode, began))]
